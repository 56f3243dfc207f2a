! Grids and graphs: logical arrays, weights, exchanges with neighbours.
include 'check.inc'

program topologies
  use check
  implicit none
  integer :: dims(2), coords(2), cart, row, n, i, low, high, kind, degrees(2), from(2), to(2), weights(2)
  integer :: index(1000), edges(2000), graph, here, got(4), counts(4), types(4)
  integer(kind=MPI_ADDRESS_KIND) :: displs(4)
  logical :: periods(2), wraps(2), flag
  call begin()

  dims = 0
  call MPI_Dims_create(size, 2, dims, ierr)
  call expect('dims', size, dims(1) * dims(2))
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart, ierr)
  call MPI_Topo_test(cart, kind, ierr)
  call expect('kind', MPI_CART, kind)
  wraps = .false.
  call MPI_Cart_get(cart, 2, dims, wraps, coords, ierr)
  call expect_true('periods', wraps(1) .and. .not. wraps(2))
  call MPI_Cart_rank(cart, coords, n, ierr)
  call expect('rank at coordinates', rank, n)
  call expect('order of dimensions', rank, coords(1) * dims(2) + coords(2))
  call MPI_Cart_shift(cart, 1, 1, low, high, ierr)
  call expect('end of the grid', merge(MPI_PROC_NULL, rank + 1, coords(2) == dims(2) - 1), high)
  call MPI_Cart_sub(cart, [.false., .true.], row, ierr)
  call MPI_Comm_size(row, n, ierr)
  call expect('row', dims(2), n)
  call MPI_Cartdim_get(row, n, ierr)
  call expect('its dimensions', 1, n)
  got = -1
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, cart, ierr)
  call MPI_Cart_shift(cart, 0, 1, low, high, ierr)
  call expect('below', low, got(1))
  call expect('above', high, got(2))
  counts = 1
  types = MPI_INTEGER
  displs = [0, 4, 8, 12]
  got = -1
  call MPI_Neighbor_alltoallw([rank, rank, rank, rank], counts, displs, types, got, counts, displs, types, cart, ierr)
  call expect('exchanged below', low, got(1))
  call MPI_Comm_free(row, ierr)
  call MPI_Comm_free(cart, ierr)

  ! A ring, as a graph and by each one's edges.
  if (size <= 1000) then
    index(:size) = [(2 * i, i = 1, size)]
    edges(:2 * size) = [(mod(i + size - 1, size), mod(i + 1, size), i = 0, size - 1)]
    call MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, .false., graph, ierr)
    call MPI_Graph_neighbors_count(graph, rank, n, ierr)
    call expect('neighbours', 2, n)
    call MPI_Graph_neighbors(graph, rank, 2, to, ierr)
    call expect('next', mod(rank + 1, size), to(2))
    call MPI_Comm_free(graph, ierr)
  end if
  from = mod(rank + size - 1, size)
  to = mod(rank + 1, size)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors_count(graph, degrees(1), degrees(2), flag, ierr)
  call expect_true('no weights', .not. flag .and. all(degrees == 1))
  here = -1
  call MPI_Neighbor_alltoall(rank, 1, MPI_INTEGER, here, 1, MPI_INTEGER, graph, ierr)
  call expect('from before', from(1), here)
  call MPI_Comm_free(graph, ierr)
  weights = rank
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, from, 1, to, weights, MPI_INFO_NULL, .false., graph, ierr)
  call MPI_Dist_graph_neighbors(graph, 1, from, weights, 1, to, got, ierr)
  call expect('weight', from(1), weights(1))
  call MPI_Comm_free(graph, ierr)
  call finish('topologies')
end program
