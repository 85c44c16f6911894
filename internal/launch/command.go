package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wi4go/internal/fault"
	"wi4go/internal/launchers"
	"wi4go/internal/runtimes"
)

// Mpiexec returns the path of the runtime's own launcher, or an error if none belongs to it.
func (l Launcher) Mpiexec(rt *runtimes.Runtime) (string, error) {
	if rt.Launcher == "" {
		return "", fault.New("no-launcher", fmt.Sprintf("name the mpiexec with --to, or start the ranks with the batch system: `srun … wi4go "+
			"exec --to %s … ./app`",
			rt.Library), "no mpiexec of %s found", rt.Library)
	}
	return rt.Launcher, nil
}

// launcherName returns the name by which to start a launcher: its bare name if the user's PATH leads to
// it, else its path. Given a path, Open MPI 4 takes the directory above the launcher's directory as
// its prefix, and puts PREFIX/bin and PREFIX/lib before the PATH and LD_LIBRARY_PATH of its ranks.
// With a launcher below /usr, the system's python3 would then come before the python3 of an active
// environment.
func (l Launcher) launcherName(rt *runtimes.Runtime, mpiexec string) string {
	if rt.Found != runtimes.InPath {
		return mpiexec
	}
	name := filepath.Base(mpiexec)
	for _, dir := range l.Runtimes.Path {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			if file == mpiexec {
				return name
			}
			break
		}
	}
	return mpiexec
}

// Command returns the command line of the runtime's launcher for segments and their jobs, one job
// per segment. The segments' options are of that launcher; see Translate.
//
// If all programs need the same environment, the launcher's own option carries it (Open MPI: -x,
// Hydra: -genv), so that processes spawned later have it too. Open MPI 5's launcher does not pass
// it on to spawned processes; there the front does (mappers/spawn.h).
//
// Otherwise `wi4go exec` starts each program, and merges values, creates files and sets variables
// in the rank itself. This is necessary if
//
//   - the programs need different environments, because Open MPI 5 gives the first program's -x
//     to all of them;
//   - the user's own options set LD_PRELOAD, because launchers disagree about which of two
//     settings counts;
//   - a value has to be merged with a different value on each host;
//   - the job needs files that another host's home directory may lack;
//   - a script may read the variables of its own MPI's launcher.
func (l Launcher) Command(segments []Segment, jobs []*Job) ([]string, error) {
	rt := jobs[0].Runtime
	mpiexec, err := l.Mpiexec(rt)
	if err != nil {
		return nil, err
	}
	launcher := rt.StartedBy()
	carry, wrap := launcher.Carry.Option != "" && !l.setsPreload(launcher, segments), false
	for _, j := range jobs {
		carry = carry && slices.Equal(j.Env, jobs[0].Env)
		wrap = wrap || j.mergesOnHost || j.startsWithoutFront() || len(j.files) > 0 && l.mayUseOtherHosts(segments)
	}
	wrap = wrap || !carry
	if _, err := l.Config(); err != nil {
		return nil, err
	}
	command := append([]string{l.launcherName(rt, mpiexec)}, l.configuredOptions(rt)...)
	if carry && !launcher.Carry.ByProgram {
		command = append(command, l.launcherArgs(launcher, jobs[0], nil)...)
	}
	for i, s := range segments {
		if i > 0 {
			command = append(command, ":")
		}
		if carry && launcher.Carry.ByProgram {
			command = append(command, l.launcherArgs(launcher, jobs[i], s.Options)...)
		}
		command = append(command, s.Options...)
		if wrap && len(jobs[i].Env) > 0 {
			command = append(command, l.Tree.Command(), "exec")
			if jobs[i].From != nil {
				command = append(command, "--from", jobs[i].fromOption())
			}
			command = append(command, "--to", rt.Library)
			if l.Identity {
				command = append(command, "--identity")
			}
			command = append(command, "--")
		}
		command = append(command, s.Program...)
	}
	return command, nil
}

// startsWithoutFront reports whether a rank starts with a script or a wrapper instead of the program.
// Such a process loads no front. Only a front, or `wi4go exec`, sets the variables through which
// the launcher of the program's own MPI would give the process its rank (internal/rankvars).
func (r *Request) startsWithoutFront() bool {
	return r.From != nil && r.From != r.Runtime.Family && (r.Program == nil || len(r.Program.Via) > 0)
}

// launcherArgs returns the arguments that make a launcher pass a job's variables to its ranks. options
// are the launcher options of the program's segment; variables that they name are left to them.
// nil: the arguments are for all segments.
func (l Launcher) launcherArgs(launcher *launchers.Launcher, j *Job, options []string) (words []string) {
	vars := j.launcherVars()
	if launcher.Carry.HandsOn {
		vars = append(vars, l.forwardedVars(j, options)...)
	}
	for _, v := range vars {
		words = append(words, launcher.Carry.Words(v.Name, v.Value)...)
	}
	return words
}

// launcherVars returns the variables that a launcher may set: all but LD_LIBRARY_PATH, which has a
// different value on each host.
func (j *Job) launcherVars() []Var {
	return slices.DeleteFunc(slices.Clone(j.Env), func(v Var) bool { return v.Name == "LD_LIBRARY_PATH" })
}

// setsPreload reports whether the user's options set LD_PRELOAD themselves, or the user carries
// variables in a way that excludes the option that wi4go would use.
func (l Launcher) setsPreload(launcher *launchers.Launcher, segments []Segment) bool {
	list := launcher.Carry.OtherWay
	if list != "" && l.Getenv(launcher.Carry.OtherWayVariable) != "" {
		return true
	}
	for _, s := range segments {
		for _, o := range s.Options {
			if list != "" && o == list || o == "LD_PRELOAD" || strings.HasPrefix(o, "LD_PRELOAD=") {
				return true
			}
		}
	}
	return false
}
