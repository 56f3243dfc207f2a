#!/bin/sh
# weft jobs. Exact outputs, exact complaints, exit codes. Prints TAP.
#
#   tests/cli/jobs.sh WEFT
set -u
. "$(dirname "$0")/../tap.sh"

# ---- jobs that share a machine ----
cat >log.swf <<'S'
; MaxProcs: 100
1 0 -1 100 50 -1 -1 50 200 -1 1 1 1 1 1 1 -1 -1
; a comment in the middle
2 10 -1 100 100 -1 -1 100 100 -1 1 1 1 1 1 1 -1 -1
3 20 -1 50 -1 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
4 5 -1 30 2 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1
5 30 -1 -1 25 -1 -1 25 100 -1 0 1 1 1 1 1 -1 -1
6 40 -1 10 0 -1 -1 -1 100 -1 0 1 1 1 1 1 -1 -1
S
gzip -k log.swf
"$weft" jobs log.swf -m k-computer --csv jobs.csv -o jobs.json --check >out 2>err
[ $? -eq 0 ] && grep -q "4 jobs of log.swf" out && grep -q "1 job without a run time: left out" out &&
    grep -q "1 job without processors: left out" out && grep -q "1 job not in the order of submit times: sorted" out &&
    [ "$(cut -d, -f1,8 jobs.csv | tr '\n' ' ')" = "job,start_s 1,0 4,5 2,100 3,20 " ] && grep -q '"jobs_finished": 4' jobs.json &&
    [ "$(cut -d, -f13 jobs.csv | tr '\n' ' ')" = "at_cell 0/0/1 0/0/13 0/0/1 7/0/13 " ]
say $? "jobs: a log with gaps; EASY lets the job start early that ends in time"
# A queue that nodes' failures leave no place: thousands of failures, at each of which all is planned anew.
printf '; MaxProcs: 100\n1 0 -1 100000 100 -1 -1 100 100000 -1 1 1 1 1 1 1 -1 -1\n' >stalled.swf
"$weft" jobs stalled.swf -m bluegene-l -s machine.dims=16x16x16 --policy conservative -s jobs.mtbf_hours=1 -s jobs.repair_hours=12 >out 2>err &&
    grep -q "failures  *3[0-9]* nodes failed, 1 run lost" out
say $? "jobs: thousands of nodes that fail are planned for"
"$weft" jobs log.swf.gz -m k-computer -o packed.json -q && [ "$(grep '"digest"' packed.json)" = "$(grep '"digest"' jobs.json)" ]
say $? "jobs: gzip-compressed, the same"
"$weft" jobs log.swf -m k-computer --policy fcfs --csv jobs.csv -q && [ "$(cut -d, -f1,8 jobs.csv | tr '\n' ' ')" = "job,start_s 1,0 4,5 2,100 3,200 " ]
say $? "jobs: first come, first served"
"$weft" jobs -m bluegene-l -s machine.dims=32x16x16 -s jobs.count=200 --policy conservative --shapes rotations --check -o jobs.json >out 2>err &&
    grep -q "to 8 192 nodes in 16 cells of 512" out && grep -q '"jobs_finished": 200' jobs.json
say $? "jobs: generated, on midplanes"
head -n 3 log.swf >cut.swf && echo "2 10 -1 100 many" >>cut.swf
refuses "weft: cut.swf:4:13: 'many' is not a number of processors; write 18 numbers per job, -1 for what is not known, and ';' before comments" jobs cut.swf -m k-computer
refuses "weft: no machine; name one with -m; \`weft machines\` lists them" jobs log.swf
refuses "weft: --policy best: jobs.policy = 'best' is not known; use one of fcfs, easy, conservative" jobs log.swf -m k-computer --policy best
refuses "weft: machine sc5832 has no cells to give to jobs; use one that is a torus or a Tofu network, as k-computer" jobs log.swf -m sc5832
refuses "weft: -s jobs.model.lasting_alpha=624: jobs.model.lasting_alpha x jobs.model.lasting_beta = 18.72, and nearly every time is longer than e^12 s; use a product, the mean of ln(seconds), below 12" \
    jobs -m bluegene-l -s jobs.model.lasting_alpha=624
refuses "weft: -s jobs.model.day_alpha=800: jobs.model.day_alpha x jobs.model.day_beta = 3170.48, and no half hour of the day has submissions; use a product between 11 and 58, the mean half hour" \
    jobs -m bluegene-l -s jobs.model.day_alpha=800
refuses "weft: machine ideal has no cells to give to jobs; use one that is a torus or a Tofu network, as k-computer" jobs -m ideal
refuses "weft: none.swf: No such file or directory; name a log of jobs, or leave jobs.log out to generate jobs" jobs none.swf -m k-computer
refuses "weft: -s jobs.large_nodes=100: jobs.large_nodes: partitions of this machine cannot leave nodes out; use 0" jobs log.swf -m bluegene-l -s jobs.large_nodes=100
refuses "weft: the log and --csv name the same file; use different ones" jobs log.swf -m k-computer --csv log.swf
refuses "weft: --csv and --gantt name the same file; use different ones" jobs log.swf -m k-computer --csv both --gantt both
refuses "weft: -s machine.dims=65x1x2x2x3x2: jobs can be placed on at most 64 groups along x, not 65; use fewer" jobs log.swf -m k-computer -s machine.dims=65x1x2x2x3x2
refuses "weft: -s jobs.mtbf_hours=1e-300: jobs.mtbf_hours = 1e-300: nodes fail too often; use 0, for never, or at least 1" jobs log.swf -m k-computer -s jobs.mtbf_hours=1e-300
refuses "weft: --load 1e-300: jobs.load = 1e-300 is too small; use 0, for the log's own, or at least 1e-6" jobs log.swf -m k-computer --load 1e-300
refuses "weft: -s jobs.box=30x1x1: jobs.box = '30x1x1' does not fit into the machine; it has 24x18x16 cells for jobs, from 0/0/1 to 23/17/16" run -m k-computer -w view -s jobs.box=30x1x1
# Boxes, dead nodes and places of jobs have the machine's coordinates: those of the K computer's I/O nodes have z = 0.
figure3="-m k-computer -w view -s jobs.planes=xb,ya,zc"
refuses "weft: -s jobs.box=3x1x1@0/0/0: jobs.box = '3x1x1@0/0/0' starts at a cell that is not available to jobs; the machine has 24x18x16 cells for jobs, from 0/0/1 to 23/17/16" \
    run $figure3 -s jobs.box=3x1x1@0/0/0
refuses "weft: -s machine.dead_nodes=1/0/0/0/1/1: node 1/0/0/0/1/1 is dead, but not in jobs.box = '3x1x1', which has nodes 0/0/1/0/0/0 to 2/0/1/1/2/1; name a node of the box, or another box" \
    run $figure3 -s machine.dead_nodes=1/0/0/0/1/1 -s jobs.box=3x1x1
printf 'machine:\n  name: k-computer\n  dead_nodes: 1/0/1/0/1/1, 3/0/1/0/1/1\nworkload: {pattern: view}\njobs: {box: 3x1x1}\n' >box.yaml
refuses "weft: box.yaml:3:15: node 3/0/1/0/1/1 is dead, but not in jobs.box = '3x1x1', which has nodes 0/0/1/0/0/0 to 2/0/1/1/2/1; name a node of the box, or another box" \
    run box.yaml
refuses "weft: -s machine.dead_nodes=8/0/0: node 8/0/0 is dead, but not in jobs.box = '1x1x1', which has nodes 0/0/0 to 7/7/7; name a node of the box, or another box" \
    run -m bluegene-l -s machine.dims=16x8x8 -w view -s machine.dead_nodes=8/0/0 -s jobs.box=1x1x1
refuses "weft: -s machine.dead_nodes=1/0/1/0/1/1,24/0/1/0/0/0: machine.dead_nodes: '24/0/1/0/0/0' is not a node of this machine; use 1/2/3/0/1/0, joined by commas, or none" \
    run $figure3 -s jobs.box=3x1x1 -s machine.dead_nodes=1/0/1/0/1/1,24/0/1/0/0/0
"$weft" run $figure3 -s machine.io_plane=false -s jobs.box=3x1x1 -s machine.dead_nodes=1/0/0/0/1/1 >out && grep -q "^  view_size_1 *8$" out &&
    grep -q "^  view_left_out *4$" out
say $? "view: Figure 3b of TOFU as printed, where z = 0 is not for I/O"
"$weft" run $figure3 -s jobs.box=3x1x1@4/5/6 -s machine.dead_nodes=5/5/6/0/1/1 >out && grep -q "^  view_size_1 *8$" out && grep -q "^  node_z *6$" out
say $? "view: a box and its dead node have the same coordinates"
"$weft" run -m k-computer -s machine.dims=5x4x3x2x3x2 -w view -s jobs.box=5x1x1 -s jobs.planes=xa,yb,zc -s machine.dead_nodes=2/0/1/0/1/1 >out &&
    grep -q "^  view_nodes *54$" out
say $? "view: a ring that the box spans goes around a dead node"
refuses "weft: -s jobs.planes=xa,yb: jobs.planes = 'xa,yb' does not name planes that have each axis once; use one to three, as xb,ya,zc or xyzacb: the last of each is a, b or c" run -m k-computer -w view -s jobs.planes=xa,yb
refuses "weft: -s workload.pattern=alltoall: \`weft jobs\` runs no other pattern than jobs; use \`weft run\`" jobs log.swf -m k-computer -s workload.pattern=alltoall
refuses "weft: -s jobs.log=other.swf: the log is 'log.swf' already; name one log" jobs log.swf -m k-computer -s jobs.log=other.swf
refuses "weft: -s jobs.processors=4294967295: jobs.processors = 4294967295 is out of range; use 1 to 4294967294" jobs log.swf -m k-computer -s jobs.processors=4294967295
refuses "weft: -s jobs.axes=2: jobs.axes = 2: a view of this machine has the machine's axes; use 3, or leave it out" run -m bluegene-l -w view -s jobs.axes=2
refuses "weft: -s jobs.axes=2: jobs.axes = 2, but jobs.planes names 3; leave jobs.axes out" run -m k-computer -w view -s jobs.planes=xb,ya,zc -s jobs.axes=2
refuses "weft: -s jobs.coordinate=99: jobs.coordinate = 99: the first axis of the view has 48 nodes; use 0 to 47" run -m k-computer -w view -s jobs.coordinate=99
head -n 2 log.swf >single.swf
refuses "weft: --load 1: jobs.load: all jobs of the log are submitted at once; use 0: there are no times to scale" jobs single.swf -m k-computer --load 1
"$weft" jobs single.swf -m k-computer >out 2>err && grep -q "1 job of single.swf over 0 s" out
say $? "jobs: one job"
echo "2 10 -1 2e10 100 -1 -1 100 100 -1 1 1 1 1 1 1 -1 -1" >long.swf
refuses "weft: long.swf:1:9: a run time of 2e10 is out of range; use at most 10000000000" jobs long.swf -m k-computer
{ cat log.swf && echo "7 -1 -1 0 25 -1 -1 25 100 -1 1 1 1 1 1 1 -1 -1"; } >gaps.swf
"$weft" jobs gaps.swf -m k-computer -o jobs.json >out 2>err && grep -q "1 job without a submit time: taken as 0" out &&
    grep -q "1 job with a run time of 0: taken as 1 s" out && grep -q '"no_submit_time": 1' jobs.json && grep -q '"zero_run_time": 1' jobs.json
say $? "jobs: no submit time, no run time"
"$weft" jobs -m k-computer -s jobs.count=100 -s jobs.mtbf_hours=2000 -s jobs.most_lost=0 --csv jobs.csv --check -q &&
    [ "$(awk -F, 'NR > 1 && ($6 == "finished") != ($10 != "" && $11 != "")' jobs.csv | wc -l)" -eq 0 ] && grep -q ',failed,1,[0-9]' jobs.csv
say $? "jobs: those that were lost have a start, but no wait and no slowdown"

echo "1..$number"
