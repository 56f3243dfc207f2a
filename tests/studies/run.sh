#!/bin/sh
# The studies in their small size: no verdict is worse than its study says. Prints TAP.
#
#   tests/studies/run.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

for file in "$WEFT_DATA"/studies/*.yaml; do
    study=$(basename "$file" .yaml)
    [ "$study" = alltoall-512 ] && continue # a minute; tests/claims has its short rows
    "$weft" study check "$study" -j "$(nproc)" >out 2>err
    code=$?
    [ $code -le 1 ] || sed 's/^/# /' err
    [ $code -le 1 ]
    say $? "$study runs"
    grep -E '^[TSKMFR][0-9]+ ' out >claims
    while read -r line; do
        case "$line" in
        *MISSED* | *"not judged"*) say 1 "$study: $line" ;;
        *) say 0 "$study ${line%% *}" ;;
        esac
    done <claims
    tail -n 1 out | grep -q '^verdicts: '
    say $? "$study counts its verdicts"
    grep -qE 'MISSED|not judged' out
    [ $? -ne $code ]
    say $? "$study says so by its exit status"
done
# The page of claims is the one that its parts make.
"$weft" study report >page 2>err || sed 's/^/# /' err
diff page "$WEFT_DATA/docs/validation.md" >difference
code=$?
head -20 difference | sed 's/^/# /'
say $code "docs/validation.md is up to date (weft study report)"
# A record no longer counts once the machine has changed.
mkdir copy
cp -r "$WEFT_DATA/machines" "$WEFT_DATA/studies" "$WEFT_DATA/claims" copy
WEFT_DATA=$folder/copy
"$weft" study report >page 2>err
say $? "records count in a copy of the data"
sed -i 's/request_cycles: {value: 3/request_cycles: {value: 4/' copy/machines/bluegene-l-sim2003.yaml
"$weft" study report >page 2>err
[ $? -eq 2 ] && grep -q 'other settings of study or machine' err
say $? "a record is refused once its machine has changed"
echo "1..$number"
