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

# For -static-mpi: the front, the core and the embedded MPI are one object, so that the linker cannot
# take one without the others.
STATIC_OBJECTS := $(B)/obj/static/static_core.o $(B)/obj/static/image.o
OBJECTS        += $(B)/obj/static/static_core.o
$(B)/obj/static/static_core.o: shim/front/static_core.c
	$(FRONT_CC)
$(B)/obj/static/image.o: shim/front/static_core.S $(CORE) $$(EMBEDDED_STRIPPED)
	$(call making,AS) $(CC) -DWI4GO_CORE='"$(CORE)"' -DWI4GO_EMBEDDED='"$(EMBEDDED_STRIPPED)"' -c -o $@ $<
$(MPI)/lib/libmpi_abi.a: $$(OBJECTS_$(STANDARD)) $(STATIC_OBJECTS)
	$(call making,AR) $(CC) -nostdlib -r -o $(B)/obj/static/static.o $^ && rm -f $@ && ar rcD $@ $(B)/obj/static/static.o

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

interface: $(OMPI_PC) $(addprefix $(MPI)/include/,$(HEADERS) bigmpi.h $(MODULES:%=modules/%) modules/dri_f08.f90) $(WRAPPER_NAMES:%=$(MPI)/bin/%) \
	$(addprefix $(MPI)/lib/,libmpi.so libmpi_abi.so libmpi_abi.a libmpi_abi.list libbigmpi.so libwi4go_fortran.so libwi4go_fortran.so.1 libwi4go_fortran.a pkgconfig/mpi.pc pkgconfig/wi4go.pc)
