# words NAME TEXT puts the words of an input of the action into the array list.
#
#   - Blanks, tabs and line ends part words.
#   - '…' and "…" hold a text together, with blanks and line ends. They may be a part of a word,
#     and "" is an empty word.
#   - Within one kind of quotes, the other is an ordinary character: "it's".
#   - Nothing else is special: backslashes, $, * and # stay as they are, and nothing is run.
#
# A quote that is not closed ends the step: an option might be lost with it.
words() {
  local name=$1 rest=$2 special=$' \t\r\n\'"' part quote begun='' word=''
  list=()
  while [ -n "$rest" ]; do
    part=${rest%%[$special]*}
    word+=$part
    [ -z "$part" ] || begun=1
    rest=${rest#"$part"}
    quote=${rest:0:1}
    rest=${rest:1}
    case $quote in
      \' | \")
        case $rest in
          *"$quote"*) ;;
          *)
            echo "::error::The input $name has a $quote that is not closed. Write an apostrophe within double quotes, and double quotes within single ones."
            exit 3
            ;;
        esac
        word+=${rest%%"$quote"*}
        rest=${rest#*"$quote"}
        begun=1
        ;;
      *)
        if [ -n "$begun" ]; then list+=("$word"); fi
        word='' begun=''
        ;;
    esac
  done
  if [ -n "$begun" ]; then list+=("$word"); fi
}
