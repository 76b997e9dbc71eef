package world

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
)

// versionNumber converts a version to a number: major, minor and patch with 20 bits each. It ignores a suffix.
func (s *Setup) versionNumber(version coordination.Symbol) int64 {
	text := s.Symbols.Text(version)
	if text == "" {
		return 0
	}
	text, _, _ = strings.Cut(text, "+")
	text, _, _ = strings.Cut(text, "-")
	number := int64(0)
	parts := strings.Split(text, ".")
	for k := range 3 {
		part := int64(0)
		if k < len(parts) {
			part, _ = strconv.ParseInt(parts[k], 10, 20)
		}
		number = number<<20 | part
	}
	return number
}

// candidateVersion returns a candidate's emulation version, or else its binary version, as a number. It returns 0 if
// the candidate has neither.
func (s *Setup) candidateVersion(c *Candidate) int64 {
	if c.EmulationVersion != 0 {
		return s.versionNumber(c.EmulationVersion)
	}
	return s.versionNumber(c.BinaryVersion)
}
