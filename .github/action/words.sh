# words TEXT puts the words of a text into the array list. They are parted by blanks and line
# ends; quotes and backslashes work as for xargs. Nothing is expanded or run.
words() {
  list=()
  local word
  while IFS= read -r -d '' word; do list+=("$word"); done < <(
    if [ -n "${1//[[:space:]]/}" ]; then printf '%s' "$1" | tr '\n' ' ' | xargs printf '%s\0'; fi
  )
}
