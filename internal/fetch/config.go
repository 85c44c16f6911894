package fetch

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// PipFiles returns the configuration files of pip, the most important first: PIP_CONFIG_FILE, then
// the files of the virtual environment, the user and the system. PIP_CONFIG_FILE=/dev/null excludes
// all others.
func PipFiles(getenv func(string) string) (files []string) {
	named := getenv("PIP_CONFIG_FILE")
	if named == os.DevNull {
		return nil
	}
	if named != "" {
		files = append(files, named)
	}
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := getenv(variable); prefix != "" {
			files = append(files, filepath.Join(prefix, "pip.conf"))
		}
	}
	files = append(files, filepath.Join(userConfig(getenv), "pip/pip.conf"), filepath.Join(getenv("HOME"), ".pip/pip.conf"), "/etc/pip.conf")
	for _, dir := range systemConfig(getenv) {
		files = append(files, filepath.Join(dir, "pip/pip.conf"))
	}
	return files
}

// userConfig returns the directory of the user's configuration.
func userConfig(getenv func(string) string) string {
	return cmp.Or(getenv("XDG_CONFIG_HOME"), filepath.Join(getenv("HOME"), ".config"))
}

// systemConfig returns the directories of the system's configuration.
func systemConfig(getenv func(string) string) []string {
	return filepath.SplitList(cmp.Or(getenv("XDG_CONFIG_DIRS"), "/etc/xdg"))
}

// PipSetting returns a setting of pip, for machines without pip. It reads the environment
// (PIP_INDEX_URL for index-url), then pip's configuration files. It returns "" if none has the
// setting.
func PipSetting(name string, getenv func(string) string) string {
	if value := getenv("PIP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); value != "" {
		return value
	}
	for _, file := range PipFiles(getenv) {
		if value := iniValue(file, name); value != "" {
			return value
		}
	}
	return ""
}

// ConfiguredIndex returns the address of the package index that pip or uv uses according to the
// environment and their configuration files, for machines without pip. It returns "" if none names
// one.
func ConfiguredIndex(getenv func(string) string) string {
	return cmp.Or(PipSetting("index-url", getenv), uvIndex(getenv), firstWord(PipSetting("extra-index-url", getenv)))
}

// firstWord returns the first word of text, or "".
func firstWord(text string) string { return append(strings.Fields(text), "")[0] }

// uvIndex returns the default index of uv: from the environment, then from the files of the user and
// of the system, or "".
func uvIndex(getenv func(string) string) string {
	if index := cmp.Or(getenv("UV_DEFAULT_INDEX"), getenv("UV_INDEX_URL")); index != "" {
		if name, address, named := strings.Cut(index, "="); named && !strings.ContainsAny(name, ":/") {
			return address
		}
		return index
	}
	files := []string{filepath.Join(userConfig(getenv), "uv/uv.toml"), "/etc/uv/uv.toml"}
	for _, dir := range systemConfig(getenv) {
		files = append(files, filepath.Join(dir, "uv/uv.toml"))
	}
	if file := getenv("UV_CONFIG_FILE"); file != "" {
		files = []string{file}
	}
	for _, file := range files {
		if index := uvIndexIn(file); index != "" {
			return index
		}
	}
	return ""
}

// uvIndexIn returns the default index in one of uv's files, or "" if the file has none or cannot be
// read.
func uvIndexIn(file string) string {
	type settings struct {
		IndexURL string `toml:"index-url"`
		Index    []struct {
			URL     string `toml:"url"`
			Default bool   `toml:"default"`
		} `toml:"index"`
	}
	var content struct {
		settings
		Pip settings `toml:"pip"`
	}
	text, err := os.ReadFile(file)
	if err != nil || toml.Unmarshal(text, &content) != nil {
		return ""
	}
	for _, index := range content.Index {
		if index.Default {
			return index.URL
		}
	}
	return cmp.Or(content.IndexURL, content.Pip.IndexURL)
}

// iniValue returns a setting from the sections of a file that apply to downloads, or "". Indented
// lines continue the value.
func iniValue(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	values, section, key := map[string]string{}, "", ""
	for line := range strings.Lines(string(text)) {
		switch word := strings.TrimSpace(line); {
		case word == "" || strings.HasPrefix(word, "#") || strings.HasPrefix(word, ";"):
		case key != "" && (line[0] == ' ' || line[0] == '\t'):
			values[key] = strings.TrimSpace(values[key] + " " + word)
		case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
			section, key = word[1:len(word)-1], ""
		default:
			left, right, _ := strings.Cut(word, "=")
			key = section + "." + strings.ReplaceAll(strings.TrimSpace(left), "_", "-")
			values[key] = strings.TrimSpace(right)
		}
	}
	return cmp.Or(values["download."+name], values["global."+name])
}
