# wi4go: `make` builds everything into build/, laid out as an installation.
# It needs Go, a C compiler and nothing of any MPI.

PREFIX  ?= /usr/local
VERSION := $(shell sed -n 's/.*define WI4GO_VERSION "\(.*\)"/\1/p' shim/front/version.h)
CC      ?= gcc
GO      ?= go
CFLAGS  ?= -O2 -g
LDFLAGS ?=
B       ?= build

WARN     := -Wall -Wextra -Wno-unused-parameter
FRONT_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC -fexceptions -fvisibility=default \
	-fno-semantic-interposition -fno-reorder-blocks-and-partition -Ishim/front -Ishim/records -Ishim/emulate -Imappers -Ihandletable -Ic/asmchooser
FRONT_LDFLAGS := -shared -Wl,-z,noexecstack,-z,now,-z,relro,-z,defs -Wl,--hash-style=gnu $(LDFLAGS) -lm -ldl -lpthread

HEADERS := $(wildcard shim/front/*.h shim/records/*.h shim/emulate/*.h mappers/*.h handletable/*.h c/asmchooser/*.h)
GENERATOR := $(wildcard mappers/*.h gen/*.go gen/*/*.go gen/header/bigmpi/* gen/front/templates/* mappers/*.go abi/*.go abi/*.json cmd/wi4go-gen/*.go) funcs.json mappers.json go.mod
EMULATED := $(patsubst shim/emulate/%.c,%,$(wildcard shim/emulate/*.c))
COMMON := front frequent memory objects signals trampolines world

# The tree is what is installed: bin/wi4go, lib/wi4go, share. In build/bin are the
# names of the MPI to compile with beside it.
all: tree
	@for name in $(WRAPPER_NAMES); do ln -sfn ../lib/wi4go/mpi/bin/$$name $(B)/bin/$$name; done
tree: command pages core fronts probes interface verify dtpools suppressions calls dri modulefiles

# ---- the generated sources ----

GENERATED := $(B)/gen/.stamp
generate: $(GENERATED)
$(GENERATED): $(GENERATOR)
	@rm -rf $(B)/gen # what is generated no longer must not be found
	GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -o $(B)/gen
	@touch $@
# The families and their sonames, which make reads before anything else is made; what
# builds nothing does without.
$(B)/gen/families.mk: $(GENERATED) ;
ifneq ($(filter-out clean install uninstall,$(or $(MAKECMDGOALS),all)),)
include $(B)/gen/families.mk
endif

# ---- the fronts: one library a family, under its first soname ----

define FRONT
OBJECTS_$(1) := $(addprefix $(B)/obj/$(1)/,$(COMMON:=.o) family.o narrow.o emulation.o data.o stubs.o trampoline.o builtin.o records.o handletable.o) \
	$(foreach e,$(EMULATED),$(B)/obj/$(1)/emulate/$(e).o) \
	$(foreach r,$(FAMILIES),$(B)/obj/$(1)/$(1)_$(r).o) \
	$(foreach r,$(filter-out $(1),$(FAMILIES)),$(B)/obj/$(1)/$(1)_$(r)_fast.o)

$(B)/obj/$(1)/%.o: shim/front/%.c $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -c -o $$@ $$<
$(B)/obj/$(1)/emulate/%.o: shim/emulate/%.c $$(GENERATED) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -I$(B)/gen/$(1) -c -o $$@ $$<
# What a runtime lacks is emulated by code that is compiled for size.
$(addprefix $(B)/obj/$(1)/,narrow.o emulation.o $(EMULATED:%=emulate/%.o)): FRONT_CFLAGS += -Os
$(B)/obj/$(1)/records.o: shim/records/records.c $$(GENERATED) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -I$(B)/gen/$(1) -c -o $$@ $$<
$(B)/obj/$(1)/builtin.o: $(firstword $(wildcard shim/front/$(1).c) shim/front/plain.c) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -c -o $$@ $$<
$(B)/obj/$(1)/handletable.o: handletable/handletable.c $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -fvisibility=hidden -c -o $$@ $$<
$(B)/obj/$(1)/trampoline.o: c/asmchooser/trampoline.S $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) -fPIC -Ic/asmchooser -c -o $$@ $$<
$(B)/obj/$(1)/stubs.o: $$(GENERATED) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) -fPIC -Ic/asmchooser -c -o $$@ $(B)/gen/$(1)/stubs.S
$(B)/obj/$(1)/%_fast.o: $$(GENERATED) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) -fPIC -Ishim/front -Imappers -Ihandletable -Ic/asmchooser -I$(B)/gen/$(1) -c -o $$@ $(B)/gen/$(1)/$$*_fast.S
$(B)/obj/$(1)/%.o: $$(GENERATED) $$(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(FRONT_CFLAGS) -I$(B)/gen/$(1) -c -o $$@ $(B)/gen/$(1)/$$*.c

FRONT_$(1) := $(B)/lib/wi4go/$(1)/$(firstword $(SONAMES_$(1)))
$(foreach s,$(wordlist 2,9,$(SONAMES_$(1))),$(B)/obj/$(1)/link/$(s)) $$(FRONT_$(1)): $$(OBJECTS_$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -o $$@ $$(OBJECTS_$(1)) -Wl,-soname,$$(@F) -Wl,--version-script,$(B)/gen/$(1)/exports.map $$(FRONT_LDFLAGS)
fronts: $$(FRONT_$(1))
endef
$(foreach f,$(FAMILIES),$(eval $(call FRONT,$(f))))

# ---- the stand-ins: libraries without symbols that have a soname and bring a front ----
# A family's others beside its front; and in preload/, for LD_PRELOAD, all of them,
# which bring those as well, and the names that a linker looks for (libmpi.so), by which
# interpreters open it; and the parts of a C library that has been divided, which bring the
# front alone; and the Fortran libraries, of which the first brings the others. The blank
# one has room for names that are known when a program starts. In path/, for
# LD_LIBRARY_PATH, the front has all its names, and the family's Fortran library of ours
# has those of all its Fortran libraries. Each C++ library has a directory of its own in
# cxx/, since an empty one takes the place of those alone that are not on a machine.

ROOM := 4096
STAND_IN := $(CC) $(WARN) -fPIC -Ishim/front -shared -nostdlib -s -Wl,-z,noexecstack,--hash-style=gnu,--build-id=none,--no-as-needed,-soname

# A file, its soname, and the paths of what it needs.
define STANDIN
$(1): shim/standin/standin.c shim/front/version.h Makefile
	@mkdir -p $$(@D) $(B)/obj/standin
	@set -e; needs=; for path in $(3); do other=$(B)/obj/standin/$$$$(echo "$(1) $$$$path" | cksum | cut -d' ' -f1); \
		$(STAND_IN),$$$$path -o $$$$other $$<; needs="$$$$needs $$$$other"; done; $(STAND_IN),$(2) -o $$@ $$< $$$$needs
fronts: $(1)
endef
repeat = $(shell head -c $(ROOM) /dev/zero | tr '\0' $(1))
$(eval $(call STANDIN,$(B)/lib/wi4go/standin.so,$(call repeat,S),$(call repeat,N)))
linker_names = $(sort $(foreach s,$(1),$(firstword $(subst .so., ,$(s))).so))
LINKER_NAMES = $(call linker_names,$(SONAMES_$(1)))
FORTRAN_NAMES = $(FORTRAN_$(1)) $(call linker_names,$(FORTRAN_$(1)))
define STANDINS
$(foreach l,$(LINKER_NAMES),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/preload/$(l),$(l),'$$$$ORIGIN/../$(firstword $(SONAMES_$(1)))')))
$(foreach p,$(PARTS_$(1)),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/preload/$(p),$(p),'$$$$ORIGIN/../$(firstword $(SONAMES_$(1)))')))
$(foreach s,$(wordlist 2,9,$(SONAMES_$(1))),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/$(s),$(s),'$$$$ORIGIN/$(firstword $(SONAMES_$(1)))')))
$(foreach s,$(SONAMES_$(1)),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/preload/$(s),$(s),$(patsubst %,'$$$$ORIGIN/../%',$(firstword $(SONAMES_$(1))) $(filter-out $(s),$(wordlist 2,9,$(SONAMES_$(1))))) $(LINKER_NAMES:%='$$$$ORIGIN/%'))))
$(foreach s,$(CXX_$(1)),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/cxx/$(s)/$(s),$(s),'$$$$ORIGIN/../../$(firstword $(SONAMES_$(1)))')))
$(foreach s,$(wordlist 2,20,$(FORTRAN_NAMES)),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/preload/$(s),$(s),'$$$$ORIGIN/../$(firstword $(FORTRAN_$(1)))')))
$(foreach s,$(firstword $(FORTRAN_NAMES)),$(eval $(call STANDIN,$(B)/lib/wi4go/$(1)/preload/$(s),$(s),'$$$$ORIGIN/../$(s)' $(patsubst %,'$$$$ORIGIN/%',$(wordlist 2,20,$(FORTRAN_NAMES))))))
endef
$(foreach f,$(FAMILIES),$(call STANDINS,$(f)))
define NAMES
$(B)/lib/wi4go/$(1)/path/$(2): $(B)/lib/wi4go/$(1)/$(3)
	@mkdir -p $$(@D)
	@ln -sfn ../$(3) $$@
fronts: $(B)/lib/wi4go/$(1)/path/$(2)
endef
$(foreach f,$(FAMILIES),$(foreach s,$(SONAMES_$(f)) $(PARTS_$(f)) $(call LINKER_NAMES,$(f)),$(eval $(call NAMES,$(f),$(s),$(firstword $(SONAMES_$(f)))))))
$(foreach f,$(FAMILIES),$(foreach s,$(call FORTRAN_NAMES,$(f)),$(eval $(call NAMES,$(f),$(s),$(firstword $(FORTRAN_$(f)))))))

# ---- the Fortran layers: a library of procedures that brings the front ----

FORTRAN_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC -Ishim/fortran -Ishim/front
define LAYER
$(B)/obj/$(1)/fortran/hand_%.o: shim/fortran/%.c $$(wildcard shim/fortran/*.h) $$(GENERATED)
	@mkdir -p $$(@D)
	$$(CC) $$(FORTRAN_CFLAGS) -DFORTRAN_FAMILY='"$(1).h"' -I$(B)/gen/$(1) -c -o $$@ $$<
$(B)/obj/$(1)/fortran/%.o: $$(wildcard shim/fortran/*.h) $$(GENERATED)
	@mkdir -p $$(@D)
	$$(CC) $$(FORTRAN_CFLAGS) -DFORTRAN_FAMILY='"$(1).h"' -I$(B)/gen/$(1) -c -o $$@ $(B)/gen/$(1)/$$*.c
$(B)/lib/wi4go/$(1)/$(2) $(foreach s,$(wordlist 2,9,$(FORTRAN_$(1))),$(B)/obj/$(1)/link/$(s)): $(addprefix $(B)/obj/$(1)/fortran/,$(LAYER_$(1):%=hand_%.o) fortran.o f08.o) $$(FRONT_$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -o $$@ $$^ -shared -Wl,-soname,$$(@F),-rpath,'$$$$ORIGIN',--version-script,$(B)/gen/$(1)/fortran.map \
		-Wl,-z,noexecstack,-z,now,-z,relro,-z,defs,--hash-style=gnu $$(LDFLAGS)
fronts: $(B)/lib/wi4go/$(1)/$(2)
endef
$(foreach f,$(FAMILIES),$(if $(FORTRAN_$(f)),$(eval $(call LAYER,$(f),$(firstword $(FORTRAN_$(f)))))))

# ---- the MPI to compile with: headers, link names, wrappers, the Fortran library ----

MPI           := $(B)/lib/wi4go/mpi
WRAPPER_NAMES := mpicc mpicxx mpic++ mpiCC mpiexec mpirun mpifort mpif77 mpif90

$(MPI)/include/mpi.h: $(GENERATED)
	@mkdir -p $(@D)
	install -m 644 $(B)/gen/mpiabi/mpi.h $@
$(MPI)/include/bigmpi.h: $(GENERATED)
	@mkdir -p $(@D)
	install -m 644 $(B)/gen/bigmpi/bigmpi.h $@
$(MPI)/lib/libmpi_abi.so.1: $(FRONT_mpiabi)
	@mkdir -p $(@D)
	ln -sfn ../../mpiabi/$(@F) $@
$(MPI)/lib/libbigmpi.so: $(MPI)/lib/libmpi_abi.so.1 $(MPI)/include/mpi.h $(MPI)/include/bigmpi.h
	$(CC) $(CFLAGS) $(WARN) -fPIC -I$(MPI)/include -o $@ $(B)/gen/bigmpi/bigmpi.c $< -shared \
		-Wl,-soname,libbigmpi.so,-rpath,'$$ORIGIN',-z,noexecstack,-z,now,-z,relro,-z,defs $(LDFLAGS)
# For -static-mpi: the front and the core in one object, so that one is not taken
# without the other.
$(MPI)/lib/libmpi_abi.a: $(OBJECTS_mpiabi) shim/front/embedded.c shim/front/embedded.S core
	@mkdir -p $(@D)
	$(CC) $(FRONT_CFLAGS) -c -o $(B)/obj/mpiabi/embedded.o shim/front/embedded.c
	$(CC) -DWI4GO_CORE='"$(B)/lib/wi4go/libwi4go.so"' -c -o $(B)/obj/mpiabi/image.o shim/front/embedded.S
	$(CC) -nostdlib -r -o $(B)/obj/mpiabi/static.o $(OBJECTS_mpiabi) $(B)/obj/mpiabi/embedded.o $(B)/obj/mpiabi/image.o
	rm -f $@ && ar rc $@ $(B)/obj/mpiabi/static.o
$(MPI)/include/mpif.h: $(GENERATED)
	@mkdir -p $(@D)
	install -m 644 $(B)/gen/mpiabi/mpif.h $@
# Sources of the modules, which mpifort compiles.
MODULES := wi4go_mpi_types.f90 mpi.f90 mpi_f08.F90
$(MODULES:%=$(MPI)/include/modules/%): $(GENERATED)
	@mkdir -p $(@D)
	install -m 644 $(B)/gen/mpiabi/$(@F) $@
IFORTRAN := $(patsubst %,$(B)/obj/mpiabi/fortran/%.o,layer interface descriptor fortran f08)
IFORTRAN_CFLAGS = $(FORTRAN_CFLAGS) -DFORTRAN_FAMILY='"interface.h"' -I$(B)/gen/mpiabi
$(patsubst %,$(B)/obj/mpiabi/fortran/%.o,layer interface descriptor): $(B)/obj/mpiabi/fortran/%.o: shim/fortran/%.c $(wildcard shim/fortran/*.h) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(IFORTRAN_CFLAGS) -c -o $@ $<
$(patsubst %,$(B)/obj/mpiabi/fortran/%.o,fortran f08): $(wildcard shim/fortran/*.h) $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(IFORTRAN_CFLAGS) -c -o $@ $(B)/gen/mpiabi/$(@F:.o=.c)
$(MPI)/lib/libwi4go_fortran.so.1: $(IFORTRAN) $(MPI)/lib/libmpi_abi.so.1
	$(CC) $(CFLAGS) -o $@ $^ -shared -Wl,-soname,$(@F),-rpath,'$$ORIGIN',--version-script,$(B)/gen/mpiabi/fortran.map \
		-Wl,-z,noexecstack,-z,now,-z,relro,-z,defs,--hash-style=gnu $(LDFLAGS)
$(MPI)/lib/libwi4go_fortran.a: $(IFORTRAN)
	rm -f $@ && ar rc $@ $^
$(MPI)/lib/pkgconfig/mpi.pc: interface/mpi.pc shim/front/version.h
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' $< > $@
	ln -sf mpi.pc $(@D)/wi4go.pc
interface: $(MPI)/include/mpi.h $(MPI)/include/bigmpi.h $(MPI)/lib/libbigmpi.so $(MPI)/lib/libmpi_abi.a $(MPI)/lib/pkgconfig/mpi.pc \
		$(MPI)/include/mpif.h $(MODULES:%=$(MPI)/include/modules/%) $(MPI)/lib/libwi4go_fortran.so.1 $(MPI)/lib/libwi4go_fortran.a
	@mkdir -p $(MPI)/bin
	@for name in $(WRAPPER_NAMES); do ln -sfn ../../../../bin/wi4go $(MPI)/bin/$$name; done
	@for name in libmpi.so libmpi_abi.so; do ln -sfn libmpi_abi.so.1 $(MPI)/lib/$$name; done
	@ln -sfn libwi4go_fortran.so.1 $(MPI)/lib/libwi4go_fortran.so

# ---- the Data Reorganization Interface: one library for every MPI ----

DRI_HEADERS := dri.h dri1.h
DRI_CFLAGS = $(CFLAGS) $(WARN) -std=gnu11 -fPIC -fvisibility=hidden -I$(MPI)/include
DRI_OBJECTS := $(patsubst dri/%.c,$(B)/obj/dri/%.o,$(wildcard dri/*.c))
$(B)/obj/dri/%.o: dri/%.c $(wildcard dri/*.h) $(MPI)/include/mpi.h
	@mkdir -p $(@D)
	$(CC) $(DRI_CFLAGS) -c -o $@ $<
$(MPI)/lib/libdri.so: $(DRI_OBJECTS) $(MPI)/lib/libmpi_abi.so.1
	$(CC) $(CFLAGS) -o $@ $^ -shared -Wl,-soname,libdri.so,-rpath,'$$ORIGIN',-z,noexecstack,-z,now,-z,relro,-z,defs $(LDFLAGS) -lrt
$(DRI_HEADERS:%=$(MPI)/include/%): $(MPI)/include/%: dri/%
	@mkdir -p $(@D)
	install -m 644 $< $@
$(MPI)/lib/pkgconfig/dri.pc: dri/dri.pc shim/front/version.h
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' $< > $@
dri: $(MPI)/lib/libdri.so $(DRI_HEADERS:%=$(MPI)/include/%) $(MPI)/lib/pkgconfig/dri.pc
# All methods, FFTW's and PETSc's where they are, on two ranks of each library that is here.
bench-dri: all
	tests/deps.sh dri
	. $(B)/deps.env; $(GO) run ./dri/bench --prefix $(B) $(BENCH)
.PHONY: dri bench-dri

# ---- the programs that `wi4go doctor` starts, made without any MPI ----

define PROBE
$(B)/lib/wi4go/probe/$(1): shim/probe/probe.c $(FRONT_$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(WARN) -std=gnu11 -fPIC -DPROBE_$(1) -o $$@ $$< $(FRONT_$(1)) $$(LDFLAGS)
probes: $(B)/lib/wi4go/probe/$(1)
endef
$(foreach f,$(FAMILIES),$(eval $(call PROBE,$(f))))

# ---- the tests of `wi4go verify`, made without any MPI: one program for each soname ----

VERIFY := $(wildcard verify/*.c) dtpools/dtpools.c dtpools/layouts.c
define VERIFYING
$(B)/lib/wi4go/verify/$(1)/verify-$(2): $(VERIFY) $(wildcard verify/*.h dtpools/*.h) $(GENERATED) $(3)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(WARN) -Wno-stringop-overflow -std=gnu11 -fPIC -I$(B)/gen/$(1) -Idtpools -o $$@ $(VERIFY) $(3) -Wl,-z,lazy $$(LDFLAGS) -ldl
verify: $(B)/lib/wi4go/verify/$(1)/verify-$(2)
endef
$(foreach f,$(FAMILIES),$(eval $(call VERIFYING,$(f),$(firstword $(SONAMES_$(f))),$(FRONT_$(f)))))
$(foreach f,$(FAMILIES),$(foreach s,$(wordlist 2,9,$(SONAMES_$(f))),$(eval $(call VERIFYING,$(f),$(s),$(B)/obj/$(f)/link/$(s)))))

# In Fortran one for each soname and binding. It needs the Fortran library that stands
# beside the C library of that name: for mpi_f08 the one that says so in its name, if
# there is one. The standard's family has that of interface mode.

VERIFY_FORTRAN := $(wildcard verify/fortran/*.c) verify/results.c
BINDING_FLAGS_f08 := -DF08
# A family, a C soname, a binding, and the Fortran library.
define VERIFYING_FORTRAN
$(B)/lib/wi4go/verify/$(1)/verify-$(2)-$(3): $(VERIFY_FORTRAN) $(wildcard verify/*.h verify/fortran/*.h) $(GENERATED) $(4)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(WARN) -std=gnu11 -fPIC -fvisibility=hidden $(BINDING_FLAGS_$(3)) -DVERIFY_FAMILY='"$(1).h"' -I$(B)/gen/$(1) -o $$@ \
		$(VERIFY_FORTRAN) $(4) -Wl,-z,lazy,--export-dynamic,-rpath-link,$(B)/lib/wi4go/$(1) $(if $(FORTRAN_$(1)),,-Wl$(COMMA)-rpath$(COMMA)'$$$$ORIGIN/../../mpi/lib') $$(LDFLAGS) -ldl
verify: $(B)/lib/wi4go/verify/$(1)/verify-$(2)-$(3)
endef
COMMA := ,
layer_file = $(if $(filter $(2),$(firstword $(FORTRAN_$(1)))),$(B)/lib/wi4go/$(1)/$(2),$(B)/obj/$(1)/link/$(2))
of_binding = $(firstword $(if $(filter f08,$(2)),$(foreach l,$(FORTRAN_$(1)),$(if $(findstring f08,$(l)),$(l)))) $(word $(3),$(FORTRAN_$(1))))
fortran_beside = $(if $(FORTRAN_$(1)),$(call layer_file,$(1),$(call of_binding,$(1),$(2),$(3))),$(MPI)/lib/libwi4go_fortran.so.1)
$(foreach f,$(FAMILIES),$(foreach i,$(wordlist 1,$(words $(SONAMES_$(f))),1 2 3),$(foreach b,mpif f08,\
	$(eval $(call VERIFYING_FORTRAN,$(f),$(word $(i),$(SONAMES_$(f))),$(b),$(call fortran_beside,$(f),$(b),$(i)))))))

# ---- the datatype pools, for other projects: sources and header, compiled with any mpicc ----
# Not in include/, which has an mpi.h.

DTPOOLS := dtpools.h dtpools.c layouts.h layouts.c
dtpools: $(DTPOOLS:%=$(B)/share/wi4go/dtpools/%)
$(DTPOOLS:%=$(B)/share/wi4go/dtpools/%):
	@mkdir -p $(@D)
	cp $< $@
$(foreach s,$(DTPOOLS),$(eval $(B)/share/wi4go/dtpools/$(s): dtpools/$(s)))

# ---- what becomes of each call, for `wi4go inspect --call` ----

CALLS := $(B)/obj/.calls
calls: $(CALLS)
$(CALLS): $(GENERATED)
	GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go-gen -calls $(B)/share/wi4go/calls
	@mkdir -p $(@D) && touch $@

# ---- what valgrind is not to tell of ----

suppressions: $(B)/share/wi4go/valgrind.supp
$(B)/share/wi4go/valgrind.supp: shim/core/valgrind.supp
	@mkdir -p $(@D)
	cp $< $@

# ---- environment modules, which find the tree by their own place ----

MODULEFILES := $(foreach m,wi4go wi4go-mpi,$(B)/share/wi4go/modulefiles/$(m)/$(VERSION))
modulefiles: $(MODULEFILES) $(MODULEFILES:=.lua)
$(MODULEFILES): $(B)/share/wi4go/modulefiles/%/$(VERSION): packaging/modules/%.tcl
	@mkdir -p $(@D)
	install -m 644 $< $@
$(MODULEFILES:=.lua): $(B)/share/wi4go/modulefiles/%/$(VERSION).lua: packaging/modules/%.lua
	@mkdir -p $(@D)
	install -m 644 $< $@
.PHONY: modulefiles

# ---- Go ----

# TAGS=wi4go_debug: the locks of the core are go-deadlock's.
# asyncpreemptoff: the core needs no preemption, and the program no SIGURG.
# valgrind: memcheck is told of Go's stacks and heap.
# go build does not look at the C headers of the front or at embedded files'
# generators, so both are always handed to it: it is quick when nothing changed.
core:
	@mkdir -p $(B)/lib/wi4go
	$(GO) build -trimpath -tags valgrind,$(TAGS) -buildmode=c-shared -ldflags="-s -w -X runtime.godebugDefault=asyncpreemptoff=1 -extldflags=-Wl,--version-script=$(CURDIR)/shim/core/exports.map" -o $(B)/lib/wi4go/libwi4go.so ./shim/core
	@rm -f $(B)/lib/wi4go/libwi4go.h && chmod 755 $(B)/lib/wi4go/libwi4go.so

command:
	@mkdir -p $(B)/bin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags="-s -w -X main.version=$(VERSION)" -o $(B)/bin/wi4go ./cmd/wi4go

# The manual pages, and what completes command lines in each shell.
MAN         := share/man/man1
COMPLETIONS := bash:share/bash-completion/completions/wi4go zsh:share/zsh/site-functions/_wi4go fish:share/fish/vendor_completions.d/wi4go.fish
WI4GO       ?= $(B)/bin/wi4go # that this machine can run
pages: command
	@mkdir -p $(B)/$(MAN)
	@$(WI4GO) man $(B)/$(MAN)
	@set -e; for c in $(COMPLETIONS); do mkdir -p $(B)/$$(dirname $${c#*:}); $(WI4GO) completion $${c%%:*} > $(B)/$${c#*:}; done

# Builds nothing, so that it can be done by another user than make was. The names of
# the MPI to compile with come into bin by WRAPPERS=yes only.
WRAPPERS ?= no
install:
	packaging/install.sh $(B) $(DESTDIR)$(PREFIX) $(WRAPPERS)
uninstall:
	packaging/uninstall.sh $(DESTDIR)$(PREFIX)
.PHONY: tree uninstall

# ---- packages: from a build for every Linux with glibc 2.17 or later ----

ARCH     ?= $(shell uname -m)
GOARCH_x86_64 := amd64
GOARCH_aarch64 := arm64
PORTABLE := $(B)/portable/$(ARCH)
SYSROOT  := $(B)/sysroot/$(ARCH)
portable:
	packaging/sysroot.sh $(ARCH) $(SYSROOT)
	GOARCH=$(GOARCH_$(ARCH)) CGO_ENABLED=1 $(MAKE) tree B=$(PORTABLE) CC=$(CURDIR)/$(SYSROOT)/cc CFLAGS=-O2 LDFLAGS=-Wl,-s \
		WI4GO="env GOARCH= CGO_ENABLED=0 $(GO) run ./cmd/wi4go"
# A tree to be unpacked anywhere, a Python wheel, and checksums.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y README.md)
dist: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
dist: portable
	@rm -f $(B)/dist/*-$(ARCH).tar.gz $(B)/dist/*_$(ARCH).whl
	packaging/dist.sh $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	packaging/wheel.py $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	cd $(B)/dist && rm -f SHA256SUMS && sha256sum -- * >../sums && mv ../sums SHA256SUMS
# The .deb and the .rpm besides.
native: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
native: dist
	@rm -f $(B)/dist/*_$(GOARCH_$(ARCH)).deb $(B)/dist/*.$(ARCH).rpm
	packaging/native.sh $(PORTABLE) $(VERSION) $(ARCH) $(B)/dist
	cd $(B)/dist && rm -f SHA256SUMS && sha256sum -- * >../sums && mv ../sums SHA256SUMS
# What of it takes tools from the network, or minutes, is tested by this, and not by CI.
packages: all
	tests/deps.sh packages
	. $(B)/deps.env; $(MPI_ENV) WI4GO_PACKAGES=1 $(GO) test -count=1 -timeout 1h -v ./tests/packages
.PHONY: portable dist native packages

# ---- what is run ----

# As root Open MPI's launcher asks for a confirmation.
MPI_ENV := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

demo: all
	tests/deps.sh mpi
	@mkdir -p $(B)/demo
	@. $(B)/deps.env; $$OPENMPI_BIN/$$OPENMPI_CC -o $(B)/demo/hello-openmpi tests/demo/hello.c
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -o $(B)/demo/hello-mpich tests/demo/hello.c
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$MPICH_BIN/$$MPICH_EXEC -n 2 $(B)/demo/hello-openmpi
	@. $(B)/deps.env; $(MPI_ENV) $(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 $(B)/demo/hello-mpich

# More than 2^31 elements by every kind of large-count function, an MPICH program
# on Open MPI 4.1: two ranks, 10 GiB of memory and 4 GiB of disk, a minute.
large: all
	tests/deps.sh mpi
	@mkdir -p $(B)/large
	@. $(B)/deps.env; $$MPICH_BIN/$$MPICH_CC -O2 -o $(B)/large/large tests/large/large.c
	@. $(B)/deps.env; cd $(B)/large; $(MPI_ENV) $(CURDIR)/$(B)/bin/wi4go run --to $$OPENMPI_BIN/$$OPENMPI_EXEC -n 2 ./large $(LARGE)

# Formats, vets, and runs the tests that need no MPI.
UNIT := ./abi/... ./gen/... ./mappers/... ./handletable/... ./internal/... ./cmd/... ./shim/... ./c/... ./bench/... ./tests/exports/...
check: all
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "these files are not formatted: run gofmt -w on them" >&2; exit 1; }
	$(GO) vet ./... && $(GO) vet -tags wi4go_debug ./handletable
	$(GO) test $(UNIT)

test: all
	tests/deps.sh all
	. $(B)/deps.env; $(MPI_ENV) $(GO) test -count=1 -p 1 -timeout 25m ./...

# All programs in all six directions on 1, 2 and 4 ranks, as a table.
conformance: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from openmpi,mpich,wi4go --to openmpi,mpich,mpich-5.0-abi

# All programs, compiled for each of nine libraries and two standard ABIs, on each of them.
matrix: all
	tests/deps.sh matrix
	. $(B)/deps.env; $(GO) run ./tests/conformance/run --prefix $(B) --cache $(B)/conformance --from all --to all --within --ranks 1,2 --brief

bench: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) $(BENCH)

# Other translation layers beside ours: those whose sources the variables PEER_MPI_ABI_WRAPPER,
# PEER_MUKAUTUVA, PEER_MPITRAMPOLINE with PEER_MPIWRAPPER, and PEER_WI4MPI name.
peers: all
	tests/deps.sh all
	. $(B)/deps.env; $(GO) run ./bench --prefix $(B) --peers $(BENCH)

# Handles by the million, and half an hour of mixed traffic in each direction, with
# and without threads, as many directions at once as SOAK='-parallel N' says (two)
# and natively beside them. Begun again, it goes on after what was right.
soak: all
	tests/deps.sh all
	. $(B)/deps.env; WI4GO_SOAK=whole $(GO) test -count=1 -timeout 8h -v $(SOAK) ./tests/soak

# A million random calls in each direction, natively and through wi4go, and over
# fake libraries.
fuzz: all
	tests/deps.sh all
	. $(B)/deps.env; $(MPI_ENV) WI4GO_FUZZ=1000000 $(GO) test -count=1 -timeout 4h -parallel 6 -v -run "TestSequences|TestStaleHandles|TestRandomCalls" ./tests/fuzz ./tests/fake

# Every library that is here under programs of every family, and between Debian's
# two each layout of each type with each other one.
verify-all: all
	tests/deps.sh matrix
	. $(B)/deps.env; WI4GO_VERIFY=all $(GO) test -count=1 -timeout 6h -v -run TestAll ./tests/verify

mutate: all
	WI4GO_MUTATE=all $(GO) test -count=1 -timeout 2h -v ./tests/fake

# Real projects, built with the wrappers, and their own tests.
projects: all
	tests/projects.sh

clean:
	rm -rf $(B)

.PHONY: all generate fronts probes interface verify dtpools suppressions calls core command pages install clean demo large check test conformance matrix bench peers soak fuzz verify-all mutate projects
