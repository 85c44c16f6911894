# The front of the standard ABI as static libraries: libmpi_abi.a for -static-mpi, and static/NAME/libmpi_abi.a for
# -static-mpi=NAME, which contains the MPI library NAME. Each library is one object, so that the linker cannot take a
# part without the others.

STATIC_DIR  := $(B)/obj/static
OBJCOPY     ?= $(shell $(CC) -print-prog-name=objcopy)

# ---- with the core and the embedded MPI as files, which the program opens ----

STATIC_OBJECTS := $(STATIC_DIR)/static_core.o $(STATIC_DIR)/image.o
OBJECTS        += $(STATIC_DIR)/static_core.o
$(STATIC_DIR)/static_core.o: shim/front/static_core.c
	$(FRONT_CC)
$(STATIC_DIR)/image.o: shim/front/static_core.S $(CORE) $$(EMBEDDED_STRIPPED)
	$(call making,AS) $(CC) -DWI4GO_CORE='"$(CORE)"' -DWI4GO_EMBEDDED='"$(EMBEDDED_STRIPPED)"' -c -o $@ $<
$(MPI)/lib/libmpi_abi.a: $$(OBJECTS_$(STANDARD)) $(STATIC_OBJECTS)
	$(call making,AR) $(CC) -nostdlib -r -o $(STATIC_DIR)/static.o $^ && rm -f $@ && ar rcD $@ $(STATIC_DIR)/static.o

# ---- with the embedded MPI linked in: no core, and no dynamic linker ----

# From the exports of the embedded MPI: the names of its functions in the program, where the front has MPI's names, and the
# table of its functions by slot.
linked_name = sed -n 's/^ *\(MPI_.*\);$$/$(1)/p' $<
$(STATIC_DIR)/functions.c: $(B)/gen/embedded/exports.map
	$(call making,SED) { echo '#include "slots.h"' && echo '#pragma GCC visibility push(hidden)' && \
		$(call linked_name,extern void wi4go_embedded_P\1(void);) && \
		echo 'extern void *const wi4go_linked_functions[N_SLOTS];' && echo 'void *const wi4go_linked_functions[N_SLOTS] = {' && \
		$(call linked_name,[SLOT_\1] = (void *)wi4go_embedded_P\1$(COMMA)) && echo '};'; } > $@
$(STATIC_DIR)/names: $(B)/gen/embedded/exports.map
	$(call making,SED) sed -n 's/^ *\(P*MPI_.*\);$$/\1 wi4go_embedded_\1/p' $< > $@
$(STATIC_DIR)/embedded.o: $(EMBEDDED_OBJECTS) $(ADI_OBJECTS) $(STATIC_DIR)/names
	$(call making,LINK) $(CC) -nostdlib -r -o $@.all $(filter %.o,$^) && \
		$(OBJCOPY) --redefine-syms=$(STATIC_DIR)/names --localize-hidden $@.all $@ && rm $@.all

# The front, without the parts that linked.c replaces, and without pairs for other families.
# LINKED_NAME is the NAME of -static-mpi=NAME.
LINKED_NAME    ?= embedded
LINKED         := $(MPI)/lib/static/$(LINKED_NAME)/libmpi_abi.a
LINKED_OBJECTS := $(addprefix $(STATIC_DIR)/,linked.o functions.o)
OBJECTS        += $(LINKED_OBJECTS)
pairs_of_others = $(filter-out %/$(STANDARD)_$(STANDARD).o,$(filter $(B)/obj/$(STANDARD)/$(STANDARD)_%,$(OBJECTS_$(STANDARD))))
replaced        = $(addprefix $(B)/obj/common/,core.o objects.o rebind.o loader_lock.o memory_lock.o) $(pairs_of_others)
$(LINKED_OBJECTS): private GEN = $(B)/gen/$(STANDARD)
$(STATIC_DIR)/linked.o: shim/front/linked.c
	$(FRONT_CC)
$(STATIC_DIR)/functions.o: $(STATIC_DIR)/functions.c
	$(FRONT_CC)
$(LINKED): $$(filter-out $$(replaced),$$(OBJECTS_$(STANDARD))) $(LINKED_OBJECTS) $(STATIC_DIR)/embedded.o
	$(call making,AR) $(CC) -nostdlib -r -o $(STATIC_DIR)/whole.o $^ && $(OBJCOPY) --strip-debug $(STATIC_DIR)/whole.o && \
		rm -f $@ && ar rcD $@ $(STATIC_DIR)/whole.o

# ---- for musl, outside the build: build/variants/musl is an installation for machines without glibc, with a static command,
# mpi.h, the second library and the embedded MPI. The library is also copied to the build, for `mpicc -cc=musl-gcc`. ----

MUSL_CC     ?= musl-gcc
MUSL        := $(B)/variants/musl
MUSL_LIB    := lib/wi4go/mpi/lib/static/embedded-musl
# Headers of the kernel, which musl-gcc does not find.
MUSL_KERNEL := $(MUSL)/kernel
static-musl:
	@command -v $(firstword $(MUSL_CC)) >/dev/null || { echo "make static-musl: $(firstword $(MUSL_CC)) is not installed: install Debian's" \
		"musl-tools, or name the compiler in MUSL_CC" >&2; exit 1; }
	@mkdir -p $(MUSL_KERNEL) $(B)/$(MUSL_LIB) && ln -sfn /usr/include/linux /usr/include/asm-generic $(MUSL_KERNEL) && \
		ln -sfn $(firstword $(wildcard /usr/include/$(shell $(CC) -print-multiarch)/asm /usr/include/asm)) $(MUSL_KERNEL)
	+$(MAKE) B=$(MUSL) LINKED_NAME=embedded-musl EXCEPTIONS= TAGS=wi4go_static CC='$(MUSL_CC) -idirafter $(CURDIR)/$(MUSL_KERNEL)' command embedded wrappers \
		$(MUSL)/lib/wi4go/mpi/include/mpi.h $(MUSL)/$(MUSL_LIB)/libmpi_abi.a
	cp $(MUSL)/$(MUSL_LIB)/libmpi_abi.a $(B)/$(MUSL_LIB)/
.PHONY: static-musl
