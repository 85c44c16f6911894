package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOf(t *testing.T) {
	whole := New("too-old", "install a newer one", "%s is too old", "libx")
	for name, c := range map[string]struct {
		err            error
		text           string
		id, what, cure string
	}{
		"whole":       {whole, "libx is too old: install a newer one", "too-old", "libx is too old", "install a newer one"},
		"wrapped":     {fmt.Errorf("app: %w", whole), "app: libx is too old: install a newer one", "too-old", "app: libx is too old", "install a newer one"},
		"in between":  {fmt.Errorf("%w (app)", whole), "libx is too old: install a newer one (app)", "too-old", "libx is too old: install a newer one (app)", ""},
		"no cure":     {New("bad", "", "bad"), "bad", "bad", "bad", ""},
		"only a cure": {fmt.Errorf("who knows: %w", &Fault{ID: "ask", Cure: "ask"}), "who knows: ask", "ask", "who knows", "ask"},
		"no fault":    {errors.New("plain"), "plain", "other", "plain", ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.EqualError(t, c.err, c.text)
			id, description, cure := Of(c.err, "other")
			assert.Equal(t, []string{c.id, c.what, c.cure}, []string{id, description, cure})
		})
	}
	assert.ErrorIs(t, New("missing", "", "x: %w", fs.ErrNotExist), fs.ErrNotExist)
}

// Error texts for users contain no words of Go's packages.
func TestText(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES}
	missing := &exec.Error{Name: "fc", Err: exec.ErrNotFound}
	for want, err := range map[string]error{
		"plain":                       errors.New("plain"),
		"/a: permission denied":       path,
		"x: /a: permission denied: y": fmt.Errorf("x: %w: y", path),
		"/b: file exists":             &os.LinkError{Op: "rename", Old: "/a", New: "/b", Err: syscall.EEXIST},
		"invalid argument":            os.NewSyscallError("flock", syscall.EINVAL),
		"fc: no such command in PATH": missing,
		"fc: permission denied":       &exec.Error{Name: "fc", Err: syscall.EACCES},
		"/a: permission denied\nfc: no such command in PATH": errors.Join(path, missing),
		"nowhere (/a: permission denied): mend it":           New("id", "mend it", "nowhere (%w)", path),
	} {
		assert.Equal(t, want, Text(err))
	}
	_, description, cure := Of(New("id", "mend it", "nowhere: %w", path), "")
	assert.Equal(t, []string{"nowhere: /a: permission denied", "mend it"}, []string{description, cure})
}
