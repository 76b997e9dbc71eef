package scenario

import (
	"github.com/leaselab/leaselab/core/elector"
)

// Elector is client-go's LeaderElectionConfig, plus the ways in which an elector may differ from client-go. A nil or
// empty field takes the scenario's value; if that is missing too, it takes the default in electorFields.
//
// To add a setting, add a field here, an entry below and a field with the same name in core/elector.Config. Everything
// else follows: the schema, forms, checks, defaults, compiling, set acts and random scenarios.
type Elector struct {
	LeaseDuration   *Duration `json:"leaseDuration,omitempty"`
	RenewDeadline   *Duration `json:"renewDeadline,omitempty"`
	RetryPeriod     *Duration `json:"retryPeriod,omitempty"`
	RequestTimeout  *Duration `json:"requestTimeout,omitempty"`
	ReleaseOnCancel *bool     `json:"releaseOnCancel,omitempty"`
	Coordinated     *bool     `json:"coordinated,omitempty"`

	// Settings without a field in client-go; the defaults follow client-go v0.37.2.
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
	{Key: "Elector",
		Help: "client-go's LeaderElectionConfig, and how an elector may differ from it. A change takes effect " +
			"at the node's next start."},
	{
		Key: "Elector.leaseDuration",
		Help: "How long a follower waits after it last saw the Lease change. It does not bound how soon a crash " +
			"is noticed: the wait until the follower looks again comes on top. Longer than renewDeadline.",
		Default: "15s", Effect: AtNextStart, Label: "leaseDuration",
	},
	{
		Key: "Elector.renewDeadline",
		Help: "How long a living leader keeps trying to renew before it gives up. It does not shorten a crash: a " +
			"dead leader gives up nothing. Shorter than leaseDuration, longer than 1.2 times retryPeriod.",
		Default: "10s", Effect: AtNextStart, Label: "renewDeadline",
	},
	{
		Key: "Elector.retryPeriod",
		Help: "The wait between two attempts. Followers wait 1 to 2.2 times as long, at random; the leader waits " +
			"exactly this long after each success.",
		Default: "2s", Effect: AtNextStart, Label: "retryPeriod",
	},
	{
		Key: "Elector.requestTimeout",
		Help: "When the client stops waiting for an answer; 0s means never. A request that hangs uses up attempts; " +
			"the server may still store an abandoned write.",
		Default: "5s", Effect: AtNextStart, Label: "request timeout",
	},
	{
		Key: "Elector.releaseOnCancel",
		Help: "A leader that is asked to stop releases the Lease first, so that the next one need not wait. It " +
			"helps exits, not crashes: a process that crashes releases nothing.",
		Default: "false", Effect: AtNextStart, Label: "releaseOnCancel",
	},
	{
		Key: "Elector.coordinated",
		Help: "The control plane picks the leader (coordinated leader election); the elector only renews what it " +
			"was given.",
		Default: "false", Heading: HeadingCoordinated, Effect: AtNextStart,
	},
	{
		Key: "Elector.jitterFactor",
		Help: "The random part of a follower's wait, in retryPeriods: 0 to 1.2. renewDeadline is always compared " +
			"with client-go's constant 1.2.",
		Default: "1.2", Effect: AtNextStart, decimal: &[2]float64{0, 1.2},
	},
	{
		Key: "Elector.releaseAfterWork",
		Help: "A leader that is asked to stop keeps renewing until its work ends, and then releases; client-go " +
			"releases first. Needs releaseOnCancel.",
		Default: "false", Heading: HeadingClient, Effect: AtNextStart,
	},
	{
		Key:     "Elector.releaseChecksHolder",
		Help:    "The release does not touch a Lease that names another holder by then; client-go overwrites it.",
		Default: "false", Heading: HeadingClient, Effect: AtNextStart,
	},
	{
		Key: "Elector.callbackDelay",
		Help: "The time from the answer that wins the Lease to OnStartedLeading and the first renewal: the " +
			"process gets no CPU.",
		Default: "0s", Heading: HeadingClient, Effect: AtNextStart,
	},
	{
		Key: "Elector.dialect", Help: "How the elector differs from client-go v0.37.2.",
		Heading: HeadingClient, Effect: AtNextStart, words: dialectWords(), says: dialectHelp(),
	},
	{
		Key:     "Elector.expiryFactor",
		Help:    "With dialect ttlLock: the server expires a lock after this many of its durations, 1 to 2.",
		Default: "1", Heading: HeadingClient, Effect: AtNextStart, decimal: &[2]float64{1, 2},
	},
	{
		Key: "Elector.lock",
		Help: "Where the record is kept: leases, in the Lease; configmaps, as JSON in the annotation " +
			"control-plane.alpha.kubernetes.io/leader of a ConfigMap of the same name (client-go up to v0.23); " +
			"configmapsleases, in both, the ConfigMap first (up to v0.27), to move from one to the other. " +
			"Electors of that time had no fast path: dialect noFastPath.",
		Default: "leases", Heading: HeadingClient, Effect: AtNextStart, words: elector.LockNames[:],
	},
	{
		Key: "Elector.lockDelay", Help: "With dialect ttlLock: how long an expired lock stays closed to everybody.",
		Default: "0s", Heading: HeadingClient, Effect: AtNextStart,
	},
}

// dialectSays says how each dialect differs from client-go. Each names the issue or the project in which it occurred,
// so that a reader can look it up.
var dialectSays = map[string]string{
	DialectCurrent:         "not at all",
	"noRequestTimeout":     "requests never time out, renewDeadline counts between tries (before kubernetes#65094)",
	"ownLeaseDuration":     "expiry by its own leaseDuration (before kubernetes#114872)",
	"releaseIgnored":       "it waits for a Lease without a holder to expire (client-go#575)",
	"blindRelease":         "release overwrites the version last seen (before kubernetes#132849)",
	"releaseWithoutRetry":  "a conflict ends the release (before kubernetes#137988)",
	"zeroDurationRelease":  "release writes leaseDurationSeconds 0, which the API refuses (client-go#754)",
	"noFastPath":           "a leader reads before each renewal (before kubernetes#122069)",
	"transitionsReset":     "a renewal writes leaseTransitions 0 (before kubernetes#42232)",
	"transitionsInflated":  "a renewal counts as a transition (fabric8#4616)",
	"wallClockExpiry":      "valid until renewTime plus duration by its own wall clock (ShedLock#231)",
	"wallClockObservation": "counts from the moment it saw a record, but by its wall clock (kubernetes#125761)",
	"trustRenewTime":       "the first record it sees is as old as its renewTime (asked for in client-go#448)",
	"callbackBeforeWrite":  "leads when a record it reads names it (fabric8#7350)",
	"forLife":              "a held Lease never expires (operator-sdk#1305)",
	"ttlLock":              "the server judges expiry, see expiryFactor and lockDelay (consul#1172)",
	"noDeadline":           "it only logs failed renewals (consul#18271)",
	"readsResetDeadline":   "a successful read restarts renewDeadline (java-operator-sdk#2056)",
	"deadlineFromSend":     "renewDeadline counts from the sending of the last renewal (dynamodb-lock-client#1)",
	"observeFromSend":      "a record is as old as the request that read it (delta-rs#153)",
	"noRetries": "every answer goes to the elector at once: the client repeats no request because of Retry-After " +
		"or a broken connection (clients of other languages)",
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

// dialectHelp is dialectSays in the order of dialectWords.
func dialectHelp() []string {
	var says []string
	for _, word := range dialectWords() {
		says = append(says, dialectSays[word])
	}
	return says
}
