# The Fortran libraries: procedures that call the front. FAMILY is the family, whose header
# has its differences from the other families. Interface mode has a library that compilers
# link programs with.

# The name of the family of the standard ABI: the file in abi/ that has its trait.
STANDARD := $(patsubst abi/%.json,%,$(shell grep -l '"standard": true' abi/*.json))

FORTRAN_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC -Ishim/fortran -Ishim/front
FORTRAN_CC     = $(call making,CC) $(CC) $(FORTRAN_CFLAGS) -DFORTRAN_FAMILY='"$(or $(HEADER),$(FAMILY)).h"' -I$(B)/gen/$(FAMILY) $(DEPFILE) -c -o $@ $<
# The front is an order-only prerequisite: the library needs it, but a change of the front
# does not cause a new link.
LINK_FORTRAN   = $(call making,LINK) $(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $| $(SHARED) -Wl,-soname,$(@F),-rpath,'$$ORIGIN',--version-script,$(filter %.map,$^)

INTERFACE_FORTRAN := $(patsubst %,$(B)/obj/$(STANDARD)/fortran/%.o,hand_library hand_interface hand_constants hand_view fortran f08)
OBJECTS           += $(INTERFACE_FORTRAN)
$(INTERFACE_FORTRAN): private FAMILY := $(STANDARD)
$(INTERFACE_FORTRAN): private HEADER := interface
$(B)/obj/$(STANDARD)/fortran/hand_%.o: shim/fortran/%.c
	$(FORTRAN_CC)
$(B)/obj/$(STANDARD)/fortran/%.o: $(B)/gen/$(STANDARD)/%.c
	$(FORTRAN_CC)
$(MPI)/lib/libwi4go_fortran.so.1: $(INTERFACE_FORTRAN) $(B)/gen/$(STANDARD)/fortran.map | $(MPI)/lib/libmpi_abi.so.1
	$(LINK_FORTRAN)
$(MPI)/lib/libwi4go_fortran.a: $(INTERFACE_FORTRAN)
	$(call making,AR) rm -f $@ && ar rcD $@ $^
