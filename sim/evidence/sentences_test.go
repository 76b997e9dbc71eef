package evidence

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// only keeps some files of an incident: those whose names begin with one of the words.
func (p pieces) only(words ...string) pieces {
	all := maps.Clone(p)
	maps.DeleteFunc(all, func(name, _ string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(name, word) })
	})
	return all
}

// change replaces the lines of a file; the function each returns the new line, or nothing to drop it.
func (p pieces) change(name string, each func(line string) string) pieces {
	all := maps.Clone(p)
	var lines []string
	for line := range strings.Lines(p[name]) {
		if line = each(line); line != "" {
			lines = append(lines, line)
		}
	}
	all[name] = strings.Join(lines, "")
	return all
}

// without drops the lines with one of the words.
func (p pieces) without(name string, words ...string) pieces {
	return p.change(name, func(line string) string {
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) }) {
			return ""
		}
		return line
	})
}

// hole drops the audit events between two instants.
func (p pieces) hole(from, to string) pieces {
	return p.change("audit.jsonl", func(line string) string {
		if at := stageTimes.FindAllStringSubmatch(line, 2)[1][2]; at > from && at < to {
			return ""
		}
		return line
	})
}

// deletes turns kubectl's edit into a deletion.
func (p pieces) deletes() pieces {
	all := p.change("audit.jsonl", func(line string) string {
		if strings.Contains(line, `"userAgent":"kubectl`) && strings.Contains(line, `"verb":"update"`) {
			return strings.Replace(line, `"verb":"update"`, `"verb":"delete"`, 1)
		}
		return line
	})
	return all.change("watch.jsonl", func(line string) string {
		if strings.Contains(line, `"holderIdentity":""`) {
			return strings.Replace(line, "MODIFIED", "DELETED", 1)
		}
		return line
	})
}

// unversioned drops the versions that the clients had read, as an audit log of patches has none.
func (p pieces) unversioned() pieces {
	return p.change("audit.jsonl", func(line string) string {
		head, request, _ := strings.Cut(line, `"requestObject":`)
		request, answer, _ := strings.Cut(request, `"responseObject":`)
		if answer == "" {
			return line
		}
		return head + `"requestObject":` + readVersion.ReplaceAllString(request, "") + `"responseObject":` + answer
	})
}

var managedTime = regexp.MustCompile(`"time": ?"[^"]*",?`)

var readVersion = regexp.MustCompile(`"resourceVersion":"\d+",`)

func (p pieces) replace(name, old, new string) pieces {
	all := maps.Clone(p)
	all[name] = strings.ReplaceAll(p[name], old, new)
	return all
}

// bare drops what only the server knows from a line of a watch: the time of receipt, and managedFields.
func bare(t *testing.T, line string) string {
	var event map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &event))
	delete(event, "receivedAt")
	delete(event["object"].(map[string]any)["metadata"].(map[string]any), "managedFields")
	text, err := json.Marshal(event)
	require.NoError(t, err)
	return string(text) + "\n"
}

const refused = `dial tcp 10.96.0.1:443: connect: connection refused`

const metadata = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","stage":"ResponseComplete","verb":"update",` +
	`"objectRef":{"resource":"leases","namespace":"ns-a","name":"demo"},"responseStatus":{"code":200},` +
	`"requestReceivedTimestamp":"2026-11-20T19:18:30.1Z","stageTimestamp":"2026-11-20T19:18:30.2Z"}` + "\n"

// sourcesOfSentences returns the incidents in testdata, parts of them, and small changes to them.
func sourcesOfSentences(t *testing.T) map[string]pieces {
	of := map[string]pieces{}
	for _, incident := range recorded {
		p := piecesOf(t, incident)
		of[incident], of[incident+" audit"], of[incident+" watch"] = p, p.only("audit"), p.only("watch")
		of[incident+" logs"], of[incident+" victim"] = p.only("node"), p.only("node-a.klog")
	}
	edited, partition, crash, pause := of["edited"], of["partition-1"], of["crash-1"], of["pause-1"]
	restart := restarted(t).only("audit", "node")
	soon := restart.replace("node-a.klog", "19:16:2", "19:15:5")
	numbered := func(p pieces, first, next string) pieces {
		return p.change("node-a.klog", func(line string) string {
			if line[6:14] > "19:15:50" {
				first = next
			}
			return processColumn.ReplaceAllString(line, "$1       "+first+" ")
		})
	}
	of["crash, soon a process"], of["crash, soon another process"] = soon, numbered(soon, "11", "12")
	of["crash, another process"], of["crash, the same process"] = numbered(restart, "11", "12"), numbered(restart, "11", "11")
	of["deleted audit"], of["deleted watch"] = edited.deletes().only("audit"), edited.deletes().only("watch")
	of["deleted unseen"] = edited.deletes().without("audit.jsonl", `"verb":"delete"`).only("audit").
		change("audit.jsonl", func(line string) string {
			if strings.Contains(line, `"renewTime":"2026-11-26T19:31:36.635`) {
				return strings.Replace(line, `"verb":"update"`, `"verb":"create"`, 1)
			}
			return line
		})
	of["an edit is missing"] = edited.without("audit.jsonl", `"userAgent":"kubectl/v1.37.0 (`).only("audit")
	of["partition, brief logs"] = partition.only("node").without("node-b.klog", "held by", "Failed to acquire").
		without("node-c.klog", "held by", "Failed to acquire").collected(t, "node-a.klog", 7*time.Second)
	of["partition, a wrong clock"] = partition.only("node").collected(t, "node-a.klog", 7*time.Second)
	of["partition, wrong stamps"] = partition.only("node", "audit").collected(t, "node-a.klog", 7*time.Second)
	of["edited without seconds"] = of["edited watch"].change("watch.jsonl", func(line string) string {
		return managedTime.ReplaceAllString(line, "")
	})
	of["begins late"] = of["crash-1 audit"].hole("2026-11-20T19:15", "2026-11-20T19:16:16")
	of["begins with an acquisition"] = of["crash-1 audit"].hole("2026-11-20T19:15", "2026-11-20T19:16:08.3")
	of["begins with logs"] = crash.only("audit", "node").hole("2026-11-20T19:15", "2026-11-20T19:16:08.3")
	of["early audit"] = of["an edit is missing"].unversioned()
	of["a release is missing"] = of["release-1 audit"].without("audit.jsonl", `"holderIdentity":"","leaseDurationSeconds":1,"acquireTime":"2026-11-20T19:19:19.680529Z"`+
		`,"renewTime":"2026-11-20T19:19:19.680529Z","leaseTransitions":0}},"responseObject"`)
	of["replaced audit"] = of["edited audit"].replace("audit.jsonl", `"holderIdentity":""`, `"holderIdentity":"node-z"`)
	of["a hole in a change"] = of["crash-1 audit"].hole("2026-11-20T19:15:40", "2026-11-20T19:16:16")
	of["a hole and logs"] = pause.only("audit", "node").hole("2026-11-20T19:16:50", "2026-11-20T19:17:20")
	of["a hole beside logs"] = crash.only("audit", "node").hole("2026-11-20T19:15:52", "2026-11-20T19:16:07")
	of["a hole in a term"] = of["pause-1 audit"].hole("2026-11-20T19:17:25", "2026-11-20T19:17:51")
	before := ""
	of["an outage in a term"] = of["a hole in a term"].change("audit.jsonl", func(line string) string {
		if versions := readVersion.FindAllString(line, -1); strings.Contains(line, `"verb":"update"`) && len(versions) > 1 {
			line = strings.Replace(line, versions[0], cmp.Or(before, versions[0]), 1)
			before = versions[1]
		}
		return line
	})
	of["an outage and no change"] = of["an outage in a term"].hole("2026-11-20T19:15", "2026-11-20T19:17:12")
	ends := crash.only("audit", "node-a", "node-b").hole("2026-11-20T19:15:50", "2027").without("node-b.klog", "held by")
	of["ends, and logs"] = ends.without("node-b.klog", "Failed to acquire")
	cut, failed := partition.only("audit", "node-a"), "2026-11-20T19:18:19.9"
	of["reads before a timeout"] = cut.hole(failed, "2026-11-20T19:18:24.9")
	of["reads before a refusal"] = of["reads before a timeout"].replace("node-a.klog", "context deadline exceeded", refused).
		replace("node-a.klog", "Client.Timeout", "refused")
	of["etcd answers"] = pieces{"audit.jsonl": string(contents(t, "testdata/etcd/audit-real.jsonl.gz"))}
	rollout := of["etcd logs"]
	for name := range rollout {
		rollout = rollout.replace(name, "etcdserver: request timed out", refused).replace(name, "context deadline exceeded", refused)
	}
	of["rollout logs"], of["rollout victim"] = rollout, rollout.only("node-a.klog")
	of["rollout audit and victim"] = maps.Clone(of["rollout victim"])
	of["rollout audit and victim"]["audit.jsonl"] = of["etcd audit"]["audit.jsonl"]
	of["wrote again"] = pieces{"audit.jsonl": crash["audit.jsonl"] + strings.NewReplacer(`"verb":"update"`, `"verb":"update"`,
		`"code":200`, `"code":409`, `"responseObject"`, `"requestObject"`, "19:15:29.1Z", "19:16:20.1Z", "19:15:29.2Z", "19:16:20.2Z",
		`"holderIdentity":"a"`, `"holderIdentity":"node-a"`, `"renewTime":"2026-11-20T19:15:29`, `"renewTime":"2026-11-20T19:16:20`).Replace(audited) + "\n"}
	released := maps.Clone(partition)
	released["node-a.klog"] += `E1120 19:18:29.910500   17779 leaderelection.go:321] "Failed to release lock" err="context deadline exceeded" lock="ns-a/demo"` + "\n"
	of["a failed release"] = released
	of["no Lease logs"] = of["edited logs"].change("node-a.klog", func(line string) string {
		return strings.Replace(line, "the object has been modified; please apply your changes to the latest version and try again",
			`leases.coordination.k8s.io \"demo\" not found`, 1)
	})
	of["a new Lease, logs"] = of["edited logs"].change("node-a.klog", func(line string) string {
		return strings.Replace(line, "the object has been modified; please apply your changes to the latest version and try again",
			`StorageError: invalid object, Code: 4, AdditionalErrorMsg: Precondition failed: UID in precondition: 59b1, UID in object meta: 60c2`, 1)
	})
	of["a term is missing"] = of["deploy-rel watch"].without("watch.jsonl", `"holderIdentity":"node-b"`, `"holderIdentity":""`)
	of["two servers"], of["skew"] = pause.onTwoServers(t, 20*time.Second), pause.skew(t, "node-a", -40*time.Second)
	times := of["pause-1 watch"].change("watch.jsonl", func(line string) string { return bare(t, line) })
	of["renewTime alone"], of["contradicted"] = times, times.skew(t, "node-b", -40*time.Second)
	again := of["wrote again"]
	of["wrote again on two servers"] = again.onTwoServers(t, 20*time.Second)
	of["wants the Lease again"] = again.change("audit.jsonl", func(line string) string {
		if strings.Contains(line, `"code":409`) {
			return strings.Replace(line, `"acquireTime":"2026-11-20T19:15:29`, `"acquireTime":"2026-11-20T19:16:20`, 1)
		}
		return line
	})
	reads := func(p pieces, from time.Time, n int, answer string) pieces {
		all := maps.Clone(p)
		for k := range n {
			at := from.Add(time.Duration(k) * 2 * time.Second).Format("2006-01-02T15:04:05.000000Z")
			all["audit.jsonl"] += `{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"get","userAgent":"x/1",` +
				`"objectRef":{"resource":"leases","namespace":"ns-a","name":"demo"},"responseStatus":{` + answer +
				`},"requestReceivedTimestamp":"` + at + `","stageTimestamp":"` + at + `"}` + "\n"
		}
		return all
	}
	crashed, outage := time.Date(2026, 11, 20, 19, 16, 9, 0, time.UTC), time.Date(2026, 11, 26, 19, 29, 45, 0, time.UTC)
	of["five even reads"] = reads(of["crash-1 audit"], crashed, 5, `"code":200`)
	of["a script polls"] = reads(of["crash-1 audit"], crashed, 40, `"code":200`)
	of["a release and even reads"] = reads(of["release-1 audit"], time.Date(2026, 11, 20, 19, 19, 36, 0, time.UTC), 5, `"code":200`)
	of["a read fails"] = reads(of["etcd audit"], outage, 1, `"code":500,"message":"etcdserver: leader changed"`)
	of["a client gave up"] = reads(of["etcd audit"], outage, 1, `"code":500,"message":"context canceled"`)
	of["node-c was answered"] = rollout.change("node-c.klog", func(line string) string {
		if strings.Contains(line, refused) {
			return line[:30] + ` x.go:1] "Lease is held by and has not yet expired" lock="ns-a/demo" holder="node-a"` + "\n"
		}
		return line
	})
	of["requests on two servers"] = crash.only("audit").change("audit.jsonl", func(line string) string {
		if strings.Contains(line, `"verb":"get"`) {
			return strings.Replace(line, `"responseObject"`, `"unread"`, 1)
		}
		return line
	}).onTwoServers(t, 20*time.Second)
	of["ends in a release"] = of["release-1 audit"].hole("2026-11-20T19:19:34.8", "2027")
	of["metadata"] = pieces{"audit.jsonl": metadata}
	of["one state"] = pieces{"lease.json": someLease + "\n"}
	of["record"] = pieces{"run.ndjson": string(contents(t, "testdata/record.ndjson.gz"))}
	late := func(at string) string {
		return strings.NewReplacer(`"renewTime":"2026-11-20T19:15:29`, `"renewTime":"2026-11-20T`+at, "19:15:29.1Z", at+".1Z", "19:15:29.2Z", at+".2Z").Replace(audited) + "\n"
	}
	of["nearly expired"] = pieces{"audit.jsonl": late("19:15:29") + late("19:15:42")}
	of["expired"] = pieces{"audit.jsonl": late("19:15:29") + late("19:16:42")}
	return of
}

// Each sentence appears where it is true, and is missing where it would be false.
func TestSentences(t *testing.T) {
	sources := sourcesOfSentences(t)
	told := map[string]string{}
	for name, p := range sources {
		r := NewReader(Options{Year: 2026})
		for _, file := range slices.Sorted(maps.Keys(p)) {
			r.Feed(file, []byte(p[file]))
			r.End(file)
		}
		report := r.Report()
		var text strings.Builder
		WriteStory(&text, &report)
		for _, v := range Judge(&report, int64(5*time.Second)).Violations {
			text.WriteString("check: " + v.Says + "\ncheck at " + v.At + " " + v.Rule + "\n")
		}
		for i := range report.Leases {
			text.WriteString("headline: " + report.Leases[i].Headline() + "\n")
		}
		told[name] = text.String()
		assert.NotContains(t, told[name], "confidence 1.00", name)
	}
	for _, c := range []struct{ sentence, there, missing string }{
		{`node-a released the Lease at 19:`, "release-1 audit", "edited audit"},
		{`kubectl/v1.37.0 emptied holderIdentity at 19:31:36.166, while node-a held the Lease. This was not a release`, "edited audit", "release-1 audit"},
		{`kubectl emptied holderIdentity at 19:31:36, while`, "edited watch", "edited audit"},
		{`kubectl emptied holderIdentity after 19:31:35.\d+, while`, "edited without seconds", "edited watch"},
		{`node-b acquired the Lease at 19:16:08.291, and leaseTransitions is 1: an earlier term had ended`, "begins late", "crash-1 audit"},
		{`an earlier term had ended`, "begins with an acquisition", "begins with logs"},
		{`replaced holderIdentity node-a with node-z at 19:31:36.166`, "replaced audit", "edited audit"},
		{`kubectl/v1.37.0 deleted the Lease at 19:31:36.166, while node-a held it`, "deleted audit", "edited audit"},
		{`deleted the Lease after 19:31:35.\d+, while node-a held it; the file does not say when`, "deleted watch", "deleted audit"},
		{`node-b created the Lease at .* so a client had deleted it`, "deleted unseen", "deleted audit"},
		{`kubectl/v1.37.0 replaced holderIdentity node-a with node-z`, "replaced audit", "edited audit"},
		{`node-b took the Lease from node-a at .* before it could expire`, "early audit", "edited audit"},
		{`no line shows the write that node-c replaced at 19:19:19.840. The last known renewal of node-a is at 19:19:17.952`, "a release is missing", "release-1 audit"},
		{`A read at 19:19:19.794 shows it without a holder: node-a released it, or a client edited it`, "a release is missing", "an edit is missing"},
		{`These files lack writes of the Lease, the first one before 19:19:19.840, and 1 in all or more`, "a release is missing", "release-1 audit"},
		{`after node-b took the Lease: it had slept, or a network cut .* or a client had edited or deleted the Lease`, "an edit is missing", "wrote again"},
		{`clock of node-b runs fast`, "early audit", "an edit is missing"},
		{`both believed that they led`, "early audit", "a release is missing"},
		{`node-a stopped 1.336 s after node-b began, by two clocks. Nothing in these files compares the clocks`, "partition, brief logs", "partition-1 logs"},
		{`The clocks of these logs differ by 6.299 s or more: node-b read that node-a holds the Lease`, "partition, a wrong clock", "partition-1 logs"},
		{`± 7.001 s: by its renewTime at the server; its log shows an acquisition late`, "partition, wrong stamps", "partition-1"},
		{`The files have a gap: node-b acquired the Lease at 19:16:08.291`, "a hole in a change", "crash-1 audit"},
		{`node-a read at 19:17:19.57\d that node-b holds the Lease, with no failed request before: it slept`, "a hole and logs", "pause-1"},
		{`Likely cause: pause`, "a hole and logs", "a hole in a change"},
		{`node-a last renewed at`, "pause-1", "a hole and logs"},
		{`The audit log has a gap of 1\d.\d+ s from .*: logs show requests that it lacks. So a release may be missing, too`, "a hole beside logs", "crash-1"},
		{`Likely cause: crash or release \(confidence 0.50\)`, "a hole beside logs", "crash-1"},
		{`The audit log has a gap of 28.532 s from .* which node-b held before and after. Lines are missing, or the API server did not answer`, "a hole in a term", "pause-1 audit"},
		{`No candidate's request arrived from .* for 28.532 s. node-b held the Lease before and after, and no write is missing`, "an outage in a term", "a hole in a term"},
		{`Lines are missing, or the API server did not answer`, "a hole in a term", "an outage in a term"},
		{`Likely cause: control plane \(confidence 0.60\)`, "an outage and no change", "an outage in a term"},
		{`the Lease expired after 15s`, "an outage in a term", "a hole in a term"},
		{`No candidate's request arrived`, "etcd audit", "ends, and logs"},
		{`do not show whether the requests of the other candidates failed too`, "reads before a refusal", "reads before a timeout"},
		{`Likely cause: partition \(confidence 0.90\)`, "reads before a timeout", "reads before a refusal"},
		{`longest 2.0\d\d s`, "a hole in a term", "expired"},
		{`node-a last renewed at .*; node-b has held the Lease since`, "crash-1 audit", "crash-1 logs"},
		{`node-a acquired the Lease at .*; node-b has held it since`, "crash-1 logs", "crash-1 audit"},
		{`The last renewals of node-a came up to`, "slow-1", "pause-1"},
		{`node-a logged 4 failed requests from .*: "etcdserver: request timed out"`, "etcd", "crash-1"},
		{`the API server answered 2 failed requests from .*: "HTTP 500 etcdserver: request timed out"`, "etcd answers", "etcd audit"},
		{`The trace says what happened to a`, "record", "pause-1"},
		{`An answer to node-a began but was not complete in time`, "slow-1", "pause-1"},
		{`All candidates whose requests these files show failed together`, "rollout logs", "partition-1"},
		{`waited for answers until its requests timed out`, "partition-1 logs", "etcd logs"},
		{`do not show whether the requests of the other candidates failed too`, "rollout victim", "rollout logs"},
		{`A write that node-a sent at 19:18:14.904 reached the API server at 19:18:38`, "partition-1", "pause-1"},
		{`node-a was silent from .*: it was paused`, "pause-1", "edited logs"},
		{`it was paused, or a client edited or deleted the Lease`, "edited logs", "pause-1 logs"},
		{`node-a found a new Lease at 19:31:37.954: a client had deleted its Lease`, "a new Lease, logs", "no Lease logs"},
		{`Likely cause: deleted`, "a new Lease, logs", "edited logs"},
		{`no line shows the write that node-c replaced`, "a term is missing", "deploy-rel watch"},
		{`node-a found no Lease at 19:31:37.954: a client had deleted its Lease`, "no Lease logs", "edited logs"},
		{`Likely cause: deleted`, "no Lease logs", "edited logs"},
		{`node-a wrote again at 19:16:20`, "wrote again", "crash-1 audit"},
		{`reads that name no candidate are exactly retryPeriod apart`, "pause-1 audit", "crash-1 audit"},
		{`No candidate's request arrived from 19:29:37.826 to 19:30:00.196`, "etcd audit", "crash-1 audit"},
		{`sooner than leaseDuration, 15s, allows: node-a released it`, "release-1 logs", "pause-1 logs"},
		{`ends without a word about the loss`, "crash-1 logs", "pause-1 logs"},
		{`node-a: no requests and no log lines after`, "crash-1", "etcd"},
		{`Likely cause: crash \(confidence 0.60\)`, "crash-1", "crash, soon another process"},
		{`Likely cause: crash \(confidence 0.60\)`, "crash, soon a process", "crash, the same process"},
		{`Likely cause: crash \(confidence 0.60\)`, "crash, another process", "crash, the same process"},
		{`Likely cause: crash \(confidence 0.85\)`, "crash, soon another process", "crash, another process"},
		{`until the same process follows at 19:16:2.*It was paused or cut off, and its log lacks the loss`, "crash, the same process", "crash, soon a process"},
		{`node-a: no request after .* that names it or looks like its own`, "crash-1 audit", "crash-1"},
		{`Writes alone cannot tell a crash from a pause or a partition`, "crash-1 watch", "crash-1 audit"},
		{`node-a logged at 19:17:29.571 that it could not renew the Lease.`, "pause-1", "crash-1"},
		{`could not renew the Lease. These files do not show who led next`, "partition-1 victim", "partition-1 logs"},
		{`has releaseOnCancel: it tried to release the Lease, and worked on until that failed at 19:18:29.91\d: "context deadline exceeded"`, "a failed release", "partition-1"},
		{`Several API servers wrote the audit log, and their clocks are \d+\.\d+ s apart`, "two servers", "pause-1"},
		{`The clock of node-a is (39.9|40.0)\d\d s behind, by its renewTime at the server`, "skew", "pause-1"},
		{`node-b wrote the Lease after node-a, but by renewTime \d+\.\d+ s before it: their clocks differ`, "contradicted", "renewTime alone"},
		{`for 16.008 s: node-a and node-b; the log of node-a says when it stopped leading`, "pause-1", "pause-1 audit"},
		{`for \d\.\d+ to 11.296 s: node-a and node-b; node-a tried to renew from`, "edited audit", "edited"},
		{`for up to 11.305 s: node-a and node-b; node-a last renewed at .* may have kept trying until`, "edited watch", "edited audit"},
		{`for at least 9.997 s`, "pause-1 victim", "pause-1 logs"},
		{`Nobody renewed:\n`, "crash-1 audit", "release-1 audit"},
		{`Nobody led:\n`, "release-1 audit", "edited"},
		{`Nobody led:\n.*19:18:24.9\d+Z for 5.6\d\d s`, "partition-1", "partition-1 audit"},
		{`check: nobody led for 5.6\d\d s; the limit is 5s`, "partition-1", "partition-1 audit"},
		{`check: nobody renewed for 17.632 s; the limit is 5s`, "partition-1", "release-1"},
		{`check: another client than an elector changed the holder of the Lease, and node-a held it`, "edited audit", "release-1 audit"},
		{`check at 2026-11-26T19:31:36Z writeByNonHolder`, "edited watch", "edited audit"},
		{`check at 2026-11-26T19:31:36.166\d+Z writeByNonHolder`, "edited audit", "edited watch"},
		{`check: node-a and node-b both believed that they led, for 11.298 s`, "edited", "crash-1"},
		{`headline: Nobody led for 0.796 s. Likely cause: release`, "release-1 audit", "crash-1 audit"},
		{`headline: Nobody renewed for 18.418 s. Likely cause: crash, pause or partition \(confidence 0.34\)`, "crash-1 audit", "crash-1"},
		{`headline: .* Likely cause: pause\.`, "record", "pause-1"},
		{`emptied holderIdentity at 19:31:36, while`, "edited watch", "edited audit"},
		{`node-a and node-b both believed`, "replaced audit", "crash-1 audit"},
		{`node-a and node-z both believed`, "", "replaced audit"},
		{`logged a failed request`, "etcd", "edited logs"},
		{`crash, pause or partition`, "contradicted", "early audit"},
		{`reads that name no candidate`, "five even reads", "a script polls"},
		{`both believed`, "five even reads", "a release and even reads"},
		{`"HTTP 500 etcdserver: leader changed"`, "a read fails", "a client gave up"},
		{`"HTTP 500 context canceled"`, "", "a client gave up"},
		{`Likely cause: control plane \(confidence 0.90\)`, "etcd victim", "rollout victim"},
		{`Likely cause: control plane \(confidence 0.80\)`, "rollout audit and victim", "rollout victim"},
		{`All candidates whose requests`, "rollout logs", "node-c was answered"},
		{`No candidate's request arrived`, "etcd audit", "requests on two servers"},
		{`leaseDuration 15s: leaseDurationSeconds of the Lease`, "ends in a release", "release-1 logs"},
		{`node-a wrote again`, "wrote again on two servers", "wants the Lease again"},
		{`it was held on the network`, "partition-1", "wrote again on two servers"},
		{`the Lease nearly expired`, "nearly expired", "expired"},
		{`73.000 s to the next renewal; the Lease expired after 15s`, "expired", "nearly expired"},
		{`releaseOnCancel true \(confidence 0.90\): node-a released the Lease`, "release-1 audit", "edited audit"},
		{`releaseOnCancel true \(confidence 0.90\): node-a tried to release the Lease`, "a failed release", "partition-1"},
		{`leaseDuration 15s: leaseDurationSeconds of the Lease`, "release-1", "release-1 logs"},
		{`These files do not show when a leader worked, only until when it believed`, "pause-1", "crash-1"},
		{`The audit log has 1 writes at level Metadata`, "metadata", "pause-1"},
		{`Without an audit log, reads and refused writes are missing`, "crash-1 watch", "crash-1 audit"},
		{`The times come from renewTime, by each holder's own clock`, "renewTime alone", "pause-1 watch"},
		{`Without the electors' logs, nothing shows what a candidate believed`, "crash-1 audit", "crash-1"},
		{`Without the Lease's writes, renewals are unknown`, "crash-1 logs", "crash-1 audit"},
		{`One state of a Lease shows no history`, "one state", "pause-1 victim"},
		{`requests name no candidate`, "crash-1 audit", "edited"},
	} {
		if c.there != "" { // else no source has it
			require.Contains(t, told, c.there)
			assert.Regexp(t, c.sentence, told[c.there], c.there)
		}
		require.Contains(t, told, c.missing)
		assert.NotRegexp(t, c.sentence, told[c.missing], c.missing)
	}
}
