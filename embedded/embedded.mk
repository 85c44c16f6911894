# The embedded MPI: libwi4go-embedded.so.1 and its launcher. tests/variants.mk has its other builds.

EMBEDDED         := $(B)/lib/wi4go/runtimes/embedded/lib/libwi4go-embedded.so.1
EMBEDDED_EXEC    := $(B)/lib/wi4go/runtimes/embedded/bin/mpiexec
EMBEDDED_SOURCES := $(foreach floor,base types coll mpi process,$(wildcard embedded/$(floor)/*.c)) c/launchers/launchers.c
EMBEDDED_ENTRIES := $(addprefix $(B)/gen/embedded/entries_,$(addsuffix .c,collectives contexts datatypes dynamic_processes environment external_interfaces info io language_bindings point_to_point profiling rma tool topologies))
EMBEDDED_FLAGS   := -std=gnu11 -fPIC -fvisibility=hidden -pthread -I. -I$(B)/gen -I$(B)/gen/mpiabi -I$(B)/gen/embedded

EMBEDDED_OBJECTS := $(patsubst c/launchers/%.c,$(B)/obj/embedded/%.o,$(EMBEDDED_SOURCES:embedded/%.c=$(B)/obj/embedded/%.o)) $(patsubst $(B)/gen/embedded/%.c,$(B)/obj/embedded/%.o,$(EMBEDDED_ENTRIES))
OBJECTS          += $(EMBEDDED_OBJECTS)

$(B)/obj/embedded/%.o: embedded/%.c
	$(call making,CC) $(CC) $(CFLAGS) $(WARN) $(EMBEDDED_FLAGS) $(DEPFILE) -c -o $@ $<
$(B)/obj/embedded/%.o: $(B)/gen/embedded/%.c
	$(call making,CC) $(CC) $(CFLAGS) $(WARN) $(EMBEDDED_FLAGS) -fvisibility=default $(DEPFILE) -c -o $@ $<

$(B)/obj/embedded/launchers.o: c/launchers/launchers.c
	$(call making,CC) $(CC) $(CFLAGS) $(WARN) $(EMBEDDED_FLAGS) $(DEPFILE) -c -o $@ $<

# The library, and the same without debugging information for -static-mpi.
EMBEDDED_STRIPPED := $(B)/embedded/stripped/$(notdir $(EMBEDDED))
$(EMBEDDED_STRIPPED): LDFLAGS += -Wl,-s
$(EMBEDDED) $(EMBEDDED_STRIPPED): $(EMBEDDED_OBJECTS) $(ADI)/libadi.a $(B)/gen/embedded/exports.map
	$(call making,LINK) $(CC) $(CFLAGS) -shared $(LDFLAGS) -Wl,-z,defs,-soname,$(notdir $@) -Wl,--version-script=$(B)/gen/embedded/exports.map -o $@ $(filter %.o %.a,$^) -pthread -lm
$(EMBEDDED_EXEC): embedded/mpiexec
	$(call making,CP) install -m 755 $< $@
embedded: $(EMBEDDED) $(EMBEDDED_EXEC)
.PHONY: embedded
