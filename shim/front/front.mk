# The fronts, one library for each family under its first soname; the libraries without
# symbols that replace other libraries (stand-ins); the auditor. build/gen/rules.mk names the
# files.

# EXCEPTIONS lets the exceptions of C++ pass through the front's C, as far as the C library has an unwinder.
EXCEPTIONS   ?= -fexceptions
FRONT_CFLAGS  = $(CFLAGS) $(WARN) -std=gnu11 -fPIC $(EXCEPTIONS) -fvisibility=default -fno-semantic-interposition -fno-reorder-blocks-and-partition \
	-Ishim/front -Ishim/tracked -Ishim/emulate -Imappers -Ihandletable -Ic/asmchooser -Ic/launchers
EMULATED     := $(patsubst shim/emulate/%.c,%,$(wildcard shim/emulate/*.c))

# GEN is the directory of the family's generated sources.
FRONT_CC      = $(call making,CC) $(CC) $(FRONT_CFLAGS) $(if $(GEN),-I$(GEN)) $(DEPFILE) -c -o $@ $<
FRONT_AS      = $(call making,AS) $(CC) -fPIC -Ishim/front -Imappers -Ihandletable -Ic/asmchooser -I$(GEN) $(DEPFILE) -c -o $@ $<
LINK_FRONT    = $(call making,LINK) $(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(SHARED) -Wl,-soname,$(@F),--version-script,$(filter %.map,$^) -lm -ldl -lpthread
LINK_OWN      = $(call making,LINK) $(CC) $(CFLAGS) -Os $(WARN) -std=gnu11 -fPIC -Ishim/front -o $@ $< $(SHARED) -Wl,-soname,wi4go_own_$(notdir $(@D)).so,--version-script,$(filter %.map,$^)
MAKE_LINK     = $(call making,LN) ln -sfn $(TARGET) $@

# The objects that all fronts contain.
COMMON_OBJECTS := $(addprefix $(B)/obj/common/,$(addsuffix .o,messages slots core memory_lock loader_lock objects launchers load fortran_direct scratch rebind ranks signals thunk trampolines launcher_check handletable trampoline))
OBJECTS        += $(COMMON_OBJECTS)
$(B)/obj/common/%.o: shim/front/%.c
	$(FRONT_CC)
$(B)/obj/common/handletable.o: private FRONT_CFLAGS += -fvisibility=hidden
$(B)/obj/common/handletable.o: handletable/handletable.c
	$(FRONT_CC)
$(B)/obj/common/launchers.o: private FRONT_CFLAGS += -I$(B)/gen
$(B)/obj/common/launchers.o: c/launchers/launchers.c
	$(FRONT_CC)
$(B)/obj/common/trampoline.o: private GEN := .
$(B)/obj/common/trampoline.o: c/asmchooser/trampoline.S
	$(FRONT_AS)

# ---- the stand-ins: libraries without symbols that have a soname and need a front ---- The directory of a front has
# stand-ins for the family's other libraries. preload/, for LD_PRELOAD, has stand-ins for all libraries of the family,
# which need these as well; for the names that a linker looks for (libmpi.so), with which interpreters open the
# library; and for the parts of a C library that newer releases have divided, which need the front only. In path/, for
# LD_LIBRARY_PATH, the front has all names of its C library, and wi4go's Fortran library has the names of all the
# family's Fortran libraries.

STANDIN_SOURCES := shim/standin/standin.c shim/front/version.h shim/front/front.mk
STANDIN          = $(CC) $(WARN) -fPIC -Ishim/front -shared -nostdlib -s -Wl,-z,noexecstack,--hash-style=gnu,--build-id=none,--no-as-needed,-soname
# NEEDS are the names for DT_NEEDED. The linker takes such a name from the soname of a library,
# so a library with each name is made in a temporary directory.
LINK_STANDIN     = $(call making,LINK) rm -rf $@.needs && mkdir $@.needs && n=0 && needs= && \
	for name in $(NEEDS); do n=$$((n+1)); other=$@.needs/$$n; $(STANDIN),"$$name" -o $$other $< && needs="$$needs $$other" || exit 1; done && \
	$(STANDIN),$(or $(SONAME),$(@F)) -o $@ $< $$needs && rm -rf $@.needs

# The blank stand-in has space for names that are known only when a program starts.
repeat  = $(shell head -c 4096 /dev/zero | tr '\0' $(1))
$(B)/lib/wi4go/standin.so: private SONAME = $(call repeat,S)
$(B)/lib/wi4go/standin.so: private NEEDS = $(call repeat,N)
$(B)/lib/wi4go/standin.so: $(STANDIN_SOURCES)
	$(LINK_STANDIN)
fronts: $(B)/lib/wi4go/standin.so

# ---- the auditor, which has no C library: see shim/audit/audit.c ----

AUDITOR       := $(B)/lib/wi4go/audit.so
AUDIT_OBJECTS := $(patsubst shim/audit/%.c,$(B)/obj/audit/%.o,$(wildcard shim/audit/*.c))
OBJECTS       += $(AUDIT_OBJECTS)
$(B)/obj/audit/%.o: shim/audit/%.c
	$(call making,CC) $(CC) -O2 -g $(HERE) $(WARN) -std=gnu11 -fPIC -ffreestanding -fno-stack-protector -fno-tree-loop-distribute-patterns -fvisibility=hidden \
		-Ishim/front -Ishim/audit -I$(B)/gen $(DEPFILE) -c -o $@ $<
$(AUDITOR): $(AUDIT_OBJECTS)
	$(call making,LINK) $(CC) -nostdlib -o $@ $^ $(SHARED) -Wl,-soname,$(@F)
auditor: $(AUDITOR)

# ---- valgrind's suppressions ----

suppressions: $(B)/share/wi4go/valgrind.supp
$(B)/share/wi4go/valgrind.supp: shim/core/valgrind.supp
	$(call making,CP) cp $< $@
