package harness

import (
	"flag"
	"os"
	"runtime"
	"strconv"
)

// Main runs the tests of a package whose parallel tests start programs that mostly wait:
// several for each core at once, unless -parallel says how many.
func Main(m interface{ Run() int }) {
	if err := flag.Set("test.parallel", strconv.Itoa(Jobs())); err != nil {
		panic(err) // there is no such flag outside of a test
	}
	os.Exit(m.Run())
}

// Jobs is how many programs of two ranks run at once: most of their time they wait for
// their launcher and for each other, giving the core up.
func Jobs() int { return 2 * runtime.NumCPU() }
