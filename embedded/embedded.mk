# The embedded MPI: libwi4go-embedded.so.1, and the same with ranks as threads of one process
# (libwi4go-embedded-ranks.a), for sanitizers.

EMBEDDED         := $(B)/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1
EMBEDDED_EXEC    := $(B)/lib/wi4go/runtimes/embedded/bin/mpiexec
EMBEDDED_SOURCES := $(wildcard embedded/mpi/*.c embedded/types/*.c embedded/coll/*.c)
EMBEDDED_ENTRIES := $(addprefix $(B)/gen/embedded/entries_,$(addsuffix .c,collectives contexts datatypes dynamic_processes environment external_interfaces info io language_bindings point_to_point profiling rma tool topologies))
EMBEDDED_FLAGS   := -std=gnu11 -fPIC -fvisibility=hidden -pthread -I. -I$(B)/gen/mpiabi -I$(B)/gen/embedded

# $(call embedded_objects,NAME): the objects of a build.
embedded_objects = $(patsubst embedded/%.c,$(B)/obj/$(1)/%.o,$(EMBEDDED_SOURCES)) $(patsubst $(B)/gen/embedded/%.c,$(B)/obj/$(1)/%.o,$(EMBEDDED_ENTRIES))
define embedded_build
OBJECTS += $(call embedded_objects,$(1))
$(B)/obj/$(1)/%.o: embedded/%.c
	$$(call making,CC) $$(CC) $$(CFLAGS) $$(WARN) $$(EMBEDDED_FLAGS) $(2) $$(DEPFILE) -c -o $$@ $$<
$(B)/obj/$(1)/%.o: $(B)/gen/embedded/%.c
	$$(call making,CC) $$(CC) $$(CFLAGS) $$(WARN) $$(EMBEDDED_FLAGS) -fvisibility=default -Wno-unused-parameter $(2) $$(DEPFILE) -c -o $$@ $$<
endef
$(eval $(call embedded_build,embedded,))
$(eval $(call embedded_build,embedded-ranks,-DADI_RANK_THREADS))

# The library, and the same without debugging information for -static-mpi.
EMBEDDED_STRIPPED := $(B)/embedded/stripped/$(notdir $(EMBEDDED))
$(EMBEDDED_STRIPPED): LDFLAGS += -Wl,-s
$(EMBEDDED) $(EMBEDDED_STRIPPED): $(call embedded_objects,embedded) $(ADI)/libadi.a $(B)/gen/embedded/exports.map
	$(call making,LINK) $(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-z,defs,-soname,$(notdir $@) -Wl,--version-script=$(B)/gen/embedded/exports.map -o $@ $(filter %.o %.a,$^) -pthread -lm
$(B)/embedded/libwi4go-embedded-ranks.a: $(call embedded_objects,embedded-ranks)
	$(call making,AR) rm -f $@ && $(AR) rcsD $@ $^
$(EMBEDDED_EXEC): embedded/mpiexec
	$(call making,CP) install -m 755 $< $@
embedded: $(EMBEDDED) $(EMBEDDED_EXEC) $(B)/embedded/libwi4go-embedded-ranks.a
.PHONY: embedded
