/*
 * XDR (RFC 4506) of the basic types: big-endian; short types take 4 bytes, long types 8, long
 * double 16 (IEEE quadruple); bytes and characters are opaque. Every value of a type comes back
 * unchanged, also if its bytes arrive one by one.
 *
 * Gives: adi_basic_size, adi_xdr_size, adi_to_xdr, adi_from_xdr.
 * Needs: adi_types.h.
 */
#ifndef WI4GO_XDR_H
#define WI4GO_XDR_H

#include "adi_types.h"

enum { ADI_XDR_MAX = 16 };

int adi_basic_size(enum MPID_Basic basic);
int adi_xdr_size(enum MPID_Basic basic);
/* Convert one element. */
void adi_to_xdr(enum MPID_Basic basic, const void *element, unsigned char *xdr);
void adi_from_xdr(enum MPID_Basic basic, const unsigned char *xdr, void *element);

#endif
