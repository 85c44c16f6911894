package embedded

import (
	"strings"

	"wi4go/gen/model"
	"wi4go/gen/output"
)

// launchers returns the table of the launchers that pass a process its rank in variables. A family
// without such variables has the launcher of another one.
func launchers(in *model.Input) []byte {
	w := &output.Writer{}
	w.WriteString(output.Banner("The variables in which launchers pass a process its rank."))
	list := func(names []string) string {
		if len(names) == 0 {
			return "{0}"
		}
		return `{"` + strings.Join(names, `", "`) + `", 0}`
	}
	for _, f := range in.Families {
		v := f.Launcher.RankVariables
		if len(v.Rank) == 0 {
			continue
		}
		w.Line("{\"the launcher of %s\", %s, %s,", f.Title, list(f.Launcher.Signs), list(v.Rank))
		w.Line(" %s, %s, %s, %s},", list(v.Size), list(v.LocalSize), list(f.Launcher.Job), list(f.Launcher.Processes))
	}
	return w.Bytes()
}
