! The Data Reorganization Interface in Fortran. wi4go's mpifort compiles this module at first use, with the compiler at hand,
! as it does mpi_f08. Link with -ldri. dri.h documents the functions: names, arguments and results are C's, so each function
! returns DRI_SUCCESS or a class of error. These differences remain:
!
!   MPI's types and communicators are mpi_f08's; with `use mpi`, write MPI_Datatype(MPI_REAL).
!   A name ends in c_null_char. DRI_init has no arguments.
!   A buffer is an address (c_loc). The library allocates one for c_null_ptr, and c_f_pointer makes an array of it.
!   DRI_error_string and DRI_xfer_query fill in a character variable, whose length is the next argument.
!   Arguments that may be NULL in C are optional.
!
! Dimensions, processes and elements are numbered from 0, as in C. In DRI_LAYOUT_PACKED_01 dimension 0 is the fastest, as the
! first dimension of an array in Fortran.
!
! The module has no code of its own, so nothing of it is linked into a program.
!
! Gives: the types, constants and functions of dri.h.
! Needs: wi4go_mpi_types.
module dri_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_funptr, c_int, c_int64_t, c_char
  use wi4go_mpi_types, only: MPI_Datatype, MPI_Comm
  implicit none
  private :: c_ptr, c_null_ptr, c_funptr, c_int, c_int64_t, c_char, MPI_Datatype, MPI_Comm

  integer(c_int), parameter :: DRI_MAX_DIMS = 16, DRI_MAX_NAME = 255, DRI_MAX_PARTNERS = 64
  integer(c_int), parameter :: DRI_SOURCE = 1, DRI_DESTINATION = 2
  integer(c_int), parameter :: DRI_SUCCESS = 0, DRI_ERR_ARG = 1, DRI_ERR_HANDLE = 2, DRI_ERR_DIMS = 3
  integer(c_int), parameter :: DRI_ERR_RANGE = 4, DRI_ERR_CONSTRAINT = 5, DRI_ERR_OWNED_TWICE = 6, DRI_ERR_NOT_OWNED = 7
  integer(c_int), parameter :: DRI_ERR_GROUP = 8, DRI_ERR_MISMATCH = 9, DRI_ERR_NAME = 10, DRI_ERR_ROLE = 11
  integer(c_int), parameter :: DRI_ERR_LAYOUT = 12, DRI_ERR_BUFFER = 13, DRI_ERR_NOMEM = 14, DRI_ERR_STATE = 15
  integer(c_int), parameter :: DRI_ERR_TIMEOUT = 16, DRI_ERR_MPI = 17, DRI_ERR_LAST = 18
  integer(c_int), parameter :: DRI_WHOLE = 0, DRI_BLOCK = 1, DRI_CYCLIC = 2
  integer(c_int), parameter :: DRI_EDGE_TRUNCATE = 0, DRI_EDGE_WRAP = 1, DRI_EDGE_ZERO = 2, DRI_EDGE_COPY = 3

  type, bind(C) :: DRI_gdo
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_part
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_group
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_dist
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_layout
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_xfer
    type(c_ptr) :: address = c_null_ptr
  end type
  type, bind(C) :: DRI_part_tuple
    integer(c_int64_t) :: left_v, left_x, right_x, right_v
  end type
  type, bind(C) :: DRI_part_rule
    integer(c_int) :: kind = DRI_WHOLE
    integer(c_int64_t) :: min = 0, max = 0, block = 0, left_v = 0, right_v = 0
    integer(c_int) :: edge = DRI_EDGE_TRUNCATE
  end type

  type(DRI_layout), bind(C, name="dri_f08_packed_0"), protected :: DRI_LAYOUT_PACKED_0
  type(DRI_layout), bind(C, name="dri_f08_packed_01"), protected :: DRI_LAYOUT_PACKED_01
  type(DRI_layout), bind(C, name="dri_f08_packed_10"), protected :: DRI_LAYOUT_PACKED_10
  type(DRI_layout), bind(C, name="dri_f08_packed_012"), protected :: DRI_LAYOUT_PACKED_012
  type(DRI_layout), bind(C, name="dri_f08_packed_021"), protected :: DRI_LAYOUT_PACKED_021
  type(DRI_layout), bind(C, name="dri_f08_packed_102"), protected :: DRI_LAYOUT_PACKED_102
  type(DRI_layout), bind(C, name="dri_f08_packed_120"), protected :: DRI_LAYOUT_PACKED_120
  type(DRI_layout), bind(C, name="dri_f08_packed_201"), protected :: DRI_LAYOUT_PACKED_201
  type(DRI_layout), bind(C, name="dri_f08_packed_210"), protected :: DRI_LAYOUT_PACKED_210

  interface
    integer(c_int) function DRI_init() bind(C, name="dri_f08_init")
      import :: c_int
    end function
    integer(c_int) function DRI_init_comm(comm) bind(C, name="dri_f08_init_comm")
      import :: c_int, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
    end function
    integer(c_int) function DRI_initialized(flag) bind(C, name="DRI_initialized")
      import :: c_int
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function DRI_finalize() bind(C, name="DRI_finalize")
      import :: c_int
    end function
    subroutine DRI_error_string(error, string, length) bind(C, name="dri_f08_error_string")
      import :: c_char, c_int
      integer(c_int), value :: error
      character(kind=c_char), intent(out) :: string(*)
      integer(c_int), value :: length
    end subroutine
    integer(c_int) function DRI_gdo_create(n, type, sizes, gdo) bind(C, name="dri_f08_gdo_create")
      import :: c_int, c_int64_t, DRI_gdo, MPI_Datatype
      integer(c_int), value :: n
      type(MPI_Datatype), intent(in) :: type
      integer(c_int64_t), intent(in) :: sizes(*)
      type(DRI_gdo), intent(out) :: gdo
    end function
    integer(c_int) function DRI_gdo_sub(of, lo, hi, gdo) bind(C, name="DRI_gdo_sub")
      import :: c_int, c_int64_t, DRI_gdo
      type(DRI_gdo), value :: of
      integer(c_int64_t), intent(in) :: lo(*)
      integer(c_int64_t), intent(in) :: hi(*)
      type(DRI_gdo), intent(out) :: gdo
    end function
    integer(c_int) function DRI_part_create(n, tuples, part) bind(C, name="DRI_part_create")
      import :: c_int, DRI_part, DRI_part_tuple
      integer(c_int), value :: n
      type(DRI_part_tuple), intent(in) :: tuples(*)
      type(DRI_part), intent(out) :: part
    end function
    integer(c_int) function DRI_group_create(n, procs, group) bind(C, name="DRI_group_create")
      import :: c_int, DRI_group
      integer(c_int), value :: n
      integer(c_int), intent(in) :: procs(*)
      type(DRI_group), intent(out) :: group
    end function
    integer(c_int) function DRI_dist_create(gdo, part, group, dist) bind(C, name="DRI_dist_create")
      import :: c_int, DRI_dist, DRI_gdo, DRI_group, DRI_part
      type(DRI_gdo), value :: gdo
      type(DRI_part), value :: part
      type(DRI_group), value :: group
      type(DRI_dist), intent(out) :: dist
    end function
    integer(c_int) function DRI_layout_create(n, strides, layout) bind(C, name="DRI_layout_create")
      import :: c_int, c_int64_t, DRI_layout
      integer(c_int), value :: n
      integer(c_int64_t), intent(in) :: strides(*)
      type(DRI_layout), intent(out) :: layout
    end function
    integer(c_int) function DRI_layout_packed(n, order, layout) bind(C, name="DRI_layout_packed")
      import :: c_int, DRI_layout
      integer(c_int), value :: n
      integer(c_int), intent(in) :: order(*)
      type(DRI_layout), intent(out) :: layout
    end function
    integer(c_int) function DRI_part_rules(gdo, group, grid, rules, part) bind(C, name="DRI_part_rules")
      import :: c_int, DRI_gdo, DRI_group, DRI_part, DRI_part_rule
      type(DRI_gdo), value :: gdo
      type(DRI_group), value :: group
      integer(c_int), intent(in), optional :: grid(*)
      type(DRI_part_rule), intent(in) :: rules(*)
      type(DRI_part), intent(out) :: part
    end function
    integer(c_int) function DRI_part_default(gdo, group, part) bind(C, name="DRI_part_default")
      import :: c_int, DRI_gdo, DRI_group, DRI_part
      type(DRI_gdo), value :: gdo
      type(DRI_group), value :: group
      type(DRI_part), intent(out) :: part
    end function
    integer(c_int) function DRI_part_scale(part, from, to, scaled) bind(C, name="DRI_part_scale")
      import :: c_int, DRI_gdo, DRI_part
      type(DRI_part), value :: part
      type(DRI_gdo), value :: from
      type(DRI_gdo), value :: to
      type(DRI_part), intent(out) :: scaled
    end function
    integer(c_int) function DRI_part_swap(part, a, b, swapped) bind(C, name="DRI_part_swap")
      import :: c_int, DRI_part
      type(DRI_part), value :: part
      integer(c_int), value :: a
      integer(c_int), value :: b
      type(DRI_part), intent(out) :: swapped
    end function
    integer(c_int) function DRI_part_widen(part, left_v, right_v, edges, widened) bind(C, name="DRI_part_widen")
      import :: c_int, c_int64_t, DRI_part
      type(DRI_part), value :: part
      integer(c_int64_t), intent(in), optional :: left_v(*)
      integer(c_int64_t), intent(in), optional :: right_v(*)
      integer(c_int), intent(in), optional :: edges(*)
      type(DRI_part), intent(out) :: widened
    end function
    integer(c_int) function DRI_part_regrid(part, gdo, group, grid, regridded) bind(C, name="DRI_part_regrid")
      import :: c_int, DRI_gdo, DRI_group, DRI_part
      type(DRI_part), value :: part
      type(DRI_gdo), value :: gdo
      type(DRI_group), value :: group
      integer(c_int), intent(in), optional :: grid(*)
      type(DRI_part), intent(out) :: regridded
    end function
    integer(c_int) function DRI_group_subset(of, n, members, subset) bind(C, name="DRI_group_subset")
      import :: c_int, DRI_group
      type(DRI_group), value :: of
      integer(c_int), value :: n
      integer(c_int), intent(in) :: members(*)
      type(DRI_group), intent(out) :: subset
    end function
    integer(c_int) function DRI_group_filter(of, keep, state, kept) bind(C, name="DRI_group_filter")
      import :: c_funptr, c_int, c_ptr, DRI_group
      type(DRI_group), value :: of
      type(c_funptr), value :: keep
      type(c_ptr), value :: state
      type(DRI_group), intent(out) :: kept
    end function
    integer(c_int) function DRI_group_split(of, n, sizes, groups) bind(C, name="DRI_group_split")
      import :: c_int, DRI_group
      type(DRI_group), value :: of
      integer(c_int), value :: n
      integer(c_int), intent(in), optional :: sizes(*)
      type(DRI_group), intent(inout) :: groups(*)
    end function
    integer(c_int) function DRI_xfer_create(name, role, dist, layout, n_buffs, buffs, xfer) &
      bind(C, name="DRI_xfer_create")
      import :: c_char, c_int, c_ptr, DRI_dist, DRI_layout, DRI_xfer
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: role
      type(DRI_dist), value :: dist
      type(DRI_layout), value :: layout
      integer(c_int), value :: n_buffs
      type(c_ptr), intent(inout) :: buffs(*)
      type(DRI_xfer), intent(out) :: xfer
    end function
    integer(c_int) function DRI_xfer_create_clique(name, src, src_layout, n_src, src_buffs, dst, dst_layout, &
      n_dst, dst_buffs, xfer) &
      bind(C, name="DRI_xfer_create_clique")
      import :: c_char, c_int, c_ptr, DRI_dist, DRI_layout, DRI_xfer
      character(kind=c_char), intent(in) :: name(*)
      type(DRI_dist), value :: src
      type(DRI_layout), value :: src_layout
      integer(c_int), value :: n_src
      type(c_ptr), intent(inout) :: src_buffs(*)
      type(DRI_dist), value :: dst
      type(DRI_layout), value :: dst_layout
      integer(c_int), value :: n_dst
      type(c_ptr), intent(inout) :: dst_buffs(*)
      type(DRI_xfer), intent(out) :: xfer
    end function
    integer(c_int) function DRI_xfer_register(name, role, dist, layout, n_buffs, buffs, xfer) &
      bind(C, name="DRI_xfer_register")
      import :: c_char, c_int, c_ptr, DRI_dist, DRI_layout, DRI_xfer
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: role
      type(DRI_dist), value :: dist
      type(DRI_layout), value :: layout
      integer(c_int), value :: n_buffs
      type(c_ptr), intent(inout) :: buffs(*)
      type(DRI_xfer), intent(out) :: xfer
    end function
    integer(c_int) function DRI_xfer_partners(xfer, n) bind(C, name="DRI_xfer_partners")
      import :: c_int, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), value :: n
    end function
    integer(c_int) function DRI_xfer_commit(n, xfers) bind(C, name="DRI_xfer_commit")
      import :: c_int, DRI_xfer
      integer(c_int), value :: n
      type(DRI_xfer), intent(in) :: xfers(*)
    end function
    integer(c_int) function DRI_do(name, xfer) bind(C, name="DRI_do")
      import :: c_char, c_int, DRI_xfer
      character(kind=c_char), intent(in), optional :: name(*)
      type(DRI_xfer), value :: xfer
    end function
    integer(c_int) function DRI_start(xfer) bind(C, name="DRI_start")
      import :: c_int, DRI_xfer
      type(DRI_xfer), value :: xfer
    end function
    integer(c_int) function DRI_test(xfer, done) bind(C, name="DRI_test")
      import :: c_int, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), intent(out) :: done
    end function
    integer(c_int) function DRI_wait(xfer) bind(C, name="DRI_wait")
      import :: c_int, DRI_xfer
      type(DRI_xfer), value :: xfer
    end function
    integer(c_int) function DRI_acquire(xfer, role, buf, index) bind(C, name="DRI_acquire")
      import :: c_int, c_ptr, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), value :: role
      type(c_ptr), intent(out), optional :: buf
      integer(c_int), intent(out), optional :: index
    end function
    integer(c_int) function DRI_release(xfer, role) bind(C, name="DRI_release")
      import :: c_int, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), value :: role
    end function
    integer(c_int) function DRI_xfer_rebase(xfer, offset) bind(C, name="DRI_xfer_rebase")
      import :: c_int, c_int64_t, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int64_t), value :: offset
    end function
    integer(c_int) function DRI_xfer_rebase_end(xfer, role, offset) bind(C, name="DRI_xfer_rebase_end")
      import :: c_int, c_int64_t, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), value :: role
      integer(c_int64_t), value :: offset
    end function
    integer(c_int) function DRI_gdo_query(gdo, n, type, sizes) bind(C, name="dri_f08_gdo_query")
      import :: c_int, c_int64_t, DRI_gdo, MPI_Datatype
      type(DRI_gdo), value :: gdo
      integer(c_int), intent(out), optional :: n
      type(MPI_Datatype), intent(out), optional :: type
      integer(c_int64_t), intent(out), optional :: sizes(*)
    end function
    integer(c_int) function DRI_part_query(part, n, n_blocks, block, tuples) bind(C, name="DRI_part_query")
      import :: c_int, DRI_part, DRI_part_tuple
      type(DRI_part), value :: part
      integer(c_int), intent(out), optional :: n
      integer(c_int), intent(out), optional :: n_blocks
      integer(c_int), value :: block
      type(DRI_part_tuple), intent(out), optional :: tuples(*)
    end function
    integer(c_int) function DRI_group_query(group, n, procs) bind(C, name="DRI_group_query")
      import :: c_int, DRI_group
      type(DRI_group), value :: group
      integer(c_int), intent(out), optional :: n
      integer(c_int), intent(out), optional :: procs(*)
    end function
    integer(c_int) function DRI_layout_query(layout, n, strides, order) bind(C, name="DRI_layout_query")
      import :: c_int, c_int64_t, DRI_layout
      type(DRI_layout), value :: layout
      integer(c_int), intent(out), optional :: n
      integer(c_int64_t), intent(out), optional :: strides(*)
      integer(c_int), intent(out), optional :: order(*)
    end function
    integer(c_int) function DRI_dist_query(dist, rank, n_blocks, block, tuples) bind(C, name="DRI_dist_query")
      import :: c_int, DRI_dist, DRI_part_tuple
      type(DRI_dist), value :: dist
      integer(c_int), value :: rank
      integer(c_int), intent(out), optional :: n_blocks
      integer(c_int), value :: block
      type(DRI_part_tuple), intent(out), optional :: tuples(*)
    end function
    integer(c_int) function DRI_dist_bytes(dist, layout, bytes) bind(C, name="DRI_dist_bytes")
      import :: c_int, c_int64_t, DRI_dist, DRI_layout
      type(DRI_dist), value :: dist
      type(DRI_layout), value :: layout
      integer(c_int64_t), intent(out) :: bytes
    end function
    integer(c_int) function DRI_xfer_query(xfer, role, n_buffs, next, bytes, method, length) &
      bind(C, name="dri_f08_xfer_query")
      import :: c_char, c_int, c_int64_t, DRI_xfer
      type(DRI_xfer), value :: xfer
      integer(c_int), intent(inout), optional :: role
      integer(c_int), intent(out), optional :: n_buffs
      integer(c_int), intent(out), optional :: next
      integer(c_int64_t), intent(out), optional :: bytes
      character(kind=c_char), intent(out), optional :: method(*)
      integer(c_int), value :: length
    end function
    integer(c_int) function DRI_gdo_destroy(gdo) bind(C, name="DRI_gdo_destroy")
      import :: c_int, DRI_gdo
      type(DRI_gdo), intent(inout) :: gdo
    end function
    integer(c_int) function DRI_part_destroy(part) bind(C, name="DRI_part_destroy")
      import :: c_int, DRI_part
      type(DRI_part), intent(inout) :: part
    end function
    integer(c_int) function DRI_group_destroy(group) bind(C, name="DRI_group_destroy")
      import :: c_int, DRI_group
      type(DRI_group), intent(inout) :: group
    end function
    integer(c_int) function DRI_dist_destroy(dist) bind(C, name="DRI_dist_destroy")
      import :: c_int, DRI_dist
      type(DRI_dist), intent(inout) :: dist
    end function
    integer(c_int) function DRI_layout_destroy(layout) bind(C, name="DRI_layout_destroy")
      import :: c_int, DRI_layout
      type(DRI_layout), intent(inout) :: layout
    end function
    integer(c_int) function DRI_xfer_destroy(xfer) bind(C, name="DRI_xfer_destroy")
      import :: c_int, DRI_xfer
      type(DRI_xfer), intent(inout) :: xfer
    end function
  end interface
end module
