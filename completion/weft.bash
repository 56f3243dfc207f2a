# bash completion for weft. The program itself says what fits (`weft --complete`).
_weft() {
    local line=() i word
    # Bash cuts words at = and :, which keys and graphs contain; put them together again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#line[@]})) && [[ $word == [=:]* || ${line[-1]} == *[=:] ]] && [[ ${line[-1]} != -* ]] &&
            [[ $COMP_LINE == *"${line[-1]}$word"* ]]; then
            line[-1]+=$word
        else
            line+=("$word")
        fi
    done
    word=${line[-1]}
    local cut=${word%"${word##*[=:]}"} # the shell has that part already
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" --complete "${line[@]}" 2>/dev/null | sort -u)
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
    # After KEY= comes a value, not a space.
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -o default -F _weft weft
