// Package exchange replays recorded exchanges of a real kube-apiserver against another server and reports where the
// answers differ.
//
// Guarantee: it compares the status, the recorded headers, the bytes of the body (members in their order) and every
// watch frame with the step after which it came. A symbol in a recording, such as <rv:N>, <uid:N> or <continue:N>,
// always stands for the value of its first appearance. Non-guarantee: it checks only the form of wall-clock times,
// and does not compare the duration of a watch.
// Source: testdata, recorded from kube-apiserver v1.36.2.
package exchange

import (
	"embed"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

//go:embed testdata/*.json.gz testdata/further/*.json.gz
var recordings embed.FS

// Case is a series of requests to one server.
type Case struct {
	File, Name, Server, Note string
	Tokens                   map[string]string // the contents of continue tokens, as JSON
	Steps                    []Step
}

// Step is a request and its recorded answer.
type Step struct {
	Note   string
	Method string
	Path   string
	Query  [][2]string
	Header map[string]string // names in lower case
	Body   string            // as a template with symbols
	Stream bool              // the answer is not complete while later steps run
	Auth   Auth

	Status    int
	Headers   map[string][]string // names in lower case
	Answer    string              // the body as a template: compact JSON or the exact text
	HasAnswer bool
	Exact     bool   // Answer is the exact text
	Prefix    string // the first bytes of the body, in hexadecimal
	Events    []Event
	Ended     string  // how a stream ended
	Seconds   float64 // seconds until the answer, if more than 0.9
}

// Auth is the user that a request authenticates as.
type Auth uint8

const (
	Admin    Auth = iota // the administrator's token
	Nobody               // no token
	Stranger             // a token that the server may not know
)

// Event is a frame of a watch.
type Event struct {
	AfterStep int     // the last step sent before the frame
	At        float64 // seconds since the watch began
	Frame     string  // {"type":…,"object":…} as a template
}

// Cases returns all recorded cases, by file.
func Cases() ([]Case, error) { return open("testdata") }

// Further returns cases that the first ones do not cover: odd values, names and bodies, LeaseCandidates in two
// versions, and random series of writes. Upstream sorts managers by seconds of its clock, so a replay must finish a
// case within one second. The cases leave out answers that name a scheme by its source file, because these depend on the
// build.
// Source: kube-apiserver of k8s.io/kubernetes v1.36.2 with etcd v3.6.8.
func Further() ([]Case, error) { return open("testdata/further") }

// open parses the recordings of a folder, sorted by file.
func open(folder string) ([]Case, error) {
	entries, err := recordings.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		packed, err := recordings.ReadFile(folder + "/" + entry.Name())
		if err != nil {
			return nil, err
		}
		data, err := recorded.Unpack(packed)
		if err != nil {
			return nil, err
		}
		cases, err := Parse(data)
		if err != nil {
			return nil, err
		}
		for i := range cases {
			cases[i].File = strings.TrimSuffix(entry.Name(), ".json.gz")
		}
		all = append(all, cases...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].File < all[j].File })
	return all, nil
}
