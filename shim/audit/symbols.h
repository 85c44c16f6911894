/*
 * Looks symbols up in one object, by the object's own tables.
 *
 * Gives: defines, needed_symbol.
 */
#ifndef WI4GO_AUDIT_SYMBOLS_H
#define WI4GO_AUDIT_SYMBOLS_H

#include "system.h"
#include <elf.h>
#include <link.h>
#include <stdint.h>

/* Returns the address that an entry of the dynamic section holds, or 0. Some loaders have added
   the object's base to it, others have not. */
static uintptr_t dynamic_address(const struct link_map *map, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d->d_un.d_ptr < map->l_addr ? d->d_un.d_ptr + map->l_addr : d->d_un.d_ptr;
    return 0;
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

static uint32_t sysv_hash(const char *name)
{
    uint32_t h = 0;
    for (; *name; name++) {
        h = (h << 4) + (unsigned char)*name;
        h = (h ^ (h & 0xf0000000) >> 24) & 0x0fffffff;
    }
    return h;
}

/* Reports whether a symbol is a definition of this name. */
static int is_definition(const ElfW(Sym) *symbol, const char *strings, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF && equal(strings + symbol->st_name, name);
}

/* Reports whether the GNU hash table contains the symbol. The table has four words, the Bloom filter,
   the buckets, and the chains; the last element of a chain has its lowest bit set. */
static int in_gnu_table(const uint32_t *table, const ElfW(Sym) *symbols, const char *strings, const char *name)
{
    const uint32_t n_buckets = table[0], first = table[1], filter_words = table[2], hash = gnu_hash(name);
    const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(table + 4) + filter_words), *chains = buckets + n_buckets;
    uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0;
    if (i < first)
        return 0;
    for (;; i++) {
        const uint32_t found = chains[i - first];
        if ((found | 1) == (hash | 1) && is_definition(symbols + i, strings, name))
            return 1;
        if (found & 1)
            return 0;
    }
}

/* Reports whether the System V hash table contains the symbol. The table has two words, the buckets,
   and the chains. */
static int in_sysv_table(const uint32_t *table, const ElfW(Sym) *symbols, const char *strings, const char *name)
{
    const uint32_t n_buckets = table[0], *buckets = table + 2, *chains = buckets + n_buckets;
    for (uint32_t i = n_buckets ? buckets[sysv_hash(name) % n_buckets] : 0; i; i = chains[i])
        if (is_definition(symbols + i, strings, name))
            return 1;
    return 0;
}

/* Reports whether an object itself defines a symbol. */
static int defines(const struct link_map *map, const char *name)
{
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)dynamic_address(map, DT_SYMTAB);
    const char *strings = (const char *)dynamic_address(map, DT_STRTAB);
    const uint32_t *gnu = (const uint32_t *)dynamic_address(map, DT_GNU_HASH), *sysv = (const uint32_t *)dynamic_address(map, DT_HASH);
    if (!symbols || !strings)
        return 0;
    return gnu ? in_gnu_table(gnu, symbols, strings, name) : sysv && in_sysv_table(sysv, symbols, strings, name);
}

/* Returns the value of an entry of the dynamic section that is no address, or 0. */
static size_t dynamic_number(const struct link_map *map, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d->d_un.d_val;
    return 0;
}

/* Returns the name of a symbol that the object's relocations need, or NULL if there are no more. Relocations are
   counted from 0 through both tables: of data with copies, and of functions. */
static const char *needed_symbol(const struct link_map *map, size_t relocation)
{
    const ElfW(Rela) *tables[] = {(const ElfW(Rela) *)dynamic_address(map, DT_RELA), (const ElfW(Rela) *)dynamic_address(map, DT_JMPREL)};
    const size_t sizes[] = {dynamic_number(map, DT_RELASZ), dynamic_number(map, DT_PLTRELSZ)};
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)dynamic_address(map, DT_SYMTAB);
    const char *strings = (const char *)dynamic_address(map, DT_STRTAB);
    for (int i = 0; i < 2 && symbols && strings; i++) {
        const size_t n = tables[i] ? sizes[i] / sizeof **tables : 0;
        if (relocation < n)
            return strings + symbols[ELF64_R_SYM(tables[i][relocation].r_info)].st_name;
        relocation -= n;
    }
    return NULL;
}
#endif
