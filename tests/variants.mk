# Variants of the embedded MPI and of its device, which only tests use. build/variants/KIND has libadi.a, libembedded.a and
# the programs of tests/adi and tests/embedded, linked with them. Tests call make for the files that they need
# (tests/harness/variant.go). The kinds are:
#
#   plain    the objects of the installation
#   nolocks  the device without locks, for ranks with one thread
#   ranks    the device with ranks as threads of one process, for programs with -DADI_RANK_THREADS
#   asan     AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan     ThreadSanitizer, with ranks as threads, so that it sees the accesses of all ranks
#   arm64    the device for arm64, with ranks as threads, in static programs for an emulator

VARIANTS       := $(B)/variants
KINDS          := plain nolocks ranks asan tsan arm64
EMBEDDED_KINDS := plain asan tsan
FLAGS_nolocks  := -DADI_LOCKS=0
FLAGS_ranks    := -DADI_RANK_THREADS
FLAGS_asan     := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_tsan     := -O1 -fsanitize=thread -DADI_RANK_THREADS
FLAGS_arm64    := -O1 -DADI_RANK_THREADS -static
CC_arm64       := aarch64-linux-gnu-gcc

# The kind in a path below build/variants, the rest of the path, and the compiler of a kind with its flags.
kind_of    = $(firstword $(subst /, ,$(1)))
inside     = $(patsubst $(kind_of)/%,%,$(1))
compile_as = $(or $(CC_$(1)),$(CC)) $(CFLAGS) $(WARN) $(FLAGS_$(1)) -pthread

# build/variants/KIND/PATH.o is made from PATH.c, or from build/PATH.c if the generator writes it.
variant_objects  = $(patsubst %.c,$(VARIANTS)/$(1)/%.o,$(2:$(B)/%=%))
variant_source   = $(patsubst gen/%,$(B)/gen/%,$(inside).c)
DEVICE_SOURCES  := $(ADI_SOURCES) $(wildcard tests/adi/programs/*.c)
LIBRARY_SOURCES := $(EMBEDDED_SOURCES) $(EMBEDDED_ENTRIES) $(wildcard tests/embedded/programs/*.c)
VARIANT_OBJECTS := $(foreach k,$(KINDS),$(call variant_objects,$(k),$(DEVICE_SOURCES))) \
	$(foreach k,$(EMBEDDED_KINDS),$(call variant_objects,$(k),$(LIBRARY_SOURCES)))
PROGRAM_FLAGS   := -Iembedded/adi -DEMBEDDED -fvisibility=default -Werror -Wno-unused-function
$(VARIANT_OBJECTS): $(VARIANTS)/%.o: $$(call variant_source,$$*)
	$(call making,CC) $(call compile_as,$(call kind_of,$*)) $(EMBEDDED_FLAGS) $(if $(filter tests/%,$<),$(PROGRAM_FLAGS)) \
		$(if $(filter $(B)/%,$<),-fvisibility=default) $(DEPFILE) -c -o $@ $<
# Only goals below build/variants need these dependencies.
OBJECTS += $(if $(filter $(VARIANTS)/%,$(MAKECMDGOALS)),$(VARIANT_OBJECTS))

# The libraries. build/variants/plain has those objects of the installation.
MAKE_ARCHIVE    = $(call making,AR) rm -f $@ && $(AR) rcsD $@ $^
ADI_ARCHIVES   := $(KINDS:%=$(VARIANTS)/%/libadi.a)
EMBEDDED_ARCHIVES := $(EMBEDDED_KINDS:%=$(VARIANTS)/%/libembedded.a)
$(VARIANTS)/plain/libadi.a: $(ADI_OBJECTS)
$(VARIANTS)/plain/libembedded.a: $(ADI_OBJECTS) $(EMBEDDED_OBJECTS)
$(filter-out $(VARIANTS)/plain/%,$(ADI_ARCHIVES)): $(VARIANTS)/%/libadi.a: $$(call variant_objects,$$*,$(ADI_SOURCES))
$(filter-out $(VARIANTS)/plain/%,$(EMBEDDED_ARCHIVES)): $(VARIANTS)/%/libembedded.a: \
	$$(call variant_objects,$$*,$(ADI_SOURCES) $(EMBEDDED_SOURCES) $(EMBEDDED_ENTRIES))
$(ADI_ARCHIVES) $(EMBEDDED_ARCHIVES):
	$(MAKE_ARCHIVE)

# AddressSanitizer's library for the fronts.
$(VARIANTS)/asan/libwi4go-embedded.so.1: $(VARIANTS)/asan/libembedded.a $(B)/gen/embedded/exports.map
	$(call making,LINK) $(call compile_as,asan) -shared $(LDFLAGS) -Wl,-soname,$(@F),--version-script=$(B)/gen/embedded/exports.map \
		-o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive -lm

# The programs: build/variants/KIND/adi/NAME from tests/adi/programs/NAME.c and NAME_*.c, and
# build/variants/KIND/embedded/NAME from tests/embedded/programs/NAME.c.
programs_of       = $(patsubst tests/$(1)/programs/%.c,%,$(wildcard tests/$(1)/programs/*.c))
ADI_PROGRAMS      := $(foreach k,$(KINDS),$(addprefix $(VARIANTS)/$(k)/adi/,$(call programs_of,adi)))
EMBEDDED_PROGRAMS := $(foreach k,$(EMBEDDED_KINDS),$(addprefix $(VARIANTS)/$(k)/embedded/,$(call programs_of,embedded)))
$(ADI_PROGRAMS): $(VARIANTS)/%: $$(call variant_objects,$$(call kind_of,$$*),$$(wildcard tests/adi/programs/$$(@F).c tests/adi/programs/$$(@F)_*.c)) \
		$(VARIANTS)/$$(call kind_of,$$*)/libadi.a
	$(call making,LINK) $(call compile_as,$(call kind_of,$*)) $(LDFLAGS) -o $@ $^ -lm
$(EMBEDDED_PROGRAMS): $(VARIANTS)/%: $(VARIANTS)/$$(call kind_of,$$*)/tests/embedded/programs/$$(@F).o $(VARIANTS)/$$(call kind_of,$$*)/libembedded.a
	$(call making,LINK) $(call compile_as,$(call kind_of,$*)) $(LDFLAGS) $(WRAPPED) -o $@ $< -Wl,--whole-archive $(lastword $^) -Wl,--no-whole-archive -lm
# These make allocations fail.
$(foreach p,types_exhausted exhausted exhausted_ranks,$(EMBEDDED_KINDS:%=$(VARIANTS)/%/embedded/$(p))): private WRAPPED := \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=posix_memalign

# tracer.c replaces a function of the C library.
$(VARIANTS)/plain/adi/tracer.so: tests/adi/programs/tracer.c
	$(call making,LINK) $(call compile_as,plain) -Werror -shared -fPIC -o $@ $<
