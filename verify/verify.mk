# The programs that `wi4go doctor` starts, and the tests of `wi4go verify`, all made without
# any MPI, because they are linked with the fronts. The rules set FAMILY to the family, and
# LIBRARY to the library to link with.

VERIFY_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC
LINK_PROBE    = $(call making,LINK) $(CC) $(VERIFY_CFLAGS) -I$(B)/gen/$(FAMILY) -o $@ $< $| $(LDFLAGS)

VERIFY_OBJECTS := $(patsubst %.c,%,$(wildcard verify/*.c dtpools/*.c))
VERIFY_CC       = $(call making,CC) $(CC) $(VERIFY_CFLAGS) -Wno-stringop-overflow -I$(B)/gen/$(FAMILY) -I$(B)/gen/verify -I$(B)/obj/dtpools -Idtpools $(DEPFILE) -c -o $@ $<
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
# are not in include/, because that directory has an mpi.h. DTP_DATATYPE_FILE is the list of
# types that the sources are configured with: also a variable of the environment.
DTP_DATATYPE_FILE ?=
POOL_LIST  := $(or $(DTP_DATATYPE_FILE),dtpools/basictypelist.txt)
POOLS      := $(B)/share/wi4go/dtpools
POOL_FILES := $(patsubst dtpools/%,$(POOLS)/%,$(wildcard dtpools/*.[ch] dtpools/*.md dtpools/*.txt) dtpools/configure)
dtpools: $(POOL_FILES) $(POOLS)/basic_types.h
$(POOL_FILES): $(POOLS)/%: dtpools/%
	$(call making,CP) cp $< $@
# It is made again when another list is given. A list that does not exist is an error of configure.
$(POOLS)/basic_types.h: dtpools/configure dtpools/basictypelist.txt $(wildcard $(POOL_LIST)) $(if $(findstring "$(POOL_LIST)",$(file <$(POOLS)/basic_types.h)),,again)
	$(call making,GEN) DTP_DATATYPE_FILE=$(POOL_LIST) $< $@
.PHONY: again

# The pools of `wi4go verify` have the default list.
VERIFY_TYPES := $(B)/obj/dtpools/basic_types.h
$(VERIFY_TYPES): dtpools/configure dtpools/basictypelist.txt
	$(call making,GEN) DTP_DATATYPE_FILE=dtpools/basictypelist.txt $< $@
