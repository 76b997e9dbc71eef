package conduct

import (
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// entry is what a report says about a cause, whichever program shows it.
type entry struct{ name, cure, incident string }

var entries = [...]entry{
	SameIdentity: {"sameIdentity", "Give each process its own identity: add a UUID to the hostname.", "B08"},
	ReleasesEarly: {"releasesEarly",
		"Wait for the end of the work, and release the Lease after that.", "B04"},
	WorksOn: {"worksOn",
		"Tie the work to the context of OnStartedLeading, or exit the process when the election ends.", "B07"},
	BeyondLease: {"beyondLease",
		"Stop the work when renewDeadline has passed since the last successful renewal.", "B15"},
	StopIgnored: {"stopIgnored", "End the process on SIGTERM, and limit how long the work takes to stop.", "B06"},
	NeverExits: {"neverExits",
		"Exit the process when the election ends, or run the election again in a loop.", "B38"},
	NeverCompetes: {"neverCompetes",
		"Run the election again when it ends, or exit the process so that it starts again.", "B38"},
	Silent: {"silent", "Let a health check fail when the election makes no progress.", "B39"},
}

// slow is what a report says if the work ended by itself, but too late.
var slow = entry{cure: "Limit how long the work takes to stop to leaseDuration − renewDeadline − retryPeriod.",
	incident: "B06"}

// hangs is what a report says if a request without a timeout is what the program waits for.
var hangs = entry{cure: "Give the client a timeout that is shorter than renewDeadline.", incident: "B01"}

// String returns the name of a cause in JSON.
func (c Cause) String() string { return entries[c].name }

// Tell puts the findings up to an instant into words.
func (f *Fold) Tell(w *world.World, nowNs int64) (all []summary.Finding) {
	for _, k := range f.Findings(w, nowNs) {
		e, told := entries[k.Cause], k.text(w, w.Node(k.Node).Name())
		switch {
		case k.Ends:
			e.cure, e.incident = slow.cure, slow.incident
		case k.Waits:
			told += " Its last request has no answer."
			e.cure, e.incident = hangs.cure, hangs.incident
		}
		all = append(all, summary.Finding{At: summary.Seconds(k.AtNs), Cause: e.name, Node: w.Node(k.Node).Name(),
			Text: told, Cure: e.cure, Incident: e.incident})
	}
	return all
}

func (k *Finding) text(w *world.World, name string) string {
	at, length := words.Instant(k.AtNs), words.Seconds(k.UntilNs-k.AtNs)
	switch k.Cause {
	case SameIdentity:
		return name + " and " + w.Node(k.Other).Name() + " write the same holderIdentity."
	case ReleasesEarly:
		return name + " released the Lease at " + at + ", and its work went on for " + length + "."
	case WorksOn:
		return [...]string{
			ByContext: "The context of " + name + "'s work ended at " + at,
			ByLine:    name + " printed at " + at + " that it lost the election",
			BySilence: name + " asked for the Lease at " + at + " for the last time",
		}[k.By] + ", and its work went on for " + length + "."
	case BeyondLease:
		return name + " last renewed the Lease at " + words.Instant(k.LastNs) + ". The Lease expired at " + at +
			", and the work went on for " + length + "."
	case StopIgnored:
		if k.UntilNs == never {
			return name + " got SIGTERM at " + at + " and never ended."
		}
		return name + " got SIGTERM at " + at + " and lived on for " + length + "."
	}
	since := " since " + at + ", for " + length + "."
	if k.Never {
		since = " from its start at " + at + " on, for " + length + "."
	}
	switch k.Cause {
	case NeverExits:
		return name + " has led before. Its process lives, but has not asked for the Lease" + since
	case NeverCompetes:
		return name + " sends other requests, but has not asked for the Lease" + since
	}
	return name + "'s process lives, but has sent nothing" + since
}
