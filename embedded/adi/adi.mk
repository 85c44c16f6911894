# The abstract device: libadi.a, the same without locks (libadi-nolocks.a), and with ranks as
# threads of one process (libadi-ranks.a); and adirun, a launcher.

ADI         := $(B)/embedded
ADI_SOURCES := $(filter-out embedded/adi/adirun.c,$(wildcard embedded/adi/*.c))
ADI_FLAGS   := -std=gnu11 -fPIC -fvisibility=hidden -pthread

# $(call adi_library,NAME,FLAGS): the rules of a library and its objects.
adi_objects = $(patsubst embedded/adi/%.c,$(B)/obj/$(1)/%.o,$(ADI_SOURCES))
define adi_library
OBJECTS += $(call adi_objects,$(1))
$(call adi_objects,$(1)): $(B)/obj/$(1)/%.o: embedded/adi/%.c
	$$(call making,CC) $$(CC) $$(CFLAGS) $$(WARN) $$(ADI_FLAGS) $(2) $$(DEPFILE) -c -o $$@ $$<
$(ADI)/lib$(1).a: $(call adi_objects,$(1))
	$$(call making,AR) rm -f $$@ && $$(AR) rcsD $$@ $$^
adi: $(ADI)/lib$(1).a
endef
$(eval $(call adi_library,adi,))
$(eval $(call adi_library,adi-nolocks,-DADI_LOCKS=0))
$(eval $(call adi_library,adi-ranks,-DADI_RANK_THREADS))

$(ADI)/adirun: embedded/adi/adirun.c $(ADI)/libadi.a
	$(call making,LINK) $(CC) $(CFLAGS) $(WARN) $(ADI_FLAGS) $(LDFLAGS) -o $@ $^
adi: $(ADI)/adirun
.PHONY: adi
