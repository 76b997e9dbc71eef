package evidence

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func milliseconds(all ...int64) []int64 {
	for i := range all {
		all[i] *= int64(time.Millisecond)
	}
	return all
}

// A read that meets two reads of the audit log counts once: the right shift meets as many reads as the wrong one.
func TestAReadMeetsOneRead(t *testing.T) {
	read := milliseconds(41844, 43071, 44103, 46080, 47217, 48276, 50272)
	served := milliseconds(46079, 46947, 47216, 48275, 48327, 50217, 50271)
	shift, fits := bestShift(read, served, readFitNs)
	assert.Equal(t, 4, fits)
	assert.Equal(t, milliseconds(-1)[0], shift)
}

// A holder that acquires the Lease again leaves one change in the Lease. Its log has two acquisitions, and the right
// shift puts both of them on writes.
func TestTheShiftOfAHolderThatAcquiresAgain(t *testing.T) {
	var lines []logLine
	for _, ns := range milliseconds(19990, 37200) {
		lines = append(lines, logLine{saying: &saying{says: saidAcquired}, voice: &voice{node: "a"}, ns: ns})
	}
	j := joinedWrites{}
	for _, ns := range milliseconds(60000, 61000, 62000, 77200, 78200) {
		j.writes = append(j.writes, write{holder: "a", ns: ns, renewNs: ns, by: &sender{}})
	}
	a := alignment{lines: lines, joined: &j, retryNs: int64(time.Second)}
	assert.Equal(t, milliseconds(40010)[0], a.offset("a", []int32{0, 1}).ns)
	j.writes = j.writes[:3]
	assert.Equal(t, milliseconds(22800)[0], a.offset("a", []int32{0, 1}).ns, "nothing tells them apart")
}

// klogLine is a line of a log that a test writes by hand.
func klogLine(at, process, text string) string {
	return "I1120 " + at + "00000   " + process + ` leaderelection.go:1] "` + text + "\n"
}

const (
	acquiredText = `Successfully acquired lease" lock="ns-a/demo"`
	triesText    = `Attempting to acquire leader lease..." lock="ns-a/demo"`
	followsText  = `Failed to acquire lease" lock="ns-a/demo"`
	lostText     = `Failed to renew lease" lock="ns-a/demo" err="context deadline exceeded"`
	heldText     = `Lease is held by and has not yet expired" lock="ns-a/demo" holder=`
	newLeaseText = `Failed to update lease optimistically, falling back to slow path" lock="ns-a/demo" err="StorageError: invalid object, UID in precondition: 59b1"`
)

// A client deletes the Lease right after an acquisition: the old leader soon reads that another candidate holds it, and
// its log mixes nothing. Without the line about the new Lease, such a log has the lines of two electors.
func TestALeaseDeletedSoonAfterItsAcquisition(t *testing.T) {
	p := pieces{
		"node-a.klog": klogLine("10:00:00.0", "11", triesText) + klogLine("10:00:00.1", "11", acquiredText) +
			klogLine("10:00:08.0", "11", newLeaseText) + klogLine("10:00:08.1", "11", heldText+`"node-b"`) +
			klogLine("10:00:12.0", "11", lostText),
		"node-b.klog": klogLine("10:00:00.5", "12", triesText) + klogLine("10:00:00.6", "12", heldText+`"node-a"`) +
			klogLine("10:00:07.4", "12", acquiredText),
	}
	got := p.rule(t, "node-a.klog", "node-b.klog")
	assert.Equal(t, []string{"node-a", "node-b"}, got.leaders)
	assert.Equal(t, []string{"deleted"}, got.causes)
	assert.Equal(t, 3, got.exit)
	assert.Empty(t, got.report.refusals)
	mixed := p.without("node-a.klog", "UID in precondition").rule(t, "node-a.klog", "node-b.klog")
	assert.Len(t, mixed.report.refusals, 1)
}

// A follower's read proves no overlap, even if a loss without an acquisition comes after it.
func TestAFollowersReadProvesNoOverlap(t *testing.T) {
	p := pieces{
		"node-a.klog": klogLine("10:00:00.0", "11", triesText) + klogLine("10:00:00.1", "11", acquiredText) +
			klogLine("10:00:21.0", "13", heldText+`"node-b"`) + klogLine("10:00:21.0", "13", followsText) +
			klogLine("10:00:23.0", "13", lostText),
		"node-b.klog": klogLine("10:00:20.0", "12", acquiredText),
	}
	assert.Zero(t, p.rule(t, "node-a.klog", "node-b.klog").exit)
	leads := p.without("node-a.klog", "Failed to acquire")
	assert.Equal(t, 3, leads.rule(t, "node-a.klog", "node-b.klog").exit, "it read as a leader, and stopped later")
}

// A leader gives up after its renewDeadline. So reads that go on for longer are a follower's, and show no pause.
func TestReadsPastTheDeadlineAreNotALeaders(t *testing.T) {
	log := klogLine("10:00:00.0", "11", triesText) + klogLine("10:00:00.1", "11", acquiredText) +
		klogLine("10:00:40.0", "11", heldText+`"node-b"`)
	p := pieces{"node-b.klog": klogLine("10:00:20.0", "12", acquiredText)}
	for last, pauses := range map[string]bool{"10:00:50.0": true, "10:00:54.0": false} {
		p["node-a.klog"] = log + klogLine(last, "11", heldText+`"node-b"`)
		assert.Equal(t, pauses, slices.Contains(p.rule(t, "node-a.klog", "node-b.klog").causes, "pause"), last)
	}
}

// If the Lease's file ends before a loss, the log does not show whether the leader slept or a client edited the Lease.
func TestALossAfterTheFileEnds(t *testing.T) {
	p := piecesOf(t, "edited").only("watch", "node-a").replace("node-a.klog", ` holder="node-b"`, "")
	held := 0
	p = p.change("watch.jsonl", func(line string) string {
		if strings.Contains(line, `"renewTime":"2026-11-26T19:31:36`) {
			held++
		}
		if held > 0 {
			return ""
		}
		return line
	}).without("watch.jsonl", `"holderIdentity":""`)
	got := p.rule(t, "node-a.klog", "watch.jsonl")
	assert.Equal(t, []string{"pause", "edited", "deleted"}, got.causes)
	assert.InDelta(t, 0.5, got.report.Confidence, 0)
}

// A report moves the lines of the logs. A later report of the same Reader says the same, and a copy of a log changes
// nothing.
func TestAReportAgainSaysTheSame(t *testing.T) {
	p := piecesOf(t, "pause-1").skew(t, "node-a", -40*time.Second)
	r := NewReader(Options{Year: 2026})
	report := func() []LeaseReport {
		all := r.Report().Leases
		for i := range all {
			for k := range all[i].lines {
				all[i].toNs += all[i].lines[k].ns // of the lines, too
			}
			all[i].lines, all[i].writes, all[i].gets, all[i].lives, all[i].terms = nil, nil, nil, nil, nil
		}
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		r.Feed(name, []byte(p[name]))
		r.End(name)
		report()
	}
	r.Feed("copy/node-a.klog", []byte(p["node-a.klog"]))
	r.End("copy/node-a.klog")
	first := report()
	assert.Equal(t, first, report())
	assert.Equal(t, first, report())
	whole := NewReader(Options{Year: 2026})
	for _, name := range append(slices.Sorted(maps.Keys(p)), "copy/node-a.klog") {
		whole.Feed(name, []byte(p[strings.TrimPrefix(name, "copy/")]))
		whole.End(name)
	}
	assert.Equal(t, whole.Report().Leases[0].Evidence, first[0].Evidence)
}
