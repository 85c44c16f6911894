package main

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"wi4go/internal/fetch"
)

// A manager is a package manager of a Linux distribution.
type manager struct {
	command  string            // in PATH
	update   string            // the command that reads the lists of packages, or "" if install reads them
	install  string            // the command that installs packages, without a question
	packages map[string]string // the package of each MPI library by its name for `wi4go get`, and of pip
}

// pip is the key of pip's package in manager.packages.
const pip = "pip"

// rpms are the packages of Fedora, RHEL and their descendants.
var rpms = map[string]string{"openmpi": "openmpi", "mpich": "mpich", pip: "python3-pip"}

// managers are the known package managers. The first one in PATH counts.
var managers = []manager{
	{"apt-get", "apt-get update", "apt-get install -y --no-install-recommends", map[string]string{"openmpi": "openmpi-bin", "mpich": "mpich", pip: "python3-pip"}},
	{"zypper", "", "zypper install -y", map[string]string{"openmpi": "openmpi4", "mpich": "mpich", pip: "python3-pip"}},
	{"dnf", "", "dnf install -y", rpms},
	{"microdnf", "", "microdnf install -y", rpms},
	{"yum", "", "yum install -y", rpms},
}

// line returns the command that installs a package. It runs as root, or by sudo.
func (m manager) line(name, sudo string) string {
	line := sudo + m.install + " " + m.packages[name]
	if m.update != "" {
		line = sudo + m.update + " && " + line
	}
	return line
}

// A machine holds the facts on which the advice to install a library depends.
type machine struct {
	canGet  bool     // `wi4go get` finds a package index
	manager *manager // nil: none is known
	root    bool     // this process is root's
	sudo    bool     // sudo is in PATH
}

// thisMachine returns the facts of this machine. index is the index of the configuration, or "".
func thisMachine(index string) machine {
	m := machine{root: os.Geteuid() == 0, canGet: index != "" || fetch.ConfiguredIndex(os.Getenv) != "" || fetch.MayHavePip()}
	for i := range managers {
		if _, err := exec.LookPath(managers[i].command); err == nil {
			m.manager = &managers[i]
			break
		}
	}
	_, err := exec.LookPath("sudo")
	m.sudo = err == nil
	return m
}

// installing returns the command that installs a library on the machine, in quotes for messages. name
// is its name for `wi4go get`, with or without a version.
func (m machine) installing(name string) string {
	get := "wi4go get " + name
	sudo := ""
	if !m.root && m.sudo {
		sudo = "sudo "
	}
	switch {
	case m.canGet:
		return "`" + get + "`"
	case m.manager == nil:
		return "`" + get + "` once a python3 with pip is in PATH"
	case m.manager.packages[name] != "" && (m.root || m.sudo):
		return "`" + m.manager.line(name, sudo) + "`"
	case m.manager.packages[name] != "":
		return "`" + m.manager.line(name, "") + "` as root"
	case m.root || m.sudo:
		return "`" + m.manager.line(pip, sudo) + " && " + get + "`"
	}
	return fmt.Sprintf("`%s` once root has run `%s`", get, m.manager.line(pip, ""))
}

// insteadCommand returns the command that a front starts (shim/front/slots.c) when the program calls a
// function that the library lacks. It prints the option that chooses an installed library with the
// function, or the command that installs one.
func insteadCommand() *cobra.Command {
	return &cobra.Command{
		Use: "instead FUNCTION LIBRARY", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			l, rt, err := launcherOn(args[1])
			if err != nil {
				return err
			}
			fmt.Fprintln(stdout, l.InsteadOf(rt, args[0]))
			return nil
		},
	}
}
