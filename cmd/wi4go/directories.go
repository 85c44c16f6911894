package main

import (
	"os"

	"wi4go/internal/doctor"
	"wi4go/internal/launch"
	"wi4go/internal/runtimes"
)

// tinyShm is the space in /dev/shm, in bytes, with which no library starts two ranks reliably: Open
// MPI takes 4 MB for each.
const tinyShm = 8 << 20

// checkDirectories returns an error if the launcher cannot create the files of a job. It adds a
// warning to the first job if the ranks start on this host and cannot share memory here. vars are
// the variables of the launcher, in addition to the environment.
func checkDirectories(l launch.Launcher, segments []launch.Segment, jobs []*launch.Job, rt *runtimes.Runtime, command []string, vars []launch.Var) error {
	getenv := func(name string) string {
		for _, v := range vars {
			if v.Name == name {
				return v.Value
			}
		}
		return os.Getenv(name)
	}
	if err := checkSession(l, rt, command, getenv); err != nil || strictness(l) == "0" {
		return err
	}
	if others, _ := l.Peers(segments, rt); len(others) > 0 {
		return nil
	}
	if rt.Traits().PrivateMemory {
		return nil
	}
	if _, _, err := doctor.ThisMachine.SharedMemory(tinyShm); err != nil {
		jobs[0].Warnings = append(jobs[0].Warnings, err)
	}
	return nil
}

// checkSession returns an error if the launcher of a runtime cannot create the files of a job.
// options are the launcher's options, getenv reads its environment.
func checkSession(l launch.Launcher, rt *runtimes.Runtime, options []string, getenv func(string) string) error {
	if strictness(l) == "0" {
		return nil
	}
	return doctor.ThisMachine.Session(rt.StartedBy(), options, getenv)
}
