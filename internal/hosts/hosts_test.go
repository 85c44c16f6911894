package hosts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fault"
)

// file writes an executable script.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

// ask asks one host, whose remote shell is this machine's sh.
func ask(t *testing.T, q Question, agent ...string) (id, description string) {
	t.Helper()
	if agent == nil {
		agent = []string{file(t, `echo Welcome to $1; shift; PATH=/usr/bin:/bin; exec sh -c "$*"`)}
	}
	err := Ask(t.Context(), agent, "far", q)
	if err == nil {
		return "", ""
	}
	id, description, cure := fault.Of(err, "unnamed")
	assert.NotEmpty(t, cure, description)
	return id, description
}

// wi4go writes a command that answers for a host.
func wi4go(t *testing.T, version, answer string) Question {
	t.Helper()
	return Question{Command: file(t, fmt.Sprintf("[ \"$1\" = --version ] && echo 'wi4go %s' && exit\n"+
		`[ "$1 $2 $3 $4" = "host-answer /a b/libmpi.so mpich@4 /app's" ] && printf '%%s\n' 'wi4go-host answer %s'`+"\n", version, answer)),
		Version: "1.2", Needed: true, Library: "/a b/libmpi.so", Identity: "mpich@4", Programs: []string{"/app's"}}
}

func TestAsk(t *testing.T) {
	for _, c := range []struct{ version, answer, id, what string }{
		{"1.2", `{"identity":"mpich@4"}`, "", ""},
		{"1.1", `{"identity":"mpich@4"}`, "host-installation", "host far has another version of wi4go at %s: wi4go 1.1; this host has wi4go 1.2"},
		{"1.2", ``, "host-installation", "wi4go on host far does not answer (no output)"},
		{"1.2", `{"broken":"this installation of wi4go is damaged"}`, "host-installation", "on host far this installation of wi4go is damaged"},
		{"1.2", `{"identity":"mpich@3"}`, "host-library", "on host far the MPI library /a b/libmpi.so is mpich@3, but on this host it is mpich@4"},
		{"1.2", `{"absent":true}`, "host-library", "host far has no MPI library at /a b/libmpi.so"},
		{"1.2", `{"absent":true,"elsewhere":"/b/libmpi.so"}`, "host-library", "host far has no MPI library at /a b/libmpi.so, but has mpich@4 " +
			"at /b/libmpi.so"},
		{"1.2", `{"identity":"mpich@4","lacking":["/app"]}`, "host-program", "host far has no /app"},
	} {
		q := wi4go(t, c.version, c.answer)
		id, description := ask(t, q)
		assert.Equal(t, c.id, id)
		if c.version != q.Version {
			c.what = fmt.Sprintf(c.what, q.Command)
		}
		assert.Equal(t, c.what, description)
	}
}

// TestAskCommit checks that the commit in a version does not matter.
func TestAskCommit(t *testing.T) {
	q := wi4go(t, "1.2 (commit abc)", `{"identity":"mpich@4"}`)
	id, description := ask(t, q)
	assert.Empty(t, id, description)
}

func TestAskWithoutWi4go(t *testing.T) {
	q := wi4go(t, "1.2", "")
	elsewhere := filepath.Join(t.TempDir(), "wi4go")
	require.NoError(t, os.Rename(q.Command, elsewhere))
	id, description := ask(t, q)
	assert.Equal(t, "host-installation host far has no wi4go at "+q.Command, id+" "+description)

	agent := file(t, "shift; PATH="+filepath.Dir(elsewhere)+":$PATH; exec sh -c \"$*\"")
	_, description = ask(t, q, agent)
	assert.Equal(t, "host far has no wi4go at "+q.Command+", but there is one at "+elsewhere, description)

	// A program on its own library needs no wi4go there.
	q.Needed = false
	id, description = ask(t, q)
	assert.Equal(t, "host-library host far has no MPI library at /a b/libmpi.so", id+" "+description)
	q.Library = elsewhere
	id, _ = ask(t, q)
	assert.Empty(t, id)
}

func TestAskNoHosts(t *testing.T) {
	q := wi4go(t, "1.2", "")
	failing := file(t, "echo Warning >&2; echo far: no route to host >&2; exit 255")
	ssh := filepath.Join(t.TempDir(), "ssh")
	require.NoError(t, os.Symlink(failing, ssh))
	for _, c := range []struct{ agent, host, id, text string }{
		{failing, "localhost", "host-unreached", "cannot check host localhost (far: no route to host)"},
		{"/no/such/agent", "localhost", "host-unreached", "cannot check host localhost (/no/such/agent: no such file or directory)"},
		{ssh, "localhost", "host-unreachable", "`" + ssh + "` does not reach host localhost (far: no route to host)"},
		{ssh, "far.invalid", "host-unreachable", "there is no host far.invalid: its name does not resolve, and `" + ssh + "` does not reach it (far: no route to host)"},
		{"/no/such/agent", "far.invalid", "host-unreachable", "there is no host far.invalid: its name does not resolve, and `/no/such/agent` does not reach it (/no/such/agent: no such file or directory)"},
	} {
		id, description, cure := fault.Of(Ask(t.Context(), []string{c.agent}, c.host, q), "")
		assert.Equal(t, c.id+" "+c.text, id+" "+description)
		assert.NotEmpty(t, cure)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := Ask(ctx, []string{file(t, "exec sleep 1000")}, "localhost", q)
	assert.ErrorContains(t, err, "no answer in time")
}

func TestAskAll(t *testing.T) {
	agent := file(t, `case $1 in h7) exit 1;; esac; shift; exec sh -c "$*"`)
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprint("h", i))
	}
	for i, err := range AskAll(t.Context(), []string{agent}, names, wi4go(t, "1.2", `{"identity":"mpich@4"}`)) {
		assert.Equal(t, i == 7, err != nil, "%d: %v", i, err)
	}
}
