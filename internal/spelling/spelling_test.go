package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSuggestion checks which names are similar enough.
func TestSuggestion(t *testing.T) {
	known := []string{"to", "search", "order", "MPI_Irecv", "MPI_Recv"}
	for name, want := range map[string]string{
		"serach": "did you mean search? ", "orders": "did you mean order? ", "SEARCH": "did you mean search? ",
		"too": "did you mean to? ", "MPI_recv": "did you mean MPI_Recv? ", "MPI_Rcv": "did you mean MPI_Recv? ", "recv": "did you mean MPI_Recv? ", "ot": "", "searching": "", "": "",
	} {
		assert.Equal(t, want, Suggestion(name, known), name)
	}
	assert.Equal(t, "did you mean MPI_Send? ", Suggestion("MPI_Snd", []string{"MPI_SEND", "MPI_Send"}), "the same case of letters")
}
