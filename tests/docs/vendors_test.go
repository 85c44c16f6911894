package docs

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	cComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	cText    = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	vendors  = regexp.MustCompile(`\b(ompi|OMPI|ORTE|PRTE|OPAL|MPII|MPIR|MPIDI|MPICH|HYDI|HYDRA|I_MPI|MV2|MVP)_|\blib(open-rte|prrte|mpich|mpi_\w*|mpi)\.so\.\d|"(PMI|PMIX)_`)
	ofVendor = regexp.MustCompile(`^shim/(front|fortran)/(openmpi|mpich|impi)\.[ch]$`) // a vendor's private interface
	slotOf   = regexp.MustCompile(`\bSLOT_(ompi|MPII)_`)
)

// mayName are the texts in the C of shim/ and c/ that may name a vendor, because they are about that vendor alone, by file,
// with the reason.
var mayName = map[string]map[string]string{
	"c/launchers/launchers.c": {
		`"PMI_RANK"`:       "Slurm's own libraries for PMI set it",
		`"PMI_SPAWNED"`:    "of the interface PMI, whoever has made the launcher",
		`"PMIX_NAMESPACE"`: "of the interface PMIx, whoever has made the launcher",
		`"PMIX_RANK"`:      "of the interface PMIx, whoever has made the launcher",
	},
}

// C code in shim/ and c/ takes facts about vendors from tables that are generated from abi/*.json and internal/launchers/*.json.
func TestVendorsAreData(t *testing.T) {
	named := map[string]bool{}
	sources := cSources(t, "shim")
	maps.Copy(sources, cSources(t, "c"))
	for name, text := range sources {
		if ofVendor.MatchString(name) {
			continue
		}
		for _, text := range cText.FindAllString(text, -1) {
			if !vendors.MatchString(text) {
				continue
			}
			if _, may := mayName[name][text]; may {
				named[name+text] = true
				continue
			}
			assert.Fail(t, "a vendor's name", "%s: %s: put it into abi/*.json or internal/launchers and have it generated", name, text)
		}
	}
	for name, texts := range mayName {
		for text := range texts {
			assert.True(t, named[name+text], "%s does not have %s any more", name, text)
		}
	}
}

// The C of a pair depends on its families' traits, not on the functions that they have.
func TestTraitsNotSlots(t *testing.T) {
	for name, text := range cSources(t, "mappers") {
		assert.Empty(t, slotOf.FindAllString(text, -1), "%s: use a trait (gen/traits/traits.go)", name)
		for _, text := range cText.FindAllString(text, -1) {
			assert.False(t, vendors.MatchString(text), "%s: %s: put it into abi/*.json", name, text)
		}
	}
}

// The rules find the constructions that they forbid.
func TestVendorsAreFound(t *testing.T) {
	for _, text := range []string{`"OMPI_COMM_WORLD_SIZE"`, `"libmpi.so.40"`, `"MPII_"`, `"ompi_mpi_errors_return"`, `"PMI_SIZE"`, `"see libmpi_abi.so.1"`} {
		assert.True(t, vendors.MatchString(text), text)
	}
	for _, text := range []string{`"MPI_Init"`, `"libmpi"`, `"WI4GO_TO"`, `"SLURM_"`} {
		assert.False(t, vendors.MatchString(text), text)
	}
	assert.True(t, slotOf.MatchString("#ifdef SLOT_MPII_Keyval_set_proxy"))
}

// cSources returns the C files in a folder and below it, without comments.
func cSources(t *testing.T, folder string) map[string]string {
	t.Helper()
	listed, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard", folder).Output()
	require.NoError(t, err)
	texts := map[string]string{}
	for _, name := range strings.Fields(string(listed)) {
		if ext := filepath.Ext(name); ext != ".c" && ext != ".h" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		require.NoError(t, err)
		texts[name] = cComment.ReplaceAllString(string(text), "")
	}
	require.Greater(t, len(texts), 10)
	return texts
}
