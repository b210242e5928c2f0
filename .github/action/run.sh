# Runs the command. Findings are annotations, since rad sees that it runs on GitHub Actions.
set -euo pipefail
. "$(dirname "$0")/words.sh"
words arguments "$ARGUMENTS"
cd -- "$WORKING_DIRECTORY"
status=0
# On Windows, bash would rewrite arguments such as /x, which it takes for paths of its own.
MSYS2_ARG_CONV_EXCL="*" rad bicep "$COMMAND" ${list[@]+"${list[@]}"} || status=$?
echo "exit-code=$status" >> "$GITHUB_OUTPUT"
exit "$status"
