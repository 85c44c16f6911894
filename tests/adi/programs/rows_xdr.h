/*
 * XDR (RFC 4506) of the basic types: big-endian; short types take 4 bytes, long types 8, long
 * double 16 (IEEE quadruple); bytes and characters are opaque. Every value of a type comes back
 * unchanged, also if its bytes arrive one by one.
 *
 * Gives: basic_size, xdr_size, to_xdr, from_xdr.
 * Needs: rows_layouts.h.
 */
#ifndef WI4GO_ROWS_XDR_H
#define WI4GO_ROWS_XDR_H

#include "rows_layouts.h"

enum { XDR_MAX = 16 };

int basic_size(enum basic_type basic);
int xdr_size(enum basic_type basic);
/* Convert one element. */
void to_xdr(enum basic_type basic, const void *element, unsigned char *xdr);
void from_xdr(enum basic_type basic, const unsigned char *xdr, void *element);

#endif
