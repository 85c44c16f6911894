#include "go_asm.h"
#include "textflag.h"

// System calls (asm/unistd_64.h), and constants for them.
#define SYS_write 1
#define SYS_getrlimit 97
#define SYS_exit_group 231
#define RLIMIT_AS 9
#define STDERR 2

TEXT ·entry(SB),NOSPLIT|NOFRAME,$0
	SUBQ	$16, SP // struct rlimit: the current limit, and the maximum
	MOVL	$SYS_getrlimit, AX
	MOVL	$RLIMIT_AS, DI
	MOVQ	SP, SI
	SYSCALL
	TESTQ	AX, AX
	JNE	start
	MOVQ	(SP), AX
	CMPQ	AX, $const_neededToStart
	JCC	start
	MOVL	$SYS_write, AX
	MOVL	$STDERR, DI
	MOVQ	·lowAddressSpace(SB), SI
	MOVQ	·lowAddressSpace+8(SB), DX
	SYSCALL
	MOVL	$SYS_exit_group, AX
	MOVL	$const_exitFailure, DI
	SYSCALL
start:
	ADDQ	$16, SP
	JMP	_rt0_amd64_linux(SB)
