#!/bin/sh
# weft view. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/view.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# ---- pages ----

refuses "weft: no result; name at least one that \`weft run -o\` wrote" view
refuses "weft: nowhere.json: No such file or directory; name a result, or make one by \`weft run -o RESULT.json\`" view nowhere.json
mkdir -p folder && refuses "weft: folder: Is a directory; name a result" view folder
printf 'machine: bluegene-l\n' >study.yaml
refuses "weft: study.yaml:1:7: not JSON: '[' or '{' expected near 'machine'; name a file that \`weft run -o\` wrote" view study.yaml
echo '{"a": 1}' >other.json
refuses "weft: other.json: is not a result of Weft: it has no version or digest; name a file that \`weft run -o\` wrote" view other.json
"$weft" run -m bluegene-l -s machine.dims=2x2x2 -q -o page.json
head -c 300 page.json >cut.json
"$weft" view cut.json 2>err; [ $? -eq 2 ] && grep -q '^weft: cut.json:[0-9]*:[0-9]*: not JSON: ' err && [ "$(wc -l <err)" -eq 1 ] && [ ! -e cut.html ]
say $? "view: refuses a result that was cut, and writes nothing"
cp page.json page.copy
refuses "weft: the page would take the place of page.copy; name another file by -o" view page.copy -o page.copy
refuses "weft: -o page.json: a page is HTML; use a name that ends in .html" view page.json -o page.json
refuses "weft: /nowhere/p.html: No such file or directory; name a place that can be written" view page.json -o /nowhere/p.html
# shellcheck disable=SC2046
refuses "weft: 17 results; name at most 16" view $(yes page.json | head -n 17)
[ "$("$weft" view page.json)" = "page.html: open it in a browser" ] && grep -q '^<!doctype html>' page.html && grep -q "$(sed -n 's/.*"digest": "\(.*\)".*/\1/p' page.json)" page.html
say $? "view: a page beside the result, which holds it"
gzip -k page.json && "$weft" view page.json.gz page.json -o - >two.html && [ "$(grep -o '"name":"page.json[.gz]*"' two.html | wc -l)" -eq 2 ]
say $? "view: packed results, several of them, to standard output"
sed 's|"digest": "|&</script><!--|' page.json >evil.json && "$weft" view evil.json -o - >evil.html && ! grep -q '"digest":"</script' evil.html && grep -q '"digest":"\\u003c/script>\\u003c!--' evil.html
say $? "view: nothing in a result ends its script"
# Sections with wrong sizes, and numbers of what does not exist.
cat >section.py <<'P'
import base64, json, sys, zlib
result = json.load(open("page.json"))
pack = lambda *bytes: base64.b64encode(zlib.compress(b"".join(bytes))).decode()
u32 = lambda *numbers: b"".join(n.to_bytes(4, "little") for n in numbers)
vertices, share = {"type": "u32", "index_of": "vertices"}, {"type": "u16", "one": 65535, "per": "link"}
columns = {"from": {**vertices, "per": "link"}, "to": {**vertices, "per": "link"}, "utilisation": share,
           "direction": {"type": "u8", "per": "link", "index_of": "directions"}}
links = {"columns": columns, "count": 2, "vertices": 8, "dims": [2, 2, 2], "wrap": [True] * 3, "kind": "torus", "directions": ["x+", "x-"], "vcs": ["D0"],
         "from": pack(u32(0, 1)), "to": pack(u32(1, 0)), "direction": pack(b"\0\1"), "utilisation": pack(b"\0\1\2\3")}
exec(sys.argv[1])
result["each_link"] = links
json.dump(result, open("section.json", "w"))
P
python3 section.py pass && "$weft" view section.json >out 2>err
say $? "view: a section of links"
broken() { # PYTHON WHAT
    python3 section.py "$1"
    refuses "weft: section.json: $2; write the result again by \`weft run\`" view section.json
}
broken 'links["to"] = pack(u32(1, 8))' "each_link.to names something that does not exist"
broken 'links["from"] = pack(u32(1))' "each_link.from is damaged, or has another length than the section says"
broken 'links["from"] = pack(u32(1, 0, 1))' "each_link.from is damaged, or has another length than the section says"
broken 'links["switches"] = 4; columns["switch_of_host"] = {**vertices, "per": "host"}; links["switch_of_host"] = pack(u32(4, 5, 6, 8))' "each_link.switch_of_host names something that does not exist"
broken 'links["direction"] = pack(b"\0\2")' "each_link.direction names something that does not exist"
broken 'links["utilisation"] = "no base64"' "each_link.utilisation is damaged, or has another length than the section says"
broken 'del links["utilisation"]' "each_link.utilisation is missing"
broken 'links["count"] = 1 << 27' "each_link.from is damaged, or has another length than the section says"
broken 'del links["columns"]' "each_link.columns is missing, as in results of older versions"
broken 'share["one"] = 255' "each_link.utilisation is not described by the section's columns as Weft writes it"
broken 'columns["warm"] = share' "each_link.warm is a column that this version does not know"
broken 'links["state"] = pack(b"\0\3"); links["states"] = ["good", "bad", "dead"]; columns["state"] = {**columns["direction"], "index_of": "states"}' \
    "each_link.state names something that does not exist"
broken 'links["count"] = -1' "each_link.count is not a whole number in range"
broken 'links["dims"] = [2, 2, 3]' "each_link.dims are not the sizes of this machine"
broken 'links["vcs"] = [1]' "each_link.vcs is not a list of names"
broken 'links["directions"] = []' "each_link.directions is not a list of names"
broken 'links["rows"] = 1 << 20; columns["timeline"] = {"type": "u8", "one": 255, "per": "row link"}; links["timeline"] = pack(bytes(20))' "each_link.timeline is damaged, or has another length than the section says"
broken 'result["each_node"] = {"count": 8, "columns": {"sent_packets": {"type": "u32", "per": "node"}}, "sent_packets": pack(u32(1))}' "each_node.sent_packets is damaged, or has another length than the section says"
"$weft" jobs -m k-computer -s jobs.count=20 -q -o jobs.json && "$weft" view jobs.json >out && python3 -c '
import base64, json, zlib
jobs = json.load(open("jobs.json"))
runs = jobs["jobs"]["runs"]
size = zlib.decompress(base64.b64decode(runs["size"]))
at = zlib.decompress(base64.b64decode(runs["at"]))
assert runs["first_cell"] == [0, 0, 1] and min(at[4::6]) == 1
assert runs["cells"] == [24, 18, 16] and runs["count"] == jobs["job_runs"] and len(size) == 6 * runs["count"]'
say $? "view: jobs, with where they were"
sed 's/"first_cell": \[/&7, /' jobs.json >four.json
refuses "weft: four.json: jobs.runs.first_cell has no three coordinates; write the result again by \`weft run\`" view four.json
"$weft" run -m bluegene-l -s machine.dims=4x4x4 -w uniform --on 0-31 -w uniform --on 40-63 -q -o parts.json && "$weft" view parts.json >out && python3 -c '
import base64, json, zlib
of = json.load(open("parts.json"))["part_of_node"]
part = zlib.decompress(base64.b64decode(of["part"]))[::2]
assert of["count"] == 64 and part == bytes([1] * 32 + [0] * 8 + [2] * 24)'
say $? "view: parts, with the part of each node"
latin=$(printf 'n\344chste.txt') && echo '0 1 2 3' >"$latin" &&
    "$weft" run -m bluegene-l -s machine.dims=2x2x2 -w parts -s workload.parts="file:$latin uniform" -q -o "$latin.json" && "$weft" view "$latin.json" -o - >latin.html &&
    grep -q '"name":"n?chste.txt.json"' latin.html && grep -q '"place": "file:n?chste.txt"' "$latin.json" && grep -q '"parts": "file:n?chste.txt uniform"' "$latin.json"
say $? "names that are not UTF-8 are in the result"

echo "1..$number"
