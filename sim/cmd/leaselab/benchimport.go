package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
)

// importFigures is how fast an audit log is read of which each line is about a Lease. The ratios are against two bare
// readings of the same bytes: one that looks for the ends of lines, and one that checks each line as JSON.
type importFigures struct {
	MBPerSecond float64 `json:"mbPerSecond"`
	OfLines     float64 `json:"ofLines"` // this speed over that of the bare lines
	OfJSON      float64 `json:"ofJSON"`  // and over that of the checked JSON
}

// importRounds is how often each reading is measured, in turns; importLines is how many lines the log has.
const (
	importRounds = 7
	importLines  = 40_000
)

// auditLog makes an audit log of electors that renew and read.
func auditLog(lines int) []byte {
	var b bytes.Buffer
	at := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
	for i := range lines {
		at = at.Add(700 * time.Millisecond)
		stamp := at.Format("2006-01-02T15:04:05.000000Z")
		verb, object := "get", ""
		lease := fmt.Sprintf(
			`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"demo","namespace":"ns-a","uid":"2ef647cf-7b59-4fd0-a78c-e56437dbe3c2","resourceVersion":"%d","creationTimestamp":"2026-11-20T19:00:00Z",`+
				`"managedFields":[{"manager":"elector","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":%q,"fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:acquireTime":{},"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:leaseTransitions":{},"f:renewTime":{}}}}]},`+
				`"spec":{"holderIdentity":"node-a","leaseDurationSeconds":15,"acquireTime":"2026-11-20T19:00:00.000000Z","renewTime":%q,"leaseTransitions":0}}`, 200+i, stamp, stamp)
		if i%3 == 0 {
			verb, object = "update", `"requestObject":`+lease+","
		}
		fmt.Fprintf(&b,
			`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"654b0f56-a9ab-4968-855a-%012d","stage":"ResponseComplete","requestURI":"/apis/coordination.k8s.io/v1/namespaces/ns-a/leases/demo?timeout=5s",`+
				`"verb":%q,"user":{"username":"electors","uid":"1","groups":["system:masters","system:authenticated"]},"sourceIPs":["127.0.0.1"],"userAgent":"elector/v1","objectRef":{"resource":"leases","namespace":"ns-a","name":"demo","apiGroup":"coordination.k8s.io","apiVersion":"v1"},`+
				`"responseStatus":{"metadata":{},"code":200},%s"responseObject":%s,"requestReceivedTimestamp":%q,"stageTimestamp":%q,"annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":""}}`+"\n", i, verb, object, lease, stamp, stamp)
	}
	return b.Bytes()
}

// measureImport reads an audit log in three ways in turns, so that another load on the machine slows all, and takes the
// medians.
func measureImport(atLeast time.Duration) (*importFigures, error) {
	lines := importLines
	if atLeast < time.Second { // as tests have it
		lines = 2000
	}
	log := auditLog(lines)
	var spent [3][]float64
	for range importRounds {
		for k, reading := range []func() error{
			func() error { return importOf(log, lines) },
			func() error { return eachLine(log, func([]byte) bool { return true }) },
			func() error { return eachLine(log, json.Valid) },
		} {
			began := time.Now()
			if err := reading(); err != nil {
				return nil, err
			}
			spent[k] = append(spent[k], time.Since(began).Seconds())
		}
	}
	var median [3]float64
	for k := range spent {
		slices.Sort(spent[k])
		median[k] = spent[k][importRounds/2]
	}
	return &importFigures{MBPerSecond: float64(len(log)) / 1e6 / median[0], OfLines: median[1] / median[0],
		OfJSON: median[2] / median[0]}, nil
}

func importOf(log []byte, lines int) error {
	r := evidence.NewReader(evidence.Options{})
	for rest := log; len(rest) > 0; {
		n := min(chunkBytes, len(rest))
		r.Feed("audit.jsonl", rest[:n])
		rest = rest[n:]
	}
	r.End("audit.jsonl")
	if report := r.Report(); report.Files[0].Records[string(evidence.Audit)] != lines {
		return fmt.Errorf("the import read %d of %d lines", report.Files[0].Records[string(evidence.Audit)], lines)
	}
	return nil
}

func eachLine(log []byte, holds func([]byte) bool) error {
	for rest := log; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if !holds(rest[:end]) {
			return fmt.Errorf("a line of the log is not JSON")
		}
		rest = rest[end+1:]
	}
	return nil
}
