#!/usr/bin/env python3
"""Makes Fortran's view of MPI from the list of functions and constants in mpi.h.in:

    fortran.py header mpi.h.in      mpif.h, in lines that are both fixed and free form
    fortran.py modules mpi.h.in     mpi.f90: the same constants and an interface of each function, as modules mpi and mpi_f08
    fortran.py wrappers mpi.h.in    C functions that Fortran's calls arrive at (src/mpi/call/fortran.c has them)
    fortran.py stubs mpi.h.in       their names in the library for linking

Fortran passes addresses. A handle is an INTEGER, the number that C's handle is as a pointer; an array of handles has to
be copied. A status is the same in both languages, and so is a LOGICAL of gfortran, an int that is 0 or 1. The handles and
statuses of mpi_f08 are structures of the same words, so both modules call the same functions. An ierror that mpi_f08 leaves
out is a null pointer.
"""
import re
import sys
from dataclasses import dataclass

# ---- what the prototypes do not tell ----

NOT_IN_FORTRAN = re.compile(r'.*_(fromint|toint|f2c|c2f|f082c|c2f08|f2f08|f082f)$|T_.*')

# Functions that src/mpi/call/fortran.c has by hand.
BY_HAND = {'Buffer_detach', 'Comm_create_keyval', 'Comm_detach_buffer', 'Grequest_start', 'Info_get', 'Info_get_string',
           'Keyval_create', 'Pcontrol', 'Session_detach_buffer', 'Type_create_keyval', 'Win_create_keyval'}

# Functions of MPI-1: their addresses, and values of attributes, are default INTEGERs.
SMALL = {'Address', 'Type_hvector', 'Type_hindexed', 'Type_struct', 'Type_extent', 'Type_lb', 'Type_ub', 'Attr_put',
         'Attr_get', 'Keyval_create'}

# Parameters by name.
LOGICAL = {'flag', 'commute', 'reorder', 'periods', 'remain', 'high', 'weighted', 'complete'}
COUNT_TYPES = {'COUNT': ('int', 'MPI_Count'), 'DISP': ('int', 'MPI_Aint'), 'BYTES': ('MPI_Aint', 'MPI_Count')}
GONE = {'argc': 'NULL', 'argv': 'NULL'}  # and what C gets
MAY_BE_A_PLACE = {'weights', 'sourceweights', 'destweights', 'codes'}  # MPI_UNWEIGHTED, MPI_ERRCODES_IGNORE
COUNTS = {'requests': '*count', 'types': '*count', 'displs': '*count', 'infos': '*count', 'datatypes': '*max_datatypes'}
EDGES = {'sendtypes': 'out_edges(*comm)', 'recvtypes': 'in_edges(*comm)'}  # of neighbours; else of peers

# Names of arguments in the standard, and the FUNCTION.PARAMETER in mpi.h.in that have them: the first that fits.
STANDARD_NAMES = {
    'abi_major': r'Abi_get_version\.version', 'abi_minor': r'Abi_get_version\.subversion',
    'logical_size': r'Abi_\w+_booleans\.size', 'logical_true': r'Abi_\w+_booleans\.yes',
    'logical_false': r'Abi_\w+_booleans\.no', 'is_set': r'Abi_\w+_booleans\.known',
    'split_type': r'Comm_split_type\.type', 'lock_type': r'Win_lock\.type', 'datatype': r'.*\.type',
    'array_of_requests': r'.*\.requests', 'array_of_statuses': r'.*\.statuses', 'array_of_indices': r'.*\.indices',
    'outcount': r'.*\.done', 'incount': r'(Wait|Test|Request_get_status_)some\.count',
    'nneighbors': r'Graph_neighbors_count\.count', 'nkeys': r'Info_get_nkeys\.count',
    'n': r'(Group_\w+|Dist_graph_create)\.count|Info_get_nthkey\.index|Session_get_nth_pset\.index',
    'maxneighbors': r'Graph_neighbors\.most',
    'comm_cart': r'Cart_create\.newcomm', 'comm_graph': r'Graph_create\.newcomm',
    'comm_dist_graph': r'Dist_graph_\w+\.newcomm', 'comm_old': r'(Cart|Graph|Dist_graph)_create\w*\.comm',
    'local_comm': r'Intercomm_create\.comm', 'peer_comm': r'Intercomm_create\.peer',
    'newintercomm': r'Intercomm_create\w*\.newcomm',
    'intercomm': r'Intercomm_merge\.comm|Comm_(spawn\w*|join)\.newcomm',
    'newintracomm': r'Intercomm_merge\.newcomm',
    'comm': r'.*\.any_comm',
    'info_used': r'(Comm|File|Session|Win)_get_info\.info', 'hw_info': r'Get_hw_resource_info\.info',
    'rank_source': r'Cart_shift\.source', 'rank_dest': r'Cart_shift\.dest', 'newrank': r'(Cart|Graph)_map\.rank',
    'nnodes': r'.*\.nodes', 'nedges': r'Graphdims_get\.edges', 'remain_dims': r'.*\.remain',
    'maxindegree': r'.*\.maxin', 'maxoutdegree': r'.*\.maxout',
    'array_of_displacements': r'Type_(create_|h?indexed|struct).*\.displs', 'displacement': r'Type_[lu]b\.[lu]b',
    'array_of_blocklengths': r'.*\.blocklengths', 'array_of_types': r'.*\.types', 'array_of_sizes': r'.*\.sizes',
    'array_of_subsizes': r'.*\.subsizes', 'array_of_starts': r'.*\.starts', 'array_of_gsizes': r'.*\.gsizes',
    'array_of_distribs': r'.*\.distribs', 'array_of_dargs': r'.*\.dargs', 'array_of_psizes': r'.*\.psizes',
    'num_integers': r'Type_get_envelope\.integers', 'num_addresses': r'Type_get_envelope\.addresses',
    'num_large_counts': r'Type_get_envelope\.large_counts', 'array_of_large_counts': r'.*\.large_counts',
    'num_datatypes': r'Type_get_envelope\.datatypes', 'array_of_integers': r'.*\.integers',
    'array_of_addresses': r'.*\.addresses', 'array_of_datatypes': r'.*\.datatypes',
    'true_lb': r'Type_get_true_extent\w*\.lb', 'true_extent': r'Type_get_true_extent\w*\.extent',
    'r': r'.*\.range', 'p': r'.*\.precision',
    'comm_copy_attr_fn': r'Comm_create_keyval\.copy', 'comm_delete_attr_fn': r'Comm_create_keyval\.remove',
    'type_copy_attr_fn': r'Type_create_keyval\.copy', 'type_delete_attr_fn': r'Type_create_keyval\.remove',
    'copy_fn': r'Keyval_create\.copy', 'delete_fn': r'Keyval_create\.remove',
    'comm_keyval': r'Comm_\w*(attr|keyval)\w*\.key', 'type_keyval': r'Type_.*\.key', 'keyval': r'(Keyval|Attr)_.*\.key',
    'win_copy_attr_fn': r'Win_create_keyval\.copy', 'win_delete_attr_fn': r'Win_create_keyval\.remove',
    'win_keyval': r'Win_.*\.key', 'value_type': r'Type_get_value_index\.value', 'index_type': r'Type_get_value_index\.index',
    'pair_type': r'Type_get_value_index\.pair', 'attribute_val': r'(Comm|Type|Win|Attr)_.*\.value',
    'extra_state': r'.*\.extra',
    'user_fn': r'Op_create\.function', 'comm_errhandler_fn': r'Comm_create_errhandler\.function',
    'session_errhandler_fn': r'Session_create_errhandler\.function',
    'win_errhandler_fn': r'Win_create_errhandler\.function', 'file_errhandler_fn': r'File_create_errhandler\.function',
    'read_conversion_fn': r'.*\.read_conversion', 'write_conversion_fn': r'.*\.write_conversion',
    'dtype_file_extent_fn': r'Register_datarep\.extent',
    'errhandler': r'.*\.handler', 'error': r'Status_[gs]et_error\.code', 'errorcode': r'.*\.code', 'string': r'.*\.text',
    'query_fn': r'Grequest_start\.query', 'free_fn': r'Grequest_start\.release', 'cancel_fn': r'Grequest_start\.cancel',
    'inbuf': r'Reduce_local\.in', 'inoutbuf': r'Reduce_local\.inout', 'buffer': r'I?[Bb]cast(_init)?\.buf',
    'buffer_addr': r'\w*(Buffer_detach|detach_buffer)\.buffer',
    'baseptr': r'(Alloc_mem|Win_allocate|Win_allocate_shared|Win_shared_query)\.base',
    'comm_name': r'Comm_[sg]et_name\.name', 'type_name': r'Type_[sg]et_name\.name', 'win_name': r'Win_[sg]et_name\.name',
    'pset_name': r'\w+_pset(_info)?\.name', 'pset_len': r'Session_get_nth_pset\.length',
    'npset_names': r'Session_get_num_psets\.count', 'length': r'Pready_list\.length',
    'valuelen': r'Info_get(_valuelen)?\.length', 'buflen': r'Info_get_string\.length', 'resultlen': r'.*\.length',
    'array_of_partitions': r'Pready_list\.partitions', 'local_group': r'Intercomm_create_from_groups\.group',
    'remote_group': r'Intercomm_create_from_groups\.remote', 'local_leader': r'Intercomm_create_from_groups\.leader',
    'array_of_argv': r'Comm_spawn_multiple\.arguments', 'argv': r'.*\.arguments', 'array_of_commands': r'.*\.commands',
    'array_of_maxprocs': r'Comm_spawn_multiple\.processes', 'maxprocs': r'.*\.processes', 'array_of_info': r'.*\.infos',
    'array_of_errcodes': r'.*\.codes', 'port_name': r'.*\.port', 'service_name': r'.*\.service',
    'disp_unit': r'Win_\w+\.unit', 'assert': r'.*\.assertion', 'target_rank': r'.*\.target',
    'target_disp': r'(?!Cart_shift|Aint_add|File_).*\.disp',
    'origin_addr': r'.*\.origin', 'origin_count': r'.*\.origincount', 'origin_datatype': r'.*\.origintype',
    'result_addr': r'(?!\w+_compare).*\.result', 'result_count': r'.*\.resultcount', 'result_datatype': r'.*\.resulttype',
    'target_count': r'.*\.targetcount', 'target_datatype': r'.*\.targettype', 'compare_addr': r'.*\.compare',
}

# What a function does with a FUNCTION.PARAMETER, where its prototype does not tell. The default of what is not constant is
# `out`. Statuses and buffers have no intent, since MPI_STATUS_IGNORE or MPI_IN_PLACE may stand for them.
INTENTS = {
    'in': r'Group_range_\w+\.ranges|Cancel\.request|Free_mem\.base|Comm_spawn\w*\.(commands|arguments)',
    'inout': r'(\w+_free(_keyval)?|Comm_disconnect|File_close|Session_finalize|Type_commit)\.\w+|'
             r'(Wait|Test|Start)\w*\.requests?|I?[Mm]recv\.message|Status_set_\w+\.status|\w+\.position|'
             r'Dims_create\.dims|(Info_get_string|Session_get_nth_pset)\.length',
}

# Pointers that MPI gives; and functions whose mpi_f08 has a procedure of its own, since its arguments mean something else.
C_POINTERS = r'(Alloc_mem|Win_allocate|Win_allocate_shared|Win_shared_query)\.base|' \
             r'\w*(Buffer_detach|detach_buffer)\.buffer'
OWN_IN_F08 = {'Buffer_detach', 'Comm_detach_buffer', 'Session_detach_buffer'}

# The room that texts need which MPI gives.
ROOM = {'Get_library_version': 'MPI_MAX_LIBRARY_VERSION_STRING', 'Get_processor_name': 'MPI_MAX_PROCESSOR_NAME',
        'Type_get_name': 'MPI_MAX_OBJECT_NAME', 'Comm_get_name': 'MPI_MAX_OBJECT_NAME',
        'Win_get_name': 'MPI_MAX_OBJECT_NAME', 'Error_string': 'MPI_MAX_ERROR_STRING',
        'File_get_view': 'MPI_MAX_DATAREP_STRING', 'Session_get_nth_pset': 'MPI_MAX_PSET_NAME_LEN',
        'Open_port': 'MPI_MAX_PORT_NAME', 'Lookup_name': 'MPI_MAX_PORT_NAME', 'Info_get_nthkey': 'MPI_MAX_INFO_KEY'}

# What is done with a result: indices begin with 1 in Fortran, and types of MPI-1 have small addresses.
AFTER = {**dict.fromkeys(('Waitany', 'Testany', 'Request_get_status_any'), 'count_from_one(index);'),
         **dict.fromkeys(('Waitsome', 'Testsome', 'Request_get_status_some'), 'count_all_from_one(done, indices);'),
         **dict.fromkeys(('Type_hvector', 'Type_hindexed', 'Type_struct'),
                         'if (!error)\n        keep_small(c_newtype);')}

# Variables whose addresses mean something: one common block, whose address in each rank Weft knows. Their words, and
# what C has for them.
BLOCK = 'mpi_fortran_places'
PLACES = {'MPI_BOTTOM': '', 'MPI_IN_PLACE': '', 'MPI_STATUS_IGNORE': '(8)', 'MPI_STATUSES_IGNORE': '(8,1)',
          'MPI_ERRCODES_IGNORE': '(1)', 'MPI_UNWEIGHTED': '(1)', 'MPI_WEIGHTS_EMPTY': '(1)', 'MPI_BUFFER_AUTOMATIC': ''}

# Arguments of programs to be spawned, which MPI does not look at; in a common block of their own.
TEXTS_BLOCK = 'mpi_fortran_texts'
TEXTS = {'MPI_ARGV_NULL': '(1)', 'MPI_ARGVS_NULL': '(1,1)'}

KINDS = {'MPI_ADDRESS_KIND': 8, 'MPI_OFFSET_KIND': 8, 'MPI_COUNT_KIND': 8, 'MPI_INTEGER_KIND': 4}

# Constants of MPI_OFFSET_KIND.
OFFSETS = {'MPI_DISPLACEMENT_CURRENT': -1}

# Functions that programs pass to MPI, and Fortran's own.
PROVIDED = [prefix + name for prefix in ('', 'COMM_', 'TYPE_', 'WIN_')
            for name in ('NULL_COPY_FN', 'DUP_FN', 'NULL_DELETE_FN')]
PROVIDED.append('CONVERSION_FN_NULL')
ONLY_FORTRAN = ['F_sync_reg', 'Sizeof', 'Status_f2f08', 'Status_f082f'] + [name + '_f08' for name in sorted(OWN_IN_F08)]

# Comparisons of handles.
OPERATORS = {'==': 'eq', '/=': 'ne'}

# ---- reading mpi.h.in ----


@dataclass
class Parameter:
    type: str     # without const and stars
    pointer: bool
    array: bool
    const: bool
    name: str

    @property
    def is_function(self):
        return bool(re.search('function(_c)?$', self.type))


@dataclass
class Function:
    result: str
    prefix: str  # MPI_ or MPIX_
    name: str
    parameters: list
    old: bool = False  # a newer one replaces it

    @property
    def fortran(self):
        return self.prefix + self.name

    @property
    def large(self):
        """With large counts, which only mpi_f08 has: by the same name as the other."""
        return self.name.endswith('_c')

    @property
    def base(self):
        return self.name.removesuffix('_c')


def read_parameter(text):
    const, kind, stars, name, array = re.fullmatch(r'(const )?(\w+) (\**)(\w+)((?:\[\d?\])*)', text).groups()
    if const and stars and kind == 'int':  # what only goes in is a number by itself, or an array
        stars, array = '', '[]'
    return Parameter(kind, bool(stars), bool(array), bool(const), name)


def read_parameters(text):
    return [read_parameter(w) for w in text.split(', ') if w not in ('void', '...')]


def read_functions(header):
    for result, prefix, name, text, note in re.findall(
            r'^(int|double|MPI_\w+) (MPIX?_)(\w+)\((.*?)\);(.*)', header, re.M):
        if not NOT_IN_FORTRAN.match(name):
            old = name in SMALL or note.startswith(' /* MPI_')
            forms = [text, text]
            for mark, types in COUNT_TYPES.items():
                forms = [re.sub(rf'\b{mark} ', kind + ' ', form) for form, kind in zip(forms, types)]
            yield Function(result, prefix, name, read_parameters(forms[0]), old)
            if forms[0] != forms[1]:
                yield Function(result, prefix, name + '_c', read_parameters(forms[1]), old)


def read_callbacks(header):
    """Types of functions that programs provide."""
    for result, prefix, name, text in re.findall(r'^typedef (int|void) (MPI_)(\w+function(?:_c)?)\((.*)\);', header, re.M):
        yield Function(result, prefix, name, read_parameters(text))


def read_handles(header):
    return re.findall(r'^typedef struct \w+ \*(MPI_\w+);', header, re.M)


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
             'MPI_Aint': 'integer(kind=MPI_ADDRESS_KIND)', 'MPI_Offset': 'integer(kind=MPI_OFFSET_KIND)'}
    declared = 'logical' if p.name in LOGICAL else names[p.type]
    const = 'const ' if p.const or not (p.pointer or p.array) else ''
    if p.array:
        shape, behind = ('(3,*)', '[][3]') if p.name == 'ranges' else ('(*)', '[]')
        return Passing(declared, shape, f'{const}{p.type} {p.name}{behind}',
                       f'place({p.name})' if p.name in MAY_BE_A_PLACE else p.name)
    return Passing(declared, '', f'{const}{p.type} *{p.name}', p.name if p.pointer else '*' + p.name)


def passing(f, p):
    if p.is_function:
        return Passing('external', '', f'{p.type} *{p.name}', p.name)
    if p.type == 'char':
        return pass_text(f, p)
    if p.type == 'void' and p.name in ('value', 'extra'):
        return pass_word(f, p)
    if p.type == 'void':  # a target: the compiler must expect that MPI uses the buffer after the call
        return Passing('type(*), dimension(*), target', '', f'{"const " if p.const else ""}void *{p.name}',
                       f'place({p.name})', choice=True)
    if p.type == 'MPI_Status':
        shape = '(MPI_STATUS_SIZE,*)' if p.array else '(MPI_STATUS_SIZE)'
        return Passing('integer', shape, f'{"const " if p.const else ""}MPI_Status *{p.name}', f'place({p.name})')
    if p.type == 'MPI_Aint' and f.name in SMALL:
        return pass_small(f, p)
    if p.type in ('int', 'double', 'MPI_Aint', 'MPI_Count', 'MPI_Offset'):
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
    for name, value in OFFSETS.items():
        line('integer(kind=8) ' + name)
        line(f'parameter ({name}={value})')
    for name in ('MPI_SUBARRAYS_SUPPORTED', 'MPI_ASYNC_PROTECTS_NONBLOCKING'):
        line('logical ' + name)
        line(f'parameter ({name}=.false.)')
    for name, shape in PLACES.items():
        line(f'integer {name}{shape}')
        line(f'common /{BLOCK}/ {name}')
    for name, shape in TEXTS.items():
        line(f'character {name}{shape}')
        line(f'common /{TEXTS_BLOCK}/ {name}')
    for f in functions:
        if f.result != 'int':
            kind = 'double precision' if f.result == 'double' else 'integer(kind=8)'
            for name in (f.fortran, 'P' + f.fortran):
                line(f'{kind} {name}')
                line(f'external {name}')
    for name in PROVIDED:
        line(f'external MPI_{name}')


def match(patterns, f, p):
    """The key of the first pattern that fits a parameter."""
    return next((key for key, pattern in patterns.items() if re.fullmatch(pattern, f'{f.base}.{p.name}')), None)


def shown_name(f, p):
    return match(STANDARD_NAMES, f, p) or p.name


@dataclass
class Argument:
    name: str
    declared: str         # type and attributes
    shape: str = ''
    choice: bool = False  # of any type


def write_interface(name, arguments, kind='subroutine', result=''):
    print(f'  {kind} {name}({", ".join(a.name for a in arguments)})')
    print('    import')
    for a in arguments:
        if a.choice:
            print(f'    !GCC$ ATTRIBUTES NO_ARG_CHECK :: {a.name}')
        print(f'    {a.declared} :: {a.name}{a.shape}')
    if result:
        print(f'    {result} :: {name}')
    print(f'  end {kind.split()[-1]}')


def write_module(functions):
    print('module mpi')
    print("  use mpi_f08_types\n  implicit none\n  include 'mpif.h'")
    print('  interface')
    for f in functions:
        if f.result == 'int' and not f.large:
            arguments = [Argument(shown_name(f, p), w.declared, w.shape, w.choice) for p, w in passings(f)]
            if f.name != 'Pcontrol':
                arguments.append(Argument('ierror', 'integer'))
            write_interface(f.fortran, arguments)
            write_interface('P' + f.fortran, arguments)
    print('  end interface\nend module')


# ---- mpi_f08 ----

ERROR = Argument('ierror', 'integer, optional, intent(out)')


def write_types(handles):
    """What both modules have: a handle of mpi_f08 has the same number as that of mpi."""
    print('module mpi_f08_types\n  implicit none')
    for handle in handles:
        print(f'  type, bind(C) :: {handle}\n    integer :: MPI_VAL\n  end type')
    print('  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal(5)\n  end type')
    for operator, word in OPERATORS.items():
        print(f'  interface operator({operator})')
        for handle in handles:
            operands = [Argument(n, f'type({handle}), intent(in)') for n in 'xy']
            write_interface(f'{handle}_{word}', operands, 'elemental function', 'logical')
        print('  end interface')
    print('  interface')
    for prefix in ('', 'P'):
        for name, old, new in (('f2f08', 'in', 'out'), ('f082f', 'out', 'in')):
            statuses = [Argument('f_status', f'integer, intent({old})', '(8)'),
                        Argument('f08_status', f'type(MPI_Status), intent({new})')]
            write_interface(f'{prefix}MPI_Status_{name}', (statuses if old == 'in' else statuses[::-1]) + [ERROR])
        # A descriptor, which has the size of an element.
        print(f"""\
  subroutine {prefix}MPI_Sizeof(x, size, ierror) bind(C, name='{prefix.lower()}mpi_sizeof_')
    type(*), dimension(..) :: x
    integer, intent(out) :: size
    integer, optional, intent(out) :: ierror
  end subroutine""")
    print('  end interface\nend module')


def write_f08_constants(header, handles):
    types = dict(re.findall(r'^#define (MPI_\w+)\s+\(?\(?(MPI_\w+)', header, re.M))  # or another name of the same
    for name, value in [*KINDS.items(), *fortran_constants(header)]:
        kind = types.get(name)
        kind = types.get(kind, kind)
        if kind in handles:
            print(f'  type({kind}), parameter :: {name} = {kind}({value})')
        else:
            print(f'  integer, parameter :: {name} = {value}')
    for name, value in OFFSETS.items():
        print(f'  integer(kind=MPI_OFFSET_KIND), parameter :: {name} = {value}')
    print('  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false., MPI_ASYNC_PROTECTS_NONBLOCKING = .false.')
    for name, shape in PLACES.items():
        if 'STATUS' in name:
            print(f'  type(MPI_Status) :: {name}{shape.replace("8,", "").replace("(8)", "")}')
        else:
            print(f'  integer :: {name}{shape}')
        print(f'  common /{BLOCK}/ {name}')
    for name, shape in TEXTS.items():
        print(f'  character :: {name}{shape}\n  common /{TEXTS_BLOCK}/ {name}')


def intent(f, p):
    if p.is_function or (p.type in ('void', 'MPI_Status') and not p.const):
        return match(INTENTS, f, p)
    return match(INTENTS, f, p) or ('in' if p.const or not (p.pointer or p.array) else 'out')


def f08_argument(f, p, way, handles):
    declared, shape, choice = way.declared, way.shape, way.choice
    how = intent(f, p)
    if p.is_function:
        declared = f'procedure({p.type})'
    elif p.type == 'MPI_Status':
        declared, shape = 'type(MPI_Status)', '(*)' if p.array else ''
    elif p.type in handles:
        declared = f'type({p.type})'
    elif re.fullmatch(C_POINTERS, f'{f.base}.{p.name}'):
        declared, shape, choice, how = 'type(c_ptr)', '', False, 'out'
    elif p.type == 'void' and not choice:  # the value of an attribute
        how = 'out' if f.name.endswith('get_attr') and p.name == 'value' else 'in'
    return Argument(shown_name(f, p), declared + (f', intent({how})' if how else ''), shape, choice)


def write_f08_function(f, arguments, generic):
    for prefix in (f.prefix, 'P' + f.prefix):
        print(f'  interface {prefix + f.base if generic else ""}')
        if f.result != 'int':
            result = 'double precision' if f.result == 'double' else 'integer(kind=MPI_ADDRESS_KIND)'
            write_interface(prefix + f.name, arguments, 'function', result)
        else:
            own = '_f08' if f.name in OWN_IN_F08 else ''
            write_interface(prefix + f.name + own, arguments + ([ERROR] if f.name != 'Pcontrol' else []))
        print('  end interface')


def write_f08_functions(functions, handles):
    """Two forms of a function have one name, unless they differ in the types of procedures only. Others are not generic:
    a compiler then takes an element of an array for the array from there on, as old programs do."""
    arguments = {f.name: [f08_argument(f, p, way, handles) for p, way in passings(f)] for f in functions}
    declared = {name: [a.declared.replace('COUNT', 'ADDRESS') for a in those] for name, those in arguments.items()}
    kept = [f for f in functions if not f.large or declared[f.name] != declared[f.base]]  # counts are as long as addresses
    values = {name: [d for d in those if not d.startswith('procedure')] for name, those in declared.items()}
    generic = {f.base for f in kept if f.large and values[f.name] != values[f.base]} | OWN_IN_F08
    for f in kept:
        write_f08_function(f, arguments[f.name], f.base in generic)


def callback_argument(f, p, handles):
    if p.type == 'void':
        word = p.name in ('extra', 'value', 'from', 'to')
        declared = 'integer(kind=MPI_ADDRESS_KIND)' if word else 'type(c_ptr), value'
    elif p.type == 'MPI_Status' or p.type in handles:
        declared = f'type({p.type})'
    else:
        declared = pass_number(f, p).declared
    return Argument(shown_name(f, p), declared)


def write_f08(header, functions, handles):
    functions = [f for f in functions if not f.old]
    used = {p.type for f in functions for p in f.parameters}
    print('module mpi_f08')
    print('  use mpi_f08_types\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n  private :: c_ptr')
    write_f08_constants(header, handles)
    print('  abstract interface')
    for f in read_callbacks(header):
        if f.fortran in used:
            error = [Argument('ierror', 'integer')] if f.result == 'int' else []
            write_interface(f.fortran, [callback_argument(f, p, handles) for p in f.parameters] + error)
    print('  end interface')
    for name, kind in re.findall(r'^#define (MPI_\w+_FN)\s+\(\((MPI_\w+) \*\)', header, re.M):
        if kind in used:
            print(f'  procedure({kind}) :: {name}')
    write_f08_functions(functions, handles)
    print('  interface')
    write_interface('MPI_F_sync_reg', [Argument('buf', 'type(*), dimension(*), target', choice=True)])
    print('  end interface\nend module')


def write_modules(header, functions):
    handles = read_handles(header)
    print('! MPI for Fortran: made from mpi.h.in.')
    write_types(handles)
    write_module(functions)
    write_f08(header, functions, handles)


def write_wrapper(f):
    ways = [way for p, way in passings(f)]
    results = ['int *ierror'] if f.result == 'int' else []
    parameters = [w.parameter for w in ways] + results + [w.hidden for w in ways if w.hidden]
    arguments = [GONE[p.name] if p.pointer else '0' for p in f.parameters if p.name in GONE] + [w.argument for w in ways]
    call = f'call_{f.name}({", ".join(arguments)})'
    print(f'static {"void" if results else f.result} fortran_{f.name}({", ".join(parameters) or "void"})\n{{')
    lines = [w.before for w in ways] + [f'int error = {call};' if results else f'return {call};']
    lines += [w.after for w in ways] + [AFTER.get(f.name, ''), 'give_error(ierror, error);' if results else '']
    print('\n'.join('    ' + line for line in lines if line))
    print('}\n')


def words(shape):
    """How many a variable of this shape has."""
    return eval(shape.strip('()').replace(',', '*') or '1')


def own_names(header):
    """Procedures of Fortran alone, and the functions that do their work."""
    operators = [(f'{h}_{w}', 'Handle_' + w) for h in read_handles(header) for w in OPERATORS.values()]
    return [('MPI_' + name, name) for name in PROVIDED + ONLY_FORTRAN] + operators


def write_wrappers(header, functions):
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
    names = [(f.fortran, f.name) for f in functions] + own_names(header)
    print('static const struct {\n    const char *name;\n    void (*function)(void);\n} functions[] = {')
    for name, wrapper in names:
        print(f'    {{"{name.lower()}_", (void (*)(void))fortran_{wrapper}}},')
    print('};')


def write_stubs(header, functions):
    print('/* Made by fortran.py. */')
    print(f'int {BLOCK}_[{sum(words(shape) for shape in PLACES.values())}];')
    names = [f.fortran for f in functions] + [name for name, wrapper in own_names(header)]
    print('int PMPI_Init(void); /* which says how to run a program */')
    for name in names:
        lower = name.lower() + '_'
        print(f'int p{lower}(void) {{ return PMPI_Init(); }}')
        print(f'int {lower}(void) __attribute__((weak, alias("p{lower}")));')


def main():
    with open(sys.argv[2], encoding='ascii') as file:
        header = file.read()
    functions = list(read_functions(header))
    {'header': write_header, 'modules': write_modules, 'wrappers': write_wrappers,
     'stubs': write_stubs}[sys.argv[1]](header, functions)


main()
