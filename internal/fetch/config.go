package fetch

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
)

// PipSetting returns a setting of pip, for machines without pip. It reads the environment
// (PIP_INDEX_URL for index-url), then pip's configuration files in pip's order:
// PIP_CONFIG_FILE, then the files of the virtual environment, the user and the system. It
// returns "" if none has the setting.
func PipSetting(name string, getenv func(string) string) string {
	if value := getenv("PIP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); value != "" {
		return value
	}
	var files []string
	if file := getenv("PIP_CONFIG_FILE"); file != "" {
		files = append(files, file)
	}
	if venv := getenv("VIRTUAL_ENV"); venv != "" {
		files = append(files, filepath.Join(venv, "pip.conf"))
	}
	config := getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(getenv("HOME"), ".config")
	}
	files = append(files, filepath.Join(config, "pip/pip.conf"), filepath.Join(getenv("HOME"), ".pip/pip.conf"), "/etc/pip.conf")
	for _, file := range files {
		if value := iniValue(file, name); value != "" {
			return value
		}
	}
	return ""
}

// iniValue returns a setting from the sections of a file that apply to downloads, or "".
func iniValue(file, name string) string {
	in, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer in.Close()
	value, section := "", ""
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = line[1 : len(line)-1]
			continue
		}
		key, text, found := strings.Cut(line, "=")
		if !found || strings.ReplaceAll(strings.TrimSpace(key), "_", "-") != name {
			continue
		}
		switch section {
		case "download": // overrides the setting for all commands
			return strings.TrimSpace(text)
		case "global":
			value = strings.TrimSpace(text)
		}
	}
	return value
}
