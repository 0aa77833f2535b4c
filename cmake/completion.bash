# bash completion for clearway: the tool itself knows its commands and options.
_clearway()
{
    local offers
    COMPREPLY=()
    offers=$("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    [ -z "$offers" ] || mapfile -t COMPREPLY < <(compgen -W "$offers" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _clearway clearway
