#include "go_asm.h"
#include "textflag.h"

// System calls (asm-generic/unistd.h), and constants for them.
#define SYS_write 64
#define SYS_exit_group 94
#define SYS_getrlimit 163
#define RLIMIT_AS 9
#define STDERR 2

TEXT ·entry(SB),NOSPLIT|NOFRAME,$0
	SUB	$16, RSP // struct rlimit: the current limit, and the maximum
	MOVD	$RLIMIT_AS, R0
	MOVD	RSP, R1
	MOVD	$SYS_getrlimit, R8
	SVC
	CBNZ	R0, start
	MOVD	(RSP), R0
	MOVD	$const_neededToStart, R1
	CMP	R1, R0
	BHS	start
	MOVD	$STDERR, R0
	MOVD	·lowAddressSpace(SB), R1
	MOVD	·lowAddressSpace+8(SB), R2
	MOVD	$SYS_write, R8
	SVC
	MOVD	$const_exitFailure, R0
	MOVD	$SYS_exit_group, R8
	SVC
start:
	ADD	$16, RSP
	B	_rt0_arm64_linux(SB)
