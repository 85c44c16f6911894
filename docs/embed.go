// Package docs holds the reference, from which wi4go makes its manual pages.
package docs

import _ "embed"

// Reference is the text of reference.md.
//
//go:embed reference.md
var Reference string
