#!/usr/bin/env python3
"""Builds the C programs of MPICH's test suite with mpicc, and nothing else, runs them with mpirun, and prints a table.

    suite.py BIN SUITE [FOLDER...]     BIN: lib/weft/mpi/bin; SUITE: test/mpi of MPICH's source; all folders by default

The suite is no part of the project. A program is judged as the suite does: it prints "No Errors" and nothing else, or ends
as its line in testlist.in says. Programs that need more than 3 GB, by that line, are left out. The machine is $WEFT_MACHINE's.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MOST_GB, SECONDS = 3, 120
FOLDERS = 'attr coll comm datatype errhan group info init io mpi_t part pt2pt rma session topo'.split()


def run(command, folder, seconds):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, check=False)
        return done.returncode, done.stdout.decode(errors='replace')
    except subprocess.TimeoutExpired:
        return None, ''


class Suite:
    def __init__(self, tools, root, objects):
        self.tools, self.root, self.objects = tools, root, objects
        self.compiler = [f'{tools}/mpicc', '-w', '-O1'] + [f'-I{root}/{part}' for part in
                                                          ('include', 'util', 'dtpools/include')]
        own = [f'{root}/dtpools/src/{name}' for name in os.listdir(f'{root}/dtpools/src') if name.endswith('.c')]
        own += [f'{root}/util/{name}.c' for name in ('mtest', 'mtest_common', 'mtest_single', 'run_mpitests', 'dtypes')]
        self.util = {os.path.basename(source)[:-2]: self.compile(source) for source in own}

    def compile(self, source):
        made = f'{self.objects}/{os.path.basename(source)[:-2]}.o'
        code, text = run([*self.compiler, '-c', source, '-o', made], self.root, SECONDS)
        if code:
            sys.exit(f'{source}: {text}')
        return made

    def makefile(self, folder, what):
        """What Makefile.am says of programs: their sources, or their definitions."""
        with open(f'{self.root}/{folder}/Makefile.am', encoding='utf-8') as file:
            return {name: words.split() for name, words in re.findall(rf'^(\w+)_{what}\s*=\s*(.*)', file.read(), re.M)}

    def build(self, folder, program, sources, flags):
        files = [f'{self.root}/{folder}/{name}' for name in sources.get(program, [program + '.c'])]
        if not os.path.exists(files[0]):
            return None, 'no source'
        made = f'{self.objects}/{folder}-{program}'
        with open(files[0], encoding='utf-8', errors='replace') as file:
            begins = re.search(r'^int run', file.read(), re.M)
        left_out = {'run_mpitests'} if not begins else set()
        left_out |= {'dtypes'} if folder != 'datatype' else set()
        util = [made_of for name, made_of in self.util.items() if name not in left_out]
        defined = [word for word in flags.get(program, []) if word.startswith('-D')]
        code, text = run([*self.compiler, *defined, *files, *util, '-o', made, '-lm'], self.root, SECONDS)
        return (made, '') if code == 0 else (None, text.strip().split('\n')[-1])

    def lines(self, folder):
        """(program, ranks, arguments, options) of testlist.in, each once."""
        path, seen = f'{self.root}/{folder}/testlist', set()
        with open(path + '.in' if os.path.exists(path + '.in') else path, encoding='utf-8') as file:
            for line in file:
                words = line.split('#')[0].split()
                if len(words) < 2 or words[0].startswith('@'):
                    continue
                pairs = [word.partition('=')[::2] for word in words[2:]]
                arguments = tuple(value for key, value in pairs if key == 'arg')
                if (words[0], words[1], arguments) not in seen:
                    seen.add((words[0], words[1], arguments))
                    yield words[0], words[1], arguments, dict(pairs)


def judge(options, code, text):
    """Why a run is not as it should be; '': it is."""
    kind = options.get('resultTest', 'TestNormal')
    if code is None:
        return f'over {SECONDS} s'
    if kind in ('TestStatus', 'TestErrFatal'):
        return '' if code else 'status 0'
    if kind in ('TestNormal', 'TestAllowWarnings'):
        other = [line for line in text.splitlines() if not re.fullmatch(r'\s*(No [Ee]rrors|Test Skipped)?\s*', line)]
        if other or not text.strip():
            return (other or ['no output'])[0][:100]
    return '' if code == 0 else f'status {code}'


def try_line(suite, folder, made, line):
    program, ranks, arguments, options = line
    if not made[program][0]:
        return f'{program}: {made[program][1]}'
    command = [f'{suite.tools}/mpirun', '-n', ranks, made[program][0], *arguments]
    why = judge(options, *run(command, f'{suite.root}/{folder}', SECONDS))
    return f'{" ".join([program, *arguments])}, {ranks} ranks: {why}' if why else ''


def try_folder(suite, folder, team):
    sources, flags = suite.makefile(folder, 'SOURCES'), suite.makefile(folder, 'CPPFLAGS')
    lines = [line for line in suite.lines(folder) if float(line[3].get('mem', 0)) <= MOST_GB]
    programs = sorted({line[0] for line in lines})
    made = dict(zip(programs, team.map(lambda name: suite.build(folder, name, sources, flags), programs)))
    wrong = [text for text in team.map(lambda line: try_line(suite, folder, made, line), lines) if text]
    print(f'{folder:10} {len(lines):4} runs {len(lines) - len(wrong):4} as they should be', flush=True)
    for text in wrong:
        print('    ' + text, flush=True)
    return not wrong


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tools, root = (os.path.realpath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as objects, ThreadPoolExecutor(os.cpu_count()) as team:
        suite = Suite(tools, root, objects)
        right = [try_folder(suite, folder, team) for folder in sys.argv[3:] or FOLDERS]
    sys.exit(not all(right))


main()
