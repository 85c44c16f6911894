# The Data Reorganization Interface: one library for every MPI.

DRI_HEADERS := dri.h dri1.h
DRI_OBJECTS := $(patsubst dri/%.c,$(B)/obj/dri/%.o,$(wildcard dri/*.c))
OBJECTS     += $(DRI_OBJECTS)
$(DRI_OBJECTS): $(B)/obj/dri/%.o: dri/%.c | $(MPI)/include/mpi.h
	$(call making,CC) $(CC) $(CFLAGS) $(WARN) -std=gnu11 -fPIC -fvisibility=hidden -I$(MPI)/include $(DEPFILE) -c -o $@ $<
$(MPI)/lib/libdri.so: $(DRI_OBJECTS) | $(MPI)/lib/libmpi_abi.so.1
	$(call making,LINK) $(CC) $(CFLAGS) -o $@ $^ $| $(SHARED) -Wl,-soname,libdri.so,-rpath,'$$ORIGIN' -lrt
$(DRI_HEADERS:%=$(MPI)/include/%): $(MPI)/include/%: dri/%
	$(call making,CP) install -m 644 $< $@
$(MPI)/lib/pkgconfig/dri.pc: dri/dri.pc shim/front/version.h
	$(call making,SED) sed 's/@VERSION@/$(VERSION)/' $< > $@
# A source, which mpifort compiles with the other modules, so `interface` needs it too.
$(MPI)/include/modules/dri_f08.f90: dri/dri_f08.f90
	$(call making,CP) install -m 644 $< $@
dri: $(MPI)/include/modules/dri_f08.f90 $(MPI)/lib/libdri.so $(DRI_HEADERS:%=$(MPI)/include/%) $(MPI)/lib/pkgconfig/dri.pc

# Measures all methods, and FFTW and PETSc if they are installed, on two ranks of each
# installed MPI library.
bench-dri: all
	tests/deps.sh dri
	. $(B)/deps.env; $(GO) run ./dri/bench --prefix $(B) $(BENCH)
.PHONY: bench-dri
