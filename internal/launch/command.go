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

// Mpiexec is the runtime's own launcher.
func (l Launcher) Mpiexec(rt *runtimes.Runtime) (string, error) {
	if rt.Launcher == "" {
		return "", fault.New("no-launcher", fmt.Sprintf("name it with --to, or use the batch system's: `srun … wi4go exec --to %s … ./app`",
			rt.Library), "found no mpiexec that belongs to %s", rt.Library)
	}
	return rt.Launcher, nil
}

// called returns the name by which a launcher is started: its path, or its bare name if that
// is how the user finds it in PATH. Open MPI 4 takes the directory above a path's for a prefix,
// and puts PREFIX/bin and PREFIX/lib before the PATH and LD_LIBRARY_PATH of its ranks: of a
// path below /usr, the system's python3 would come before an active environment's.
func (l Launcher) called(rt *runtimes.Runtime, mpiexec string) string {
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

// Command builds the command line of the runtime's launcher for segments and
// their jobs, one job each.
//
// Where all programs need the same environment, the launcher's own means carry
// it (Open MPI: -x, Hydra: -genv), so that processes spawned later have it
// (not from Open MPI 5's launcher: there the front hands it on, mappers/dynamic.h)
// too. Where they differ (Open MPI 5 gives the first program's -x to all),
// where the user's own options set LD_PRELOAD (launchers disagree on which of
// two counts), where a value has to be merged with each host's own, where files
// are made that another host's home may lack, or where a script may read the variables of
// its own MPI's launcher, each program is put behind `wi4go exec`, which merges, makes and
// sets them in the rank itself.
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
		wrap = wrap || j.merge || j.beginsWithout() || len(j.made) > 0 && l.leaves(segments)
	}
	wrap = wrap || !carry
	if _, err := l.Config(); err != nil {
		return nil, err
	}
	command := append([]string{l.called(rt, mpiexec)}, l.configured(rt)...)
	if carry && !launcher.Carry.ByProgram {
		command = append(command, l.carriedBy(launcher, jobs[0], nil)...)
	}
	for i, s := range segments {
		if i > 0 {
			command = append(command, ":")
		}
		if carry && launcher.Carry.ByProgram {
			command = append(command, l.carriedBy(launcher, jobs[i], s.Options)...)
		}
		command = append(command, launcher.Spelled(s.Options)...)
		if wrap && len(jobs[i].Env) > 0 {
			command = append(command, l.Tree.Command(), "exec")
			if jobs[i].From != nil {
				command = append(command, "--from", jobs[i].fromOf())
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

// beginsWithout reports whether a rank begins with something else than the program, which
// loads no front: a script or a wrapper. By a front alone it gets the variables by which
// the launcher of its own MPI would tell it its rank (internal/rankvars).
func (j *Job) beginsWithout() bool {
	return j.From != nil && j.From != j.Runtime.Family && (j.Program == nil || len(j.Program.Via) > 0)
}

// carriedBy returns the words by which a launcher's command line gives the ranks of a job
// their variables.
func (l Launcher) carriedBy(launcher *launchers.Launcher, j *Job, options []string) (words []string) {
	vars := j.carried()
	if launcher.Carry.HandsOn {
		vars = append(vars, l.handed(j, options)...)
	}
	for _, v := range vars {
		words = append(words, launcher.Carry.Words(v.Name, v.Value)...)
	}
	return words
}

// carried is what a launcher may set: not what each host has a value of its own for.
func (j *Job) carried() []Var {
	return slices.DeleteFunc(slices.Clone(j.Env), func(v Var) bool { return v.Name == "LD_LIBRARY_PATH" })
}

// setsPreload says whether the user's own means set what ours would have to.
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
