#!/usr/bin/env python3
"""Makes Fortran's view of MPI from the list of functions and constants in mpi.h.in:

    fortran.py header mpi.h.in      mpif.h, in lines that are both fixed and free form
    fortran.py module mpi.h.in      mpi.f90: the same constants, and an interface of each function
    fortran.py wrappers mpi.h.in    C functions that Fortran's calls arrive at (src/mpi/call/fortran.c has them)
    fortran.py stubs mpi.h.in       their names in the library for linking

Fortran passes addresses. A handle is an INTEGER, the number that C's handle is as a pointer; an array of handles has to
be copied. A status is the same in both languages, and so is a LOGICAL of gfortran, an int that is 0 or 1.
"""
import re
import sys
from dataclasses import dataclass

# ---- what the prototypes do not tell ----

NOT_IN_FORTRAN = re.compile(r'.*_(fromint|toint|f2c|c2f|c)$|T_.*')

# Functions that src/mpi/call/fortran.c has by hand.
BY_HAND = {'Buffer_detach', 'Comm_create_keyval', 'Grequest_start', 'Info_get', 'Info_get_string', 'Keyval_create',
           'Pcontrol', 'Type_create_keyval'}

# Functions of MPI-1: their addresses, and values of attributes, are default INTEGERs.
SMALL = {'Address', 'Type_hvector', 'Type_hindexed', 'Type_struct', 'Type_extent', 'Type_lb', 'Type_ub', 'Attr_put',
         'Attr_get', 'Keyval_create'}

# Parameters by name.
LOGICAL = {'flag', 'commute', 'reorder', 'periods', 'remain', 'high', 'weighted', 'complete'}
SMALL_COUNTS = {'COUNT': 'int', 'DISP': 'int', 'BYTES': 'MPI_Aint'}  # Fortran has no MPI_..._c()
GONE = {'argc': 'NULL', 'argv': 'NULL'}  # and what C gets
MAY_BE_A_PLACE = {'weights', 'sourceweights', 'destweights', 'codes'}  # MPI_UNWEIGHTED, MPI_ERRCODES_IGNORE
COUNTS = {'requests': '*count', 'types': '*count', 'displs': '*count', 'infos': '*count', 'datatypes': '*max_datatypes'}
EDGES = {'sendtypes': 'out_edges(*comm)', 'recvtypes': 'in_edges(*comm)'}  # of neighbours; else of peers

# The room that texts need which MPI gives.
ROOM = {'Get_library_version': 'MPI_MAX_LIBRARY_VERSION_STRING', 'Get_processor_name': 'MPI_MAX_PROCESSOR_NAME',
        'Type_get_name': 'MPI_MAX_OBJECT_NAME', 'Comm_get_name': 'MPI_MAX_OBJECT_NAME',
        'Error_string': 'MPI_MAX_ERROR_STRING', 'Session_get_nth_pset': 'MPI_MAX_PSET_NAME_LEN',
        'Open_port': 'MPI_MAX_PORT_NAME', 'Lookup_name': 'MPI_MAX_PORT_NAME', 'Info_get_nthkey': 'MPI_MAX_INFO_KEY'}

# What is done with a result: indices begin with 1 in Fortran.
AFTER = {'Waitany': 'count_from_one(index);', 'Testany': 'count_from_one(index);',
         'Waitsome': 'count_all_from_one(done, indices);', 'Testsome': 'count_all_from_one(done, indices);'}

# Variables whose addresses mean something: one common block, whose address in each rank Weft knows. Their words, and
# what C has for them.
BLOCK = 'mpi_fortran_places'
PLACES = {'MPI_BOTTOM': '', 'MPI_IN_PLACE': '', 'MPI_STATUS_IGNORE': '(8)', 'MPI_STATUSES_IGNORE': '(8,1)',
          'MPI_ERRCODES_IGNORE': '(1)', 'MPI_UNWEIGHTED': '(1)', 'MPI_WEIGHTS_EMPTY': '(1)'}

KINDS = {'MPI_ADDRESS_KIND': 8, 'MPI_OFFSET_KIND': 8, 'MPI_COUNT_KIND': 8, 'MPI_INTEGER_KIND': 4}

# Functions that programs pass to MPI, and Fortran's own.
PROVIDED = [prefix + name for prefix in ('', 'COMM_', 'TYPE_') for name in ('NULL_COPY_FN', 'DUP_FN', 'NULL_DELETE_FN')]
ONLY_FORTRAN = ['F_sync_reg']

# ---- reading mpi.h.in ----


@dataclass
class Parameter:
    type: str     # without const and stars
    pointer: bool
    array: bool
    const: bool
    name: str


@dataclass
class Function:
    result: str
    prefix: str  # MPI_ or MPIX_
    name: str
    parameters: list

    @property
    def fortran(self):
        return self.prefix + self.name


def read_parameter(text):
    const, kind, stars, name, array = re.fullmatch(r'(const )?(\w+) (\**)(\w+)((?:\[\d?\])*)', text).groups()
    if const and stars and kind == 'int':  # what only goes in is a number by itself, or an array
        stars, array = '', '[]'
    return Parameter(kind, bool(stars), bool(array), bool(const), name)


def read_functions(header):
    for result, prefix, name, text in re.findall(r'^(int|double|MPI_\w+) (MPIX?_)(\w+)\((.*)\);', header, re.M):
        if not NOT_IN_FORTRAN.match(name):
            for mark, kind in SMALL_COUNTS.items():
                text = text.replace(mark + ' ', kind + ' ')
            words = [w for w in text.split(', ') if w not in ('void', '...')]
            yield Function(result, prefix, name, [read_parameter(w) for w in words])


def read_constants(header):
    """All of them as numbers, in the order of the header."""
    found = {}
    for name, value in re.findall(r'^#define (MPI_\w+)\s+(?:\(\(MPI_\w+\))?(\w+)\)?(?: /\*.*)?$', header, re.M):
        if value in found or re.match(r'\d', value):
            found[name] = found[value] if value in found else int(value, 0)
    for body in re.findall(r'enum \{(.*?)\}', header, re.S):
        value = -1
        for name, given in re.findall(r'(MPI_\w+)(?: = (-?\d+))?', body):
            value = int(given) if given else value + 1
            found[name] = value
    return found


def fortran_constants(header):
    """As Fortran has them: texts need no room for a last zero, and indices begin with 1."""
    for name, value in read_constants(header).items():
        if name == 'MPI_F_STATUS_SIZE':
            yield 'MPI_STATUS_SIZE', value
        elif name.startswith('MPI_F_'):
            yield 'MPI_' + name[len('MPI_F_'):], value + 1
        else:
            yield name, value - 1 if name.startswith('MPI_MAX_') else value


# ---- how Fortran passes a parameter ----


@dataclass
class Passing:
    declared: str         # in an interface, before the name
    shape: str            # and behind it
    parameter: str        # in C
    argument: str         # what MPI's C function gets
    before: str = ''      # lines around that call
    after: str = ''
    hidden: str = ''      # a text's length, at the end of the list
    choice: bool = False  # of any type


def pass_text(f, p):
    copy, length = 'c_' + p.name, p.name + '_length'
    if p.array:  # of MPI_Comm_spawn(), which looks at none
        return Passing('character(len=*)', '(*)', f'const char *{p.name}', 'NULL', f'(void){p.name}, (void){length};', '',
                       f'size_t {length}')
    if p.const:
        before = f'char *{copy} = take_text({p.name}, {length}, {str(f.name.startswith("Info_")).lower()});'
        after = f'free({copy});'
    else:
        before = f'char *{copy} = memory_alloc({ROOM.get(f.name, 0)}, 1);'
        after = f'give_text({copy}, {p.name}, {length});'
    return Passing('character(len=*)', '', f'{"const " if p.const else ""}char *{p.name}', copy, before, after,
                   f'size_t {length}')


def pass_handle(f, p):
    copy = 'c_' + p.name
    if p.array:
        peers = EDGES.get(p.name) if 'eighbor' in f.name else f'peers(*comm, {p.name[:4]}buf)'
        many = COUNTS.get(p.name, peers)
        after = f'free({copy});' if p.const else f'give_handles({copy}, {many}, {p.name});'
        return Passing('integer', '(*)', f'{"const " if p.const else ""}int {p.name}[]', copy,
                       f'void *{copy} = take_handles({many}, {p.name});', after)
    if p.pointer:
        return Passing('integer', '', f'int *{p.name}', f'&{copy}', f'{p.type} {copy} = handle(*{p.name});',
                       f'*{p.name} = number({copy});')
    return Passing('integer', '', f'const int *{p.name}', f'handle(*{p.name})')


def pass_small(f, p):
    """An address as MPI-1 had it."""
    copy = 'c_' + p.name
    if p.array:
        return Passing('integer', '(*)', f'const int {p.name}[]', copy,
                       f'MPI_Aint *{copy} = take_addresses({COUNTS[p.name]}, {p.name});', f'free({copy});')
    if p.pointer:
        return Passing('integer', '', f'int *{p.name}', f'&{copy}', f'MPI_Aint {copy} = *{p.name};',
                       f'*{p.name} = (int){copy};')
    return Passing('integer', '', f'const int *{p.name}', '*' + p.name)


def pass_word(f, p):
    """The value of an attribute, or what goes with a function: a pointer in C, a number in Fortran."""
    small = f.name in SMALL
    declared, kind = ('integer', 'int') if small else ('integer(kind=MPI_ADDRESS_KIND)', 'MPI_Aint')
    if 'flag' in [q.name for q in f.parameters]:
        return Passing(declared, '', f'{kind} *{p.name}', f'&c_{p.name}', f'void *c_{p.name} = NULL;',
                       f'if (*flag)\n        *{p.name} = ({kind})attribute(*key, c_{p.name});')
    return Passing(declared, '', f'const {kind} *{p.name}', f'(void *)(intptr_t)*{p.name}')


def pass_number(f, p):
    names = {'int': 'integer', 'double': 'double precision', 'MPI_Count': 'integer(kind=MPI_COUNT_KIND)',
             'MPI_Aint': 'integer(kind=MPI_ADDRESS_KIND)'}
    declared = 'logical' if p.name in LOGICAL else names[p.type]
    const = 'const ' if p.const or not (p.pointer or p.array) else ''
    if p.array:
        shape, behind = ('(3,*)', '[][3]') if p.name == 'ranges' else ('(*)', '[]')
        return Passing(declared, shape, f'{const}{p.type} {p.name}{behind}',
                       f'place({p.name})' if p.name in MAY_BE_A_PLACE else p.name)
    return Passing(declared, '', f'{const}{p.type} *{p.name}', p.name if p.pointer else '*' + p.name)


def passing(f, p):
    if p.type.endswith('function'):
        return Passing('external', '', f'{p.type} *{p.name}', p.name)
    if p.type == 'char':
        return pass_text(f, p)
    if p.type == 'void' and p.name in ('value', 'extra'):
        return pass_word(f, p)
    if p.type == 'void':
        return Passing('type(*), dimension(*)', '', f'{"const " if p.const else ""}void *{p.name}', f'place({p.name})',
                       choice=True)
    if p.type == 'MPI_Status':
        shape = '(MPI_STATUS_SIZE,*)' if p.array else '(MPI_STATUS_SIZE)'
        return Passing('integer', shape, f'{"const " if p.const else ""}MPI_Status *{p.name}', f'place({p.name})')
    if p.type == 'MPI_Aint' and f.name in SMALL:
        return pass_small(f, p)
    if p.type in ('int', 'double', 'MPI_Aint', 'MPI_Count'):
        return pass_number(f, p)
    return pass_handle(f, p)


def passings(f):
    return [(p, passing(f, p)) for p in f.parameters if p.name not in GONE]


# ---- writing ----


def write_header(header, functions):
    def line(text):
        assert len(text) <= 66, text
        print('      ' + text)
    print('! MPI for Fortran: made from mpi.h.in.')
    for name, value in [*KINDS.items(), *fortran_constants(header)]:
        line('integer ' + name)
        line(f'parameter ({name}={value})')
    for name in ('MPI_SUBARRAYS_SUPPORTED', 'MPI_ASYNC_PROTECTS_NONBLOCKING'):
        line('logical ' + name)
        line(f'parameter ({name}=.false.)')
    for name, shape in PLACES.items():
        line(f'integer {name}{shape}')
        line(f'common /{BLOCK}/ {name}')
    for f in functions:
        if f.result != 'int':
            kind = 'double precision' if f.result == 'double' else 'integer(kind=8)'
            for name in (f.fortran, 'P' + f.fortran):
                line(f'{kind} {name}')
                line(f'external {name}')
    for name in PROVIDED:
        line(f'external MPI_{name}')


def write_interface(f, name):
    passed = [] if f.name == 'Pcontrol' else [('ierror', Passing('integer', '', '', ''))]
    passed = [(p.name, way) for p, way in passings(f)] + passed
    print(f'  subroutine {name}({", ".join(n for n, way in passed)})')
    print('    import')
    for n, way in passed:
        if way.choice:
            print(f'    !GCC$ ATTRIBUTES NO_ARG_CHECK :: {n}')
        print(f'    {way.declared} :: {n}{way.shape}')
    print('  end subroutine')


def write_module(functions):
    print('! MPI for Fortran: made from mpi.h.in.')
    print('module mpi')
    print("  implicit none\n  include 'mpif.h'")
    print('  interface')
    for f in functions:
        if f.result == 'int':
            write_interface(f, f.fortran)
            write_interface(f, 'P' + f.fortran)
    print('  end interface\nend module')


def write_wrapper(f):
    ways = [way for p, way in passings(f)]
    results = ['int *ierror'] if f.result == 'int' else []
    parameters = [w.parameter for w in ways] + results + [w.hidden for w in ways if w.hidden]
    arguments = [GONE[p.name] if p.pointer else '0' for p in f.parameters if p.name in GONE] + [w.argument for w in ways]
    call = f'call_{f.name}({", ".join(arguments)});'
    print(f'static {"void" if results else f.result} fortran_{f.name}({", ".join(parameters) or "void"})\n{{')
    lines = [w.before for w in ways] + [('*ierror = ' if results else 'return ') + call]
    lines += [w.after for w in ways] + [AFTER.get(f.name, '')]
    print('\n'.join('    ' + line for line in lines if line))
    print('}\n')


def words(shape):
    """How many a variable of this shape has."""
    return eval(shape.strip('()').replace(',', '*') or '1')


def write_wrappers(functions):
    print('/* Made by fortran.py. */')
    for f in functions:
        if f.name not in BY_HAND:
            write_wrapper(f)
    print('static const struct {\n    uint64_t at;\n    const void *means;\n} places[] = {')
    at = 0
    for name, shape in PLACES.items():
        print(f'    {{{at}, {name}}},')
        at += 4 * words(shape)
    print(f'}};\nenum {{ PLACES = {len(PLACES)} }};\n#define PLACES_NAME "{BLOCK}_"\n')
    names = [(f.fortran, f.name) for f in functions] + [('MPI_' + n, n) for n in PROVIDED + ONLY_FORTRAN]
    print('static const struct {\n    const char *name;\n    void (*function)(void);\n} functions[] = {')
    for name, wrapper in names:
        print(f'    {{"{name.lower()}_", (void (*)(void))fortran_{wrapper}}},')
    print('};')


def write_stubs(functions):
    print('/* Made by fortran.py. */')
    print(f'int {BLOCK}_[{sum(words(shape) for shape in PLACES.values())}];')
    names = [f.fortran for f in functions] + ['MPI_' + n for n in PROVIDED + ONLY_FORTRAN]
    print('int PMPI_Init(void); /* which says how to run a program */')
    for name in names:
        lower = name.lower() + '_'
        print(f'int p{lower}(void) {{ return PMPI_Init(); }}')
        print(f'int {lower}(void) __attribute__((weak, alias("p{lower}")));')


def main():
    with open(sys.argv[2], encoding='ascii') as file:
        header = file.read()
    functions = list(read_functions(header))
    {'header': lambda: write_header(header, functions), 'module': lambda: write_module(functions),
     'wrappers': lambda: write_wrappers(functions), 'stubs': lambda: write_stubs(functions)}[sys.argv[1]]()


main()
