// Package machine names the machines that ELF files are for. It is apart from
// elfobj so that what runs inside a program can say them without an ELF reader.
package machine

import (
	"fmt"
	"runtime"
)

// numbers are the values of e_machine (the ELF gABI, chapter 4) by Go's names.
var numbers = map[string]uint16{"386": 3, "ppc64le": 21, "ppc64": 21, "s390x": 22, "arm": 40, "amd64": 62, "arm64": 183,
	"riscv64": 243, "loong64": 258}

// Host is the e_machine of this machine's programs, or 0 if it is unknown.
func Host() uint16 { return numbers[runtime.GOARCH] }

// Name is what people call a machine: x86-64, arm64, …
func Name(number uint16) string {
	switch number {
	case 3:
		return "32-bit x86"
	case 21:
		return "ppc64"
	case 22:
		return "s390"
	case 40:
		return "32-bit arm"
	case 43:
		return "sparcv9"
	case 62:
		return "x86-64"
	case 183:
		return "arm64"
	case 243:
		return "riscv64"
	case 258:
		return "loongarch64"
	}
	return fmt.Sprintf("ELF machine %d", number)
}
