# fish completion for clearway.  The tool itself knows its commands, options and values: a candidate a line, with
# a tab and its meaning behind it.  Where it offers nothing, a file is meant.
function __clearway_offers
    set -l words (commandline -opc) (commandline -ct)
    set -l offers ($words[1] --complete $words[2..-1] 2>/dev/null)
    if test (count $offers) -gt 0
        printf '%s\n' $offers
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c clearway -f -a '(__clearway_offers)'
