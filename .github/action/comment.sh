# Comments on a pull request with its plan. There is one comment for each working directory; a
# later run updates it. Anyone can write a comment that begins as this one does, so only those
# of the token's own user are looked at, or of a bot where the token has no user.
set -euo pipefail
. "$(dirname "$0")/words.sh"

number=$(jq -r '.pull_request.number // empty' "$GITHUB_EVENT_PATH")
if [ -z "$number" ]; then
  echo "This run is not for a pull request, so there is nothing to comment on."
  exit 0
fi
words comment-arguments "$ARGUMENTS"
cd -- "$WORKING_DIRECTORY"
git fetch -q --depth=1 origin "+refs/heads/$GITHUB_BASE_REF:refs/remotes/origin/$GITHUB_BASE_REF"
marker="<!-- rad-bicep-plan $WORKING_DIRECTORY -->"
body=$(mktemp)
status=0
{
  echo "$marker"
  # The pull request chooses what is compiled: it gets neither the token nor another variable of the job.
  # On Windows, bash would rewrite arguments such as /x, which it takes for paths of its own.
  MSYS2_ARG_CONV_EXCL="*" env -u TOKEN rad bicep plan --hermetic --base "origin/$GITHUB_BASE_REF" --format markdown --diagnostics-format text ${list[@]+"${list[@]}"}
} > "$body" || status=$?
if [ "$status" -gt 1 ]; then
  case $status in
    2) why='the source or the parameters have errors' ;;
    3) why='a setting in `.rad/bicep.yaml` or a flag in `comment-arguments` is wrong' ;;
    4) why='a file, the revision to compare with, or a registry cannot be read' ;;
    *) why="rad ended with the status $status" ;;
  esac
  printf '%s\n\nThe plan cannot be made: %s. The log of this step says more.\n' "$marker" "$why" > "$body"
fi
if [ "$(wc -c < "$body")" -gt 65536 ]; then # a comment has room for no more; the plan alone just fits
  short=$(mktemp)
  { head -c 65000 "$body" | sed '$d'; printf '\n… the rest is too long for a comment.\n'; } > "$short"
  body=$short
fi
cat "$body" >> "$GITHUB_STEP_SUMMARY"

api() { # METHOD PATH [ARGUMENTS OF curl]
  local method=$1 path=$2
  shift 2
  curl -sS --fail-with-body -X "$method" -H "Authorization: Bearer $TOKEN" -H 'Accept: application/vnd.github+json' "$@" "$GITHUB_API_URL/$path"
}
issues=repos/$GITHUB_REPOSITORY/issues
# The token of a job has no user, nor has that of an app: GitHub refuses this request then.
user=$({ api GET user | jq '.id // empty'; } 2> /dev/null) || user=''
id='' page=1
while [ -z "$id" ]; do
  comments=$(api GET "$issues/$number/comments?per_page=100&page=$page") || { echo "::warning::The comments of the pull request cannot be read; the job needs pull-requests: write."; exit 0; }
  id=$(jq -r --arg marker "$marker" --arg user "$user" '
    map(select((.body // "" | startswith($marker)) and (if $user == "" then .user.type == "Bot" else "\(.user.id)" == $user end)))
    | first | .id // empty' <<< "$comments")
  [ "$(jq length <<< "$comments")" = 100 ] || break
  page=$((page + 1))
done
request=$(jq -n --rawfile body "$body" '{body: $body}')
if [ -n "$id" ]; then
  api PATCH "$issues/comments/$id" --data-binary @- <<< "$request" > /dev/null && echo "The comment $id was updated."
else
  api POST "$issues/$number/comments" --data-binary @- <<< "$request" > /dev/null && echo "The pull request has a comment now."
fi || echo "::warning::The plan cannot be written as a comment: the token of a pull request from a fork may only read. The summary of the run has it."
