package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Patterns are compiled when they are used (internal/pattern), so a malformed one would be found late.
func TestPatternsAreWellFormed(t *testing.T) {
	found := 0
	files, err := filepath.Glob(filepath.Join(root, "internal/*/*.go"))
	require.NoError(t, err)
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || function.Sel.Name != "New" {
				return true
			}
			if of, ok := function.X.(*ast.Ident); !ok || of.Name != "pattern" {
				return true
			}
			if text, constant := joined(call.Args[0]); constant {
				_, err := regexp.Compile(text)
				assert.NoError(t, err, path)
				found++
			}
			return true
		})
	}
	assert.Greater(t, found, 50)
}

// joined returns the text of literals that are joined by "+", and reports whether there is nothing else in e.
func joined(e ast.Expr) (text string, constant bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		x, left := joined(e.X)
		y, right := joined(e.Y)
		return x + y, left && right && e.Op == token.ADD
	}
	return "", false
}
