package scenario

import (
	"github.com/leaselab/leaselab/core/elector"
)

// Elector is client-go's LeaderElectionConfig, plus the ways in which an elector may differ from client-go. If a
// field is nil or empty, the scenario's value applies; if that is missing, too, the default in electorFields applies.
//
// To add a setting, add a field here, an entry below, a line in help.txt and in names.txt, and a field with the same
// name in core/elector.Config. Everything else follows: the schema, forms, checks, defaults, compiling, set acts and
// random scenarios.
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

var electorFields = []Field{
	{Key: "Elector.leaseDuration", Default: "15s", Effect: AtNextStart, Label: "leaseDuration"},
	{Key: "Elector.renewDeadline", Default: "10s", Effect: AtNextStart, Label: "renewDeadline"},
	{Key: "Elector.retryPeriod", Default: "2s", Effect: AtNextStart, Label: "retryPeriod"},
	{Key: "Elector.requestTimeout", Default: "5s", Effect: AtNextStart, Label: "request timeout"},
	{Key: "Elector.releaseOnCancel", Default: "false", Effect: AtNextStart, Label: "releaseOnCancel"},
	{Key: "Elector.coordinated", Default: "false", Heading: HeadingCoordinated, Effect: AtNextStart},
	{Key: "Elector.jitterFactor", Default: "1.2", Effect: AtNextStart, decimal: &[2]float64{0, 1.2}},
	{Key: "Elector.releaseAfterWork", Default: "false", Heading: HeadingClient, Effect: AtNextStart},
	{Key: "Elector.releaseChecksHolder", Default: "false", Heading: HeadingClient, Effect: AtNextStart},
	{Key: "Elector.callbackDelay", Default: "0s", Heading: HeadingClient, Effect: AtNextStart},
	{Key: "Elector.dialect", Heading: HeadingClient, Effect: AtNextStart, words: dialectWords(), says: dialectHelp()},
	{Key: "Elector.expiryFactor", Default: "1", Heading: HeadingClient, Effect: AtNextStart,
		decimal: &[2]float64{1, 2}},
	{Key: "Elector.lock", Default: "leases", Heading: HeadingClient, Effect: AtNextStart,
		words: elector.LockNames[:]},
	{Key: "Elector.lockDelay", Default: "0s", Heading: HeadingClient, Effect: AtNextStart},
}

// dialectSays says how each dialect differs from client-go. Each text names the issue or the project where the
// difference occurred, so that a reader can look it up.
var dialectSays = map[string]string{
	DialectCurrent:         "not at all",
	"noRequestTimeout":     "no request timeout: it checks renewDeadline only between tries (before kubernetes#65094)",
	"ownLeaseDuration":     "it waits for its own leaseDuration, not the Lease's (before kubernetes#114872)",
	"releaseIgnored":       "it waits for a Lease without a holder to expire (client-go#575)",
	"blindRelease":         "a release overwrites the version that it last saw (before kubernetes#132849)",
	"releaseWithoutRetry":  "a conflict ends the release (before kubernetes#137988)",
	"zeroDurationRelease":  "a release writes leaseDurationSeconds 0, which the API refuses (client-go#754)",
	"noFastPath":           "a leader reads before each renewal (before kubernetes#122069)",
	"transitionsReset":     "a renewal writes leaseTransitions 0 (before kubernetes#42232)",
	"transitionsInflated":  "a renewal counts as a transition (fabric8#4616)",
	"wallClockExpiry":      "it trusts a Lease until renewTime plus duration by its own wall clock (ShedLock#231)",
	"wallClockObservation": "it counts from the moment it saw a record, but by its wall clock (kubernetes#125761)",
	"trustRenewTime":       "it trusts the renewTime of the first record it sees (asked for in client-go#448)",
	"callbackBeforeWrite":  "it leads as soon as it reads a record that names it (fabric8#7350)",
	"forLife":              "a held Lease never expires (operator-sdk#1305)",
	"ttlLock":              "the server decides when the lock expires: see expiryFactor and lockDelay (consul#1172)",
	"noDeadline":           "it only logs failed renewals (consul#18271)",
	"readsResetDeadline":   "a successful read restarts renewDeadline (java-operator-sdk#2056)",
	"deadlineFromSend":     "it counts renewDeadline from the moment it sent its last renewal (dynamodb-lock-client#1)",
	"observeFromSend":      "it counts a record's age from the moment it sent the read (delta-rs#153)",
	"noRetries": "the client never repeats a request on its own, neither for Retry-After nor after a broken " +
		"connection (clients of other languages)",
	"stopAtOtherHolder": "a leader that reads another holder stops at once (the fix of kubernetes#23731)",
}

// dialectWords lists the dialects, unchanged client-go first.
func dialectWords() []string {
	words := []string{DialectCurrent}
	for _, d := range elector.Dialects() {
		words = append(words, d.Name)
	}
	return words
}

// dialectHelp returns the texts of dialectSays in the order of dialectWords.
func dialectHelp() []string {
	var says []string
	for _, word := range dialectWords() {
		says = append(says, dialectSays[word])
	}
	return says
}
