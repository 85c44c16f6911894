# The abstract device: libadi.a; and adirun, a launcher. tests/variants.mk has its other builds.

ADI         := $(B)/embedded
ADI_SOURCES := $(filter-out embedded/adi/adirun.c,$(wildcard embedded/adi/*.c))
ADI_OBJECTS := $(patsubst embedded/adi/%.c,$(B)/obj/adi/%.o,$(ADI_SOURCES))
ADI_FLAGS   := -std=gnu11 -fPIC -fvisibility=hidden -pthread
OBJECTS     += $(ADI_OBJECTS)

$(ADI_OBJECTS): $(B)/obj/adi/%.o: embedded/adi/%.c
	$(call making,CC) $(CC) $(CFLAGS) $(WARN) $(ADI_FLAGS) $(DEPFILE) -c -o $@ $<
$(ADI)/libadi.a: $(ADI_OBJECTS)
	$(call making,AR) rm -f $@ && $(AR) rcsD $@ $^
$(ADI)/adirun: embedded/adi/adirun.c $(ADI)/libadi.a
	$(call making,LINK) $(CC) $(CFLAGS) $(WARN) $(ADI_FLAGS) $(LDFLAGS) -o $@ $^
adi: $(ADI)/libadi.a $(ADI)/adirun
.PHONY: adi
