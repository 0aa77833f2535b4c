#compdef clearway
# zsh completion for clearway.  The tool itself knows its commands, options and values: a candidate a line, with
# a tab and its meaning behind it.  Where it offers nothing, a file is meant.
_clearway()
{
    local line
    local -a lines offers
    lines=("${(@f)$("${(Q)words[1]}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    for line in $lines; do
        line=${line//:/\\:}
        offers+=("${line/$'\t'/:}")
    done
    if (( $#offers )); then
        _describe -t values clearway offers
    else
        _files
    fi
}
_clearway "$@"
