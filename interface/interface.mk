# The MPI to compile with: headers, link names, wrappers, static library.

WRAPPER_NAMES := mpicc mpicxx mpic++ mpiCC mpiexec mpirun mpifort mpif77 mpif90
HEADERS       := mpi.h mpif.h
MODULES       := wi4go_mpi_types.f90 mpi.f90 mpi_f08.F90 # sources, which mpifort compiles

wrappers: $(WRAPPER_NAMES:%=$(B)/bin/%)
$(WRAPPER_NAMES:%=$(B)/bin/%): $(B)/bin/%: | $(MPI)/bin/%
	$(call making,LN) ln -sfn ../lib/wi4go/mpi/bin/$* $@
$(WRAPPER_NAMES:%=$(MPI)/bin/%): | $(COMMAND)
	$(call making,LN) ln -sfn ../../../../bin/wi4go $@

$(HEADERS:%=$(MPI)/include/%): $(MPI)/include/%: $(B)/gen/$(STANDARD)/%
	$(call making,CP) install -m 644 $< $@
$(MPI)/include/bigmpi.h: $(B)/gen/bigmpi/bigmpi.h
	$(call making,CP) install -m 644 $< $@
$(MODULES:%=$(MPI)/include/modules/%): $(MPI)/include/modules/%: $(B)/gen/$(STANDARD)/%
	$(call making,CP) install -m 644 $< $@

$(MPI)/lib/libmpi_abi.so.1: $(B)/lib/wi4go/$(STANDARD)/libmpi_abi.so.1
	$(call making,LN) ln -sfn ../../$(STANDARD)/$(@F) $@
$(MPI)/lib/libmpi.so $(MPI)/lib/libmpi_abi.so: | $(MPI)/lib/libmpi_abi.so.1
	$(call making,LN) ln -sfn libmpi_abi.so.1 $@
$(MPI)/lib/libwi4go_fortran.so: | $(MPI)/lib/libwi4go_fortran.so.1
	$(call making,LN) ln -sfn libwi4go_fortran.so.1 $@
$(MPI)/lib/libbigmpi.so: $(B)/gen/bigmpi/bigmpi.c $(MPI)/include/mpi.h $(MPI)/include/bigmpi.h | $(MPI)/lib/libmpi_abi.so.1
	$(call making,LINK) $(CC) $(CFLAGS) $(WARN) -fPIC -I$(MPI)/include -o $@ $< $| $(SHARED) -Wl,-soname,libbigmpi.so,-rpath,'$$ORIGIN'

# The symbols of a program that dlsym has to find (shim/front/loader_lock.c).
$(MPI)/lib/libmpi_abi.list: interface/libmpi_abi.list
	$(call making,CP) cp $< $@

$(MPI)/lib/pkgconfig/mpi.pc: interface/mpi.pc shim/front/version.h
	$(call making,SED) sed 's/@VERSION@/$(VERSION)/' $< > $@
$(MPI)/lib/pkgconfig/wi4go.pc: | $(MPI)/lib/pkgconfig/mpi.pc
	$(call making,LN) ln -sf mpi.pc $@

# Meson looks for Open MPI's .pc files before it tries the wrappers, so wi4go has files of these names, with the
# version of the MPI standard. The file for Fortran requires a missing package, because only mpifort finds the
# modules: Meson then takes mpifort.
OMPI_PC := $(addprefix $(MPI)/lib/pkgconfig/,ompi-c.pc ompi-cxx.pc ompi-fort.pc)
standard_version = $(shell sed -n 's/^.define MPI_VERSION //p' $(MPI)/include/mpi.h).$(shell sed -n 's/^.define MPI_SUBVERSION //p' $(MPI)/include/mpi.h)
$(OMPI_PC): $(MPI)/lib/pkgconfig/mpi.pc $(MPI)/include/mpi.h
	$(call making,SED) sed 's/^Version:.*/Version: $(standard_version)/$(if $(findstring fort,$@),;$$aRequires: wi4go-has-mpifort-only)' $< > $@

interface: $(OMPI_PC) $$(LINKED) $(addprefix $(MPI)/include/,$(HEADERS) bigmpi.h $(MODULES:%=modules/%) modules/dri_f08.f90) $(WRAPPER_NAMES:%=$(MPI)/bin/%) \
	$(addprefix $(MPI)/lib/,libmpi.so libmpi_abi.so libmpi_abi.a libmpi_abi.list libbigmpi.so libwi4go_fortran.so libwi4go_fortran.so.1 libwi4go_fortran.a pkgconfig/mpi.pc pkgconfig/wi4go.pc)
