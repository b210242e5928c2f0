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
case $version in
  latest | '') refuse "version: name a release, such as 0.1.0, and not ${version:-nothing}: a job is to run the program that was chosen, and not one that appears later" ;;
  *[!0-9A-Za-z.+-]*) refuse "version: $version is not the number of a release, such as 0.1.0" ;;
esac
CHECKSUM=$(printf '%s' "$CHECKSUM" | tr -d ' \t\r\n' | tr 'A-F' 'a-f')
case $CHECKSUM in
  *[!0-9a-f]*) refuse "checksum: want a SHA-256 sum, which has 64 hexadecimal digits" ;;
esac
[ -z "$CHECKSUM" ] || [ ${#CHECKSUM} = 64 ] || refuse "checksum: want a SHA-256 sum, which has 64 hexadecimal digits, and not ${#CHECKSUM}"
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
