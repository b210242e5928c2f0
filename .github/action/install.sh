# Installs a release of rad: downloads the archive for the runner and compares its checksum.
set -euo pipefail

refuse() {
  echo "::error::$1"
  exit 1
}

extension=tar.gz
case $RUNNER_OS in
  Linux) os=linux ;;
  macOS) os=darwin ;;
  Windows) os=windows extension=zip ;;
  *) refuse "there is no release of rad for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) refuse "there is no release of rad for $RUNNER_ARCH" ;;
esac
version=${VERSION#v}
archive=rad_${version}_${os}_${arch}.${extension}
url=${RAD_DOWNLOAD_URL:-https://github.com/radbicep/rad/releases/download}/v$version

folder=$RUNNER_TEMP/rad-bicep-$version
mkdir -p "$folder"
cd "$folder"
fetch() { curl -fsSL --retry 3 -o "$1" "$url/$1" || refuse "$url/$1 cannot be downloaded; is there a release $version?"; }
fetch "$archive"
if [ -z "$CHECKSUM" ]; then
  fetch checksums.txt
  CHECKSUM=$(awk -v name="$archive" '$2 == name { print $1 }' checksums.txt)
  [ -n "$CHECKSUM" ] || refuse "checksums.txt of release $version does not list $archive"
fi
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$archive"); else sum=$(shasum -a 256 "$archive"); fi
[ "${sum%% *}" = "$CHECKSUM" ] || refuse "$archive has the checksum ${sum%% *}, and not $CHECKSUM"
if [ "$extension" = zip ]; then unzip -qo "$archive" rad.exe; else tar -xzf "$archive" rad; fi
rm "$archive"
echo "$folder" >> "$GITHUB_PATH"
echo "version=$version" >> "$GITHUB_OUTPUT"
