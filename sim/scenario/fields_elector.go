package scenario

import (
	_ "embed"

	"github.com/leaselab/leaselab/core/elector"
)

// Elector is client-go's LeaderElectionConfig, plus the ways in which an elector may differ from client-go. If a
// field is nil or empty, the scenario's value applies; if that is missing, too, the default in fields.txt applies.
//
// To add a setting, add a field here, an entry in fields.txt, a line in help.txt and in names.txt, and a field with
// the same name in core/elector.Config. Everything else follows: the schema, forms, checks, defaults, compiling, set
// acts and random scenarios.
type Elector struct {
	LeaseDuration   *Duration `json:"leaseDuration,omitempty"`
	RenewDeadline   *Duration `json:"renewDeadline,omitempty"`
	RetryPeriod     *Duration `json:"retryPeriod,omitempty"`
	RequestTimeout  *Duration `json:"requestTimeout,omitempty"`
	ReleaseOnCancel *bool     `json:"releaseOnCancel,omitempty"`
	Coordinated     *bool     `json:"coordinated,omitempty"`

	// client-go has no fields for these settings; the defaults are the behavior of client-go v0.37.2.
	JitterFactor        *float64  `json:"jitterFactor,omitempty"`
	ReleaseAfterWork    *bool     `json:"releaseAfterWork,omitempty"`
	ReleaseChecksHolder *bool     `json:"releaseChecksHolder,omitempty"`
	CallbackDelay       *Duration `json:"callbackDelay,omitempty"`
	Dialect             []string  `json:"dialect,omitempty"`
	ExpiryFactor        *float64  `json:"expiryFactor,omitempty"`
	LockDelay           *Duration `json:"lockDelay,omitempty"`
	Lock                string    `json:"lock,omitempty"`
}

// dialects.txt says how each dialect differs from client-go. Each text names the issue or the project where the
// difference occurred, so that a reader can look it up.
//
//go:embed dialects.txt
var dialectLines string

// dialectWords lists the dialects, unchanged client-go first.
func dialectWords() []string {
	words := []string{DialectCurrent}
	for _, d := range elector.Dialects() {
		words = append(words, d.Name)
	}
	return words
}

// dialectHelp returns the texts of dialects.txt in the order of dialectWords.
func dialectHelp() []string {
	all := readLines(dialectLines)
	var says []string
	for _, word := range dialectWords() {
		says = append(says, all[word]...)
	}
	return says
}
