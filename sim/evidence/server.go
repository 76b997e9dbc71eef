package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The control plane can be the cause. If the API server or its storage fails, no candidate can renew, and the
// leader is not to blame. Three signs show that:
//
//	an error text that only a server writes      "etcdserver: request timed out", HTTP 503
//	all candidates fail together                 refused connections in every log
//	nobody asks                                  an audit log in which all candidates are silent
//
// The last sign may also be a gap in the audit log.

// serverTexts are parts of errors that only an API server or a proxy before it writes, in lower case.
var serverTexts = []string{"etcdserver", "internal error", "internal server error", "too many requests",
	"currently unable to handle", "shutting down", "apiserver not ready", "service unavailable", "gateway timeout",
	"gateway time-out", "bad gateway", "unable to return a response in the time allotted",
	"request did not complete within", "server has received too many", "storage is (re)initializing", "leader changed",
	"forbidden", "unauthorized", "server was unable", "server rejected our request"}

func saysServer(failure string) bool {
	lower := strings.ToLower(failure)
	return slices.ContainsFunc(serverTexts, func(part string) bool { return strings.Contains(lower, part) })
}

// trouble is what the files show of failed requests between the last renewal of a leader and the takeover.
type trouble struct {
	server       bool // a server's own error
	together     bool // all candidates failed
	alone        bool // the files show no request of another candidate
	firstNs      int64
	lastNs       int64
	places       []Place
	errors       []errorGroup
	silentFromNs int64
	silentNs     int64
	holeNs       int64 // the audit log is silent, but logs show answers
}

// errorGroup is an error text and who met it.
type errorGroup struct {
	who, text      string
	count          int
	fromNs, lastNs int64
	places         []Place
}

// troubleOf collects the failures of all candidates. An answer to another candidate counts only while the old leader
// tried to renew: after that, the server may have recovered.
func (c *caseOf) troubleOf(old, next *term) (t trouble) {
	fromNs, toNs := old.lastNs, next.fromNs
	failing, answered := map[string]bool{}, false
	fail := func(who, text string, ns int64, p Place) {
		k := slices.IndexFunc(t.errors, func(e errorGroup) bool { return e.who == who && e.text == text })
		if k < 0 {
			k, t.errors = len(t.errors), append(t.errors, errorGroup{who: who, text: text, fromNs: ns})
		}
		e := &t.errors[k]
		e.count, e.lastNs, e.places = e.count+1, ns, append(e.places, p)
		t.firstNs, t.lastNs, t.places = cmp.Or(t.firstNs, ns), max(t.lastNs, ns), append(t.places, p)
	}
	for _, l := range within(c.lines, fromNs, toNs, (*logLine).atNs) {
		if l.failed() && (l.node != old.holder || old.lostNs == 0 || l.ns <= old.lostNs) {
			failing[l.node] = true
			t.server = t.server || saysServer(l.failure)
			fail(l.node, l.failure, l.ns, l.place)
		}
	}
	// The first failed request of the old leader shows better than its last known renewal when it began to fail. A
	// request that timed out left half a renewDeadline before.
	missedNs := fromNs + c.retryNs
	for _, e := range t.errors {
		if e.who == old.holder {
			missedNs = max(missedNs, e.fromNs-boolNs(timedOut(e.text))*c.deadlineNs()/2)
			break
		}
	}
	if old.fromLogs {
		missedNs = cmp.Or(t.firstNs, missedNs) // logs do not show the last renewal
	}
	triedNs := min(toNs, missedNs+c.deadlineNs(), cmp.Or(old.lostNs, toNs))
	for _, l := range within(c.lines, fromNs, triedNs-1, (*logLine).atNs) {
		answered = answered || l.says == saidHeld && l.node != old.holder && l.ns > missedNs
	}
	for _, a := range within(c.attempts, fromNs, toNs-1, func(a *attempt) int64 { return a.atNs }) {
		if ofServer(a.code, a.failure) {
			t.server = true
			fail("the API server", fmt.Sprintf("HTTP %d %s", a.code, a.failure), a.atNs, a.place)
		}
	}
	seenNs, readers, exact := fromNs, 0, true
	for _, g := range within(c.gets, fromNs-3*c.leaseNs, toNs, (*get).atNs) {
		switch {
		case g.ns <= fromNs:
			readers++
			continue
		case ofServer(g.code, g.failure):
			t.server = true
			fail("the API server", fmt.Sprintf("HTTP %d %s", g.code, g.failure), g.ns, g.place)
		case g.by != old.holder && g.ns > missedNs && g.ns < triedNs:
			answered = true
		}
		t.silence(seenNs, g.ns)
		seenNs, exact = g.ns, exact && g.exact
	}
	endNs := seenNs // of the files about the Lease: after that, silence means nothing
	if n := len(c.writes); n > 0 {
		endNs = max(endNs, c.writes[n-1].ns)
	}
	switch t.silence(seenNs, min(toNs, endNs)); {
	case !exact || t.silentNs < c.retryNs*10/3:
		t.silentNs = 0
	case answered && len(c.gets) > 0:
		t.holeNs, t.silentNs = t.silentNs, 0
	case readers < silentReaders:
		t.silentNs = 0
	}
	t.together = len(failing) > 1 && !answered && (failing[old.holder] || len(c.linesOf[old.holder]) == 0)
	t.alone = !answered && len(failing) < 2
	return t
}

// failedElsewhere reports whether a request of another candidate failed at about the time of a loss, on a clock that
// may be wrong: then the API server may be the cause.
func (c *caseOf) failedElsewhere(old, next *term) bool {
	return slices.ContainsFunc(c.lines, func(l logLine) bool {
		return l.failed() && l.node != old.holder && !l.traced && (l.errorNs < 0 || l.errorNs > fitNs) &&
			l.ns > old.lastNs-elsewhereNs && l.ns < next.fromNs+elsewhereNs
	}) || slices.ContainsFunc(c.linesOf[old.holder], func(i int32) bool { return c.lines[i].errorNs > fitNs })
}

func (t *trouble) silence(fromNs, toNs int64) {
	if toNs-fromNs > t.silentNs {
		t.silentFromNs, t.silentNs = fromNs, toNs-fromNs
	}
}

// say quotes the errors. The errors of other candidates matter only if the server caused them.
func (t *trouble) say(g *change) {
	for _, e := range t.errors {
		if e.who != g.old.holder && !t.server && !t.together {
			continue
		}
		name, verb, text := "failedOften", "logged", quoted(e.text)
		if e.count == 1 {
			name = "failedOnce"
		}
		if e.who == "the API server" {
			verb = "answered"
		}
		if e.text == "" {
			text = "the log gives no reason"
		}
		g.tell(name, e.fromNs, e.places, "who", e.who, "verb", verb, "count", fmt.Sprint(e.count), "until",
			clock(e.lastNs), "error", text)
	}
}
