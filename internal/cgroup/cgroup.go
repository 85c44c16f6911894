// Package cgroup reads the limits that control groups of Linux, of both versions, set for this process: containers, batch
// systems and systemd use them.
package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Groups finds the control groups of this process.
type Groups struct {
	Root string // directory that has proc and sys; "" is the machine's own root
}

// mounted is the directory of all control groups.
const mounted = "sys/fs/cgroup"

// directories returns the directories of the process's group and of the groups around it for a controller, the innermost
// first. It returns none if the controller is not in use.
func (g Groups) directories(controller string) (list []string) {
	base := filepath.Join("/", g.Root, mounted)
	text, _ := os.ReadFile(filepath.Join("/", g.Root, "proc/self/cgroup")) // without it there are no groups
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(fields) != 3 {
			continue
		}
		top := ""
		switch {
		case fields[1] == "": // version 2
			top = base
		case contains(fields[1], controller):
			top = filepath.Join(base, fields[1])
		default:
			continue
		}
		for path := filepath.Clean("/" + fields[2]); ; path = filepath.Dir(path) {
			list = append(list, filepath.Join(top, path)) // in a container the path may be another one: then only the top exists
			if path == "/" {
				break
			}
		}
	}
	return list
}

// contains reports whether a list with commas has a name.
func contains(list, name string) bool {
	for word := range strings.SplitSeq(list, ",") {
		if word == name {
			return true
		}
	}
	return false
}

// number returns the number in a file, or an error if it has none: "max" is no limit.
func number(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// Processes is a limit on the number of processes and threads.
type Processes struct {
	File       string // has the limit
	Most, Used int    // the limit, and how many there are now
}

// Processes returns the limit that leaves the least room, and whether there is one.
func (g Groups) Processes() (least Processes, found bool) {
	for _, dir := range g.directories("pids") {
		p := Processes{File: filepath.Join(dir, "pids.max")}
		var err error
		if p.Most, err = number(p.File); err != nil {
			continue
		}
		if p.Used, err = number(filepath.Join(dir, "pids.current")); err != nil {
			continue
		}
		if !found || p.Most-p.Used < least.Most-least.Used {
			least, found = p, true
		}
	}
	return least, found
}

// Refused returns how many processes and threads the limits of the groups have refused so far.
func (g Groups) Refused() (count int) {
	for _, dir := range g.directories("pids") {
		count = max(count, event(filepath.Join(dir, "pids.events"), "max")) // a group also counts for the groups in it
	}
	return count
}

// event returns the number of an event in a file, or -1.
func event(path, name string) int {
	text, _ := os.ReadFile(path) // without the file there are no events
	for line := range strings.Lines(string(text)) {
		if word, value, _ := strings.Cut(strings.TrimSpace(line), " "); word == name {
			if n, err := strconv.Atoi(value); err == nil {
				return n
			}
		}
	}
	return -1
}

// Kills returns how many processes of the group of this process the kernel has ended because memory was exhausted, and the file
// with the limit on memory. It returns an empty name if the group has no such limit.
func (g Groups) Kills() (count int, file string) {
	for _, dir := range g.directories("memory") {
		for events, limit := range map[string]string{"memory.events": "memory.max", "memory.oom_control": "memory.limit_in_bytes"} {
			if count := event(filepath.Join(dir, events), "oom_kill"); count >= 0 {
				return count, filepath.Join(dir, limit)
			}
		}
	}
	return 0, ""
}

// Raise is the cure for a limit on processes.
const Raise = "raise the limit (--pids-limit of a container, TasksMax= of systemd, the batch system's option, or ulimit -u), or start fewer ranks"

// StartError returns the error of starting a process, with the limit and the cure if the kernel has no room for one.
func (g Groups) StartError(err error) error {
	if !errors.Is(err, syscall.EAGAIN) {
		return err
	}
	return fmt.Errorf("%w: %s", err, g.Full())
}

// Full returns the reason and the cure of an error for lack of processes or threads.
func (g Groups) Full() string {
	if p, found := g.Processes(); found {
		return fmt.Sprintf("the limit on processes and threads is reached, %d (%s); %s", p.Most, p.File, Raise)
	}
	return "the limit on processes and threads is reached; " + Raise
}
