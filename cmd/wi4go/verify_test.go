package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond:  "10 seconds",
		44 * time.Second:  "40 seconds",
		53 * time.Second:  "50 seconds",
		55 * time.Second:  "1 minute",
		89 * time.Second:  "1 minute",
		100 * time.Second: "2 minutes",
		53 * time.Minute:  "53 minutes",
		55 * time.Minute:  "1 hour",
		150 * time.Minute: "3 hours",
	} {
		assert.Equal(t, want, roughly(d), d)
	}
}
