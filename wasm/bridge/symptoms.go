//go:build !page

package bridge

import "github.com/leaselab/leaselab/sim/evidence/symptoms"

// SymptomsParams has lines of logs, an error, or words about what happened.
type SymptomsParams struct {
	Text string `json:"text"`
}

func init() {
	beyond = append(beyond, answers("symptoms", starts, func(_ *Bridge, p *SymptomsParams) (*symptoms.Findings, error) {
		return symptoms.Find(p.Text), nil
	}))
}
