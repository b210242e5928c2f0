# Runs the command. Findings are annotations, since rad sees that it runs on GitHub Actions.
set -euo pipefail
. "$(dirname "$0")/words.sh"
words "$ARGUMENTS"
cd "$WORKING_DIRECTORY"
status=0
rad bicep "$COMMAND" ${list[@]+"${list[@]}"} || status=$?
echo "exit-code=$status" >> "$GITHUB_OUTPUT"
exit "$status"
