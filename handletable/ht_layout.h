/*
 * Numbers of a table that the assembly of ht_x86_64.h and of the fast paths
 * (gen/assembly/fast_path.go) shares with handletable.h, which checks them.
 *
 * Gives: the numbers below, for C and assembly.
 */
#ifndef WI4GO_HT_LAYOUT_H
#define WI4GO_HT_LAYOUT_H

#define HT_CHUNK 65536          /* slots of a chunk; look-ups in the first chunk are fast */
#define HT_GENERATION 0x400000  /* 1 in the generation bits of a handle */
#define HT_KIND_MASK 0xfc000000 /* the kind bits of a handle */
#define HT_HASH 0x1002b         /* adds the upper half of an address, and a little more, to the lower one: objects at regular steps are in different
                                   buckets, and neighbors in near ones, so that few pages of them are used */

/* Offsets in a struct handletable. The arrays of its first chunk come first; HT_HEADS is
   `bucket`. */
#define HT_OBJECTS 0
#define HT_HANDLES 0x80000
#define HT_NEXT 0xc0000
#define HT_FURTHER 0x100000
#define HT_HEADS 0x140200
#define HT_KIND 0x18028c
#define HT_FREE 0x180290
#define HT_LOCK 0x180298
#define HT_SIZE 0x1802a0
#endif
