package launch

import (
	"fmt"
	"slices"
	"strings"

	"wi4go/internal/family"
)

// arityNames holds, for the options of the known launchers (Open MPI 4 and 5, and
// Hydra as MPICH and Intel MPI have it), how many arguments follow. It is only
// used to find the program among them: an option that is not here, or that
// means different things to different launchers, is of unknown arity.
var arityNames = [...]string{
	// none
	`allow-run-as-root bind-to-core bind-to-socket bycore bynode byslot bysocket continuous d debug-devel debug
		 debug-daemons debug-daemons-file disable-recovery display-allocation display-devel-allocation
		 display-devel-map display-diffable-map display-map display-topo do-not-launch do-not-resolve
		 enable-instant-on-support enable-recovery fwd-mpirun-port get-stack-traces index-argv-by-rank
		 leave-session-attached merge-stderr-to-stdout nolocal nooversubscribe noprefix novm oversubscribe pernode
		 q quiet preload-binary report-bindings report-child-jobs-separately report-state-on-timeout
		 set-cwd-to-session-dir show-progress tag-output timestamp-output tv use-hwthread-cpus use-regexp v verbose V
		 version xml stop-on-exec
		 genvnone genvall envnone envall enable-x disable-x info print-all-exitcodes profile prepend-rank l
		 disable-auto-cleanup disable-hostname-propagation skip-launch-node rr ilp64 check_mpi`,
	// one
	`am app bind-to c np n cf cartofile cpu-list cpu-set cpus-per-proc cpus-per-rank debugger default-hostfile
		 H host hnp hostfile launch-agent machinefile map-by max-restarts max-vm-size N npernode npersocket
		 ompi-server output-filename path personality ppr prefix preload-files rank-by report-events report-pid
		 report-uri rf rankfile stdin timeout wd wdir x xml-file xterm
		 display output runtime-options dvm-uri with-ft add-host add-hostfile
		 genvlist envlist f hosts configfile launcher launcher-exec bootstrap bootstrap-exec rmk topolib membind
		 demux iface ppn perhost prepend-pattern outfile-pattern errfile-pattern nameserver order-nodes localhost
		 usize pmi-port gpus-per-proc gpu-subdevs-per-proc ckpoint-prefix grr`,
	// two
	`mca gmca omca gomca prtemca pmixmca gpmixmca genv env`,
}

var arity = func() map[string]int {
	table := map[string]int{}
	for n, names := range arityNames {
		for name := range strings.FieldsSeq(names) {
			table[name] = n
		}
	}
	return table
}()

// optionArity gives how many arguments follow an option; ok is false where
// that is unknown. Hydra and Open MPI take one dash for two; --a=b is whole.
func optionArity(option string) (n int, ok bool) {
	if strings.Contains(option, "=") {
		return 0, true
	}
	n, ok = arity[strings.TrimLeft(option, "-")]
	return n, ok
}

// isOption says whether an argument is one of a launcher's options.
func isOption(arg string) bool { return strings.HasPrefix(arg, "-") && len(arg) > 1 }

// ownOptions are our options, without dashes; in lines of launchers too.
var ownOptions = []string{"from", "to", "identity", "dry-run", "verbose", "get"}

// meant is the error of an option that is one of ours but for a letter or a dash, and no
// launcher's; nil where it is neither.
func meant(option string) error {
	name, value, glued := strings.Cut(option, "=")
	if name == "--" || !isOption(name) {
		return nil
	}
	dashed := strings.HasPrefix(name, "--")
	name = strings.TrimLeft(name, "-")
	if dashed && slices.Contains(ownOptions, name) {
		if glued {
			return fmt.Errorf("--%s takes no value, and %q is one: wi4go help run", name, value)
		}
		return nil // --verbose among a launcher's
	}
	if _, launcher := arity[name]; launcher {
		return nil
	}
	for _, known := range ownOptions {
		if name == known || name == "too" && known == "to" || len(known) > 3 && family.Alike(name, known) {
			return fmt.Errorf("unknown option %s: did you mean --%s?", option, known)
		}
	}
	return nil
}

// Known says whether a word is an option of ours or of a launcher's.
func Known(option string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	_, launcher := arity[name]
	return isOption(option) && (launcher || slices.Contains(ownOptions, name))
}
