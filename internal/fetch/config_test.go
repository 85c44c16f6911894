package fetch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wi4go/internal/fakempi"
)

func TestPipSetting(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"HOME": dir}
	setting := func(name string) string { return PipSetting(name, func(v string) string { return env[v] }) }
	write := func(file, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	assert.Empty(t, setting("index-url"))
	write(".pip/pip.conf", "[global]\nindex-url = http://old\n")
	assert.Equal(t, "http://old", setting("index-url"))
	write(".config/pip/pip.conf", "[install]\nindex-url = http://no\n[global]\nindex_url = http://user=x\nproxy=p:1\n")
	assert.Equal(t, "http://user=x", setting("index-url"))
	assert.Equal(t, "p:1", setting("proxy"))
	write(".config/pip/pip.conf", "[global]\nindex-url = http://user\n[download]\nindex-url = http://download\n")
	assert.Equal(t, "http://download", setting("index-url"))
	env["VIRTUAL_ENV"] = filepath.Join(dir, "venv")
	write("venv/pip.conf", "[global]\nindex-url = http://venv\n")
	assert.Equal(t, "http://venv", setting("index-url"))
	env["PIP_CONFIG_FILE"] = filepath.Join(dir, "file")
	write("file", "[global]\nindex-url = http://file\n")
	assert.Equal(t, "http://file", setting("index-url"))
	env["PIP_INDEX_URL"] = "http://env"
	assert.Equal(t, "http://env", setting("index-url"))
}

// Without pip, the index of pip's and of uv's configuration is used.
func TestConfiguredIndex(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"HOME": dir, "XDG_CONFIG_DIRS": filepath.Join(dir, "one") + ":" + filepath.Join(dir, "two")}
	index := func() string { return ConfiguredIndex(func(v string) string { return env[v] }) }
	write := func(file, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	assert.Empty(t, index())
	write("two/pip/pip.conf", "[global]\n# several\nextra-index-url =\n  http://extra/simple\n  http://more\n[freeze]\n")
	assert.Equal(t, "http://extra/simple", index())
	write("two/uv/uv.toml", "[pip]\nindex-url = \"http://uv-pip\"\n")
	assert.Equal(t, "http://uv-pip", index())
	write(".config/uv/uv.toml", "[[index]]\nurl = \"http://other\"\n[[index]]\nname = \"site\"\nurl = \"http://uv-default\"\ndefault = true\n")
	assert.Equal(t, "http://uv-default", index())
	write("named.toml", "index-url = \"http://uv-file\"\n")
	env["UV_CONFIG_FILE"] = filepath.Join(dir, "named.toml")
	assert.Equal(t, "http://uv-file", index())
	env["UV_DEFAULT_INDEX"] = "site=http://uv-named/simple?a=b"
	assert.Equal(t, "http://uv-named/simple?a=b", index())
	env["UV_DEFAULT_INDEX"] = "http://uv-plain/simple?a=b"
	assert.Equal(t, "http://uv-plain/simple?a=b", index())
	write("one/pip/pip.conf", "[global]\nindex-url = http://system\n")
	assert.Equal(t, "http://system", index())
	env["CONDA_PREFIX"] = filepath.Join(dir, "conda")
	write("conda/pip.conf", "[global]\nindex-url = http://conda\n")
	assert.Equal(t, "http://conda", index())
	env["PIP_CONFIG_FILE"] = os.DevNull
	assert.Equal(t, "http://uv-plain/simple?a=b", index(), "no file of pip counts")
}

// A Python without pip, but with the wheel of pip for virtual environments, has a pip that works.
func TestBundledPip(t *testing.T) {
	out, err := exec.Command("python3", "-c", "import ensurepip, sys; print(sys.executable)").Output() // python3 may be a script
	if err != nil {
		fakempi.Need(t, "python3 with ensurepip")
	}
	python := strings.TrimSpace(string(out))
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "broken/pip"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken/pip/__init__.py"), []byte("raise ImportError\n"), 0o644))
	fakempi.Script(t, filepath.Join(dir, "bin/python3"),
		"#!/bin/sh\nexport PYTHONPATH=${PYTHONPATH:-"+filepath.Join(dir, "broken")+"}\nexec "+python+" \"$@\"\n")
	t.Setenv("PATH", filepath.Join(dir, "bin"))
	t.Setenv("PYTHONPATH", "")
	found, wheel := FindPip(context.Background())
	require.Equal(t, filepath.Join(dir, "bin/python3"), found)
	require.True(t, strings.HasPrefix(filepath.Base(wheel), "pip-"), wheel)

	w := newWorld(t)
	w.put("mpich", "4.3.2", "", simple())
	for _, v := range []string{"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"} {
		t.Setenv(v, "")
		require.NoError(t, os.Unsetenv(v))
	}
	t.Setenv("PIP_CONFIG_FILE", "/dev/null")
	versions, err := (&Pip{Python: found, Wheel: wheel, IndexURL: w.server.URL + "/simple"}).Versions(context.Background(), "mpich")
	require.NoError(t, err)
	assert.Equal(t, []string{"4.3.2"}, versions)

	t.Setenv("PATH", t.TempDir())
	found, _ = FindPip(context.Background())
	assert.Empty(t, found)
}
