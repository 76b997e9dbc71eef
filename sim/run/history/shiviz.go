package history

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/leaselab/leaselab/sim/words"
)

// ShiVizPattern is the regular expression by which ShiViz reads the log. It is the log's first line, where ShiViz takes
// it from.
const ShiVizPattern = `(?<at>\S+) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})`

// mostHosts is how many columns a diagram can have.
const mostHosts = 100

// moment is an event of a host, or one end of a message.
type moment struct {
	atNs    int64
	n       int32 // within the instant
	request int   // its number in the history, -1 for an event without one
	step    int   // of a request: 0 sent, 1 served, 2 ended
	host    int   // the last is the API server
	text    string
}

// ShiViz writes the history as a log for ShiViz (https://bestchai.bitbucket.io/shiviz): two lines for each event, with
// a vector clock. A request is sent before it is served, and served before its answer arrives; a lost one reaches
// nobody.
func (h *History) ShiViz(out io.Writer) error {
	if len(h.Nodes) > mostHosts {
		return fmt.Errorf("ShiViz draws a column for each node, and this run has %d; %d can be read", len(h.Nodes),
			mostHosts)
	}
	hosts := hostNames(h.Nodes)
	clocks := make([][]int64, len(hosts))
	for i := range clocks {
		clocks[i] = make([]int64, len(hosts))
	}
	b := bufio.NewWriter(out)
	b.WriteString(ShiVizPattern + "\n\n")
	sent, served := map[int][]int64{}, map[int][]int64{} // the clock that a message carries
	for _, m := range h.moments() {
		clock := clocks[m.host]
		if m.request >= 0 && m.step > 0 {
			carried := sent
			if m.step == 2 {
				carried = served
			}
			for i, n := range carried[m.request] {
				clock[i] = max(clock[i], n)
			}
		}
		clock[m.host]++
		if m.request >= 0 && m.step == 0 {
			sent[m.request] = slices.Clone(clock)
		}
		if m.request >= 0 && m.step == 1 {
			served[m.request] = slices.Clone(clock)
		}
		if m.step == 2 {
			delete(sent, m.request)
			delete(served, m.request)
		}
		fmt.Fprintf(b, "%s %s\n%s {", strings.ReplaceAll(words.Seconds(m.atNs), " ", ""), oneLine(m.text),
			hosts[m.host])
		first := true
		for i, n := range clock {
			if n == 0 {
				continue
			}
			if !first {
				b.WriteString(",")
			}
			first = false
			b.WriteString(quoted(hosts[i]) + ":" + strconv.FormatInt(n, 10))
		}
		b.WriteString("}\n")
	}
	return b.Flush()
}

// hostNames are the names of the nodes and of the API server without spaces, each once.
func hostNames(nodes []string) []string {
	var all []string
	for _, name := range append(slices.Clone(nodes), "API-server") {
		name = strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.IsControl(r) || r == '{' || r == '}' {
				return '_'
			}
			return r
		}, name)
		if name == "" {
			name = "_"
		}
		for slices.Contains(all, name) {
			name += "'"
		}
		all = append(all, name)
	}
	return all
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}

func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
}

// moments lists what happens, in an order in which nothing stands before its cause.
func (h *History) moments() []moment {
	var all []moment
	server := len(h.Nodes)
	order := make([]int, len(h.Requests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.Requests[a].SentNs, h.Requests[b].SentNs) })
	for place, i := range order {
		q := &h.Requests[i]
		if q.Node != APIServer {
			all = append(all, moment{q.SentNs, q.sentN, place, 0, q.Node, "sends " + q.Verb})
		}
		if q.ServedNs != Open {
			all = append(all, moment{q.ServedNs, q.servedN, place, 1, server, "serves " + q.Verb})
		}
		if q.Node != APIServer && q.EndedNs != Open {
			step := 2
			if q.ServedNs == Open || q.ServedNs > q.EndedNs {
				step = 3 // it gave up: nothing has arrived
			}
			all = append(all, moment{q.EndedNs, q.endedN, place, step, q.Node, q.Verb + ": " + q.Result})
		}
	}
	for i := range h.Events {
		e := &h.Events[i]
		if e.isRequest() {
			continue
		}
		host := slices.Index(h.Nodes, e.Node)
		if host < 0 {
			host = server
		}
		all = append(all, moment{int64(e.T), e.N, -1, 0, host, e.Text})
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.atNs, b.atNs), cmp.Compare(a.n, b.n), cmp.Compare(a.request, b.request),
			cmp.Compare(a.step, b.step))
	})
	for i := range all {
		if m := &all[i]; m.step == 3 {
			m.request, m.step = -1, 0
		}
	}
	return all
}
