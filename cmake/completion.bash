# bash completion for clearway.  The tool itself knows its commands, options and values: a candidate a line, with
# a tab and its meaning behind it.
_clearway()
{
    local offers word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    [ "$word" != = ] || word= # --type=: bash takes = for a word
    offers=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
    [ -z "$offers" ] || mapfile -t COMPREPLY < <(compgen -W "$offers" -- "$word")
}
complete -o default -F _clearway clearway
