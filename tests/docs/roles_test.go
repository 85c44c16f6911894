package docs

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gen/plan decides how each argument is converted: no printer reads a parameter's role, and code printed for a front
// alone does not use the plan of a pair.
func TestOneClassification(t *testing.T) {
	all := goPackages(t)
	for _, printer := range strings.Fields(printers) {
		require.NotNil(t, all[printer], printer)
		alone := printer == "gen/front" || printer == "gen/fortran"
		for name, file := range all[printer].files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				// Has finds a parameter by its role.
				assert.NotContains(t, []string{"Role", "Has"}, s.Sel.Name, "%s reads a role: let gen/plan decide, and print its decision", name)
				if x, ok := s.X.(*ast.Ident); ok && alone && x.Name == "plan" {
					assert.False(t, slices.Contains([]string{"Pair", "Plan"}, s.Sel.Name), "%s uses the plan of a pair", name)
				}
				return true
			})
		}
	}
}
