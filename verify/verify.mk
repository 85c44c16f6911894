# The programs that `wi4go doctor` starts, and the tests of `wi4go verify`, all made without
# any MPI, because they are linked with the fronts. The rules set FAMILY to the family, and
# LIBRARY to the library to link with.

VERIFY_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC
LINK_PROBE    = $(call making,LINK) $(CC) $(VERIFY_CFLAGS) -I$(B)/gen/$(FAMILY) -o $@ $< $| $(LDFLAGS)

VERIFY_OBJECTS := $(patsubst %.c,%,$(wildcard verify/*.c)) dtpools/dtpools dtpools/layouts
VERIFY_CC       = $(call making,CC) $(CC) $(VERIFY_CFLAGS) -Wno-stringop-overflow -I$(B)/gen/$(FAMILY) -Idtpools $(DEPFILE) -c -o $@ $<
LINK_VERIFY     = $(call making,LINK) $(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) -Wl,-z,lazy $(LDFLAGS) -ldl

# The Fortran tests are one program for each soname and binding. Each needs the Fortran
# library in the directory of the C library with that soname; in the family of the standard
# ABI, that is the library of interface mode.
VERIFY_FORTRAN_OBJECTS := $(patsubst %.c,%,$(wildcard verify/fortran/*.c)) verify/results
VERIFY_FORTRAN_CC       = $(call making,CC) $(CC) $(VERIFY_CFLAGS) -fvisibility=hidden $(if $(filter f08,$(BINDING)),-DF08) -DVERIFY_FAMILY='"$(FAMILY).h"' \
	-I$(B)/gen/$(FAMILY) $(DEPFILE) -c -o $@ $<
LINK_VERIFY_FORTRAN     = $(call making,LINK) $(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) -Wl,-z,lazy,--export-dynamic,-rpath-link,$(B)/lib/wi4go/$(FAMILY) \
	$(if $(filter $(MPI)/%,$(LIBRARY)),-Wl$(COMMA)-rpath$(COMMA)'$$ORIGIN/../../mpi/lib') $(LDFLAGS) -ldl

# The datatype pools, as sources and headers that other projects compile with any mpicc. They
# are not in include/, because that directory has an mpi.h.
DTPOOLS := $(addprefix $(B)/share/wi4go/dtpools/,dtpools.h dtpools.c layouts.h layouts.c)
dtpools: $(DTPOOLS)
$(DTPOOLS): $(B)/share/wi4go/dtpools/%: dtpools/%
	$(call making,CP) cp $< $@
