package exchange

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// Answer is the answer of the server under test.
type Answer struct {
	Status int
	Header map[string][]string // names in lower case
	Body   []byte
	Stream Stream // for an open watch
}

// Stream is an open watch.
type Stream interface {
	// Frames returns the frames since the last call; it waits until there are want of them. ended reports that the
	// server closed the watch.
	Frames(want int) (frames [][]byte, ended bool)
	// Close disconnects the client at the end of a case.
	Close()
}

// Server is the server under test.
type Server interface {
	// Send sends a request. If the step is a stream, the answer may be an open watch.
	Send(step *Step, query [][2]string, path, body string) Answer
	// Before repeats the recorder's manual step before a step.
	Before(c *Case, step int)
}

// Mismatch is a step whose answer differs.
type Mismatch struct {
	Step int
	What string
}

// symbol is a placeholder of the recording.
var symbol = regexp.MustCompile(`<(?:rv:\d+|rv:\?|uid:\d+|continue:\d+|time|rand5|age|hash)>`)

// shapes maps placeholders to patterns of their values.
var shapes = map[string]string{
	"rv": `\d+`, "uid": `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "continue": `[A-Za-z0-9_-]+`,
	"time": `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`, "rand5": `[bcdfghjklmnpqrstvwxz2456789]{5}`, "age": `\d+[a-z0-9]*`,
	"hash": `[0-9A-F]+`,
}

// replay is the state of a replayed case.
type replay struct {
	c     *Case
	bound map[string]string
	times map[string]string // the times in the last answers, by uid and path
}

// Run replays a case and returns the steps whose answers differ.
func Run(server Server, c *Case) []Mismatch {
	r := &replay{c: c, bound: map[string]string{}, times: map[string]string{}}
	var wrong []Mismatch
	open := map[int]Stream{}
	got := map[int][][]byte{} // frames of the open watches, by step
	after := map[int][]int{}
	ended := map[int]bool{}
	collect := func(step int) {
		for _, i := range sortedKeys(open) {
			want := 0
			for _, e := range c.Steps[i].Events {
				if e.AfterStep <= step {
					want++
				}
			}
			if step == len(c.Steps)-1 { // after the last step wait for all frames
				want = len(c.Steps[i].Events)
			}
			frames, over := open[i].Frames(want - len(got[i]))
			for range frames {
				after[i] = append(after[i], step)
			}
			got[i] = append(got[i], frames...)
			for _, f := range frames {
				r.remember(f)
			}
			ended[i] = ended[i] || over
		}
	}
	for i := range c.Steps {
		step := &c.Steps[i]
		server.Before(c, i)
		query := make([][2]string, 0, len(step.Query))
		for _, q := range step.Query {
			query = append(query, [2]string{q[0], r.fill(q[1])})
		}
		answer := server.Send(step, query, r.fill(step.Path), r.body(step.Body))
		if what := r.compare(step, &answer); what != "" {
			wrong = append(wrong, Mismatch{i, what})
		}
		r.remember(answer.Body)
		if answer.Stream != nil {
			open[i] = answer.Stream
		}
		collect(i)
	}
	for _, i := range sortedKeys(open) {
		if what := r.frames(&c.Steps[i], got[i], after[i]); what != "" {
			wrong = append(wrong, Mismatch{i, what})
		}
		if c.Steps[i].Ended == "client-close" && ended[i] {
			wrong = append(wrong, Mismatch{i, "the server closed the watch"})
		}
		open[i].Close()
	}
	sort.SliceStable(wrong, func(a, b int) bool { return wrong[a].Step < wrong[b].Step })
	return wrong
}

func sortedKeys(m map[int]Stream) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	return keys
}

// fill replaces symbols by their values.
func (r *replay) fill(template string) string {
	return symbol.ReplaceAllStringFunc(template, func(s string) string {
		if value, bound := r.bound[s]; bound {
			return value
		}
		return s
	})
}

// body replaces the symbols in a request's body. For a time of the server's clock, it takes the time in the last answer
// with the same object.
func (r *replay) body(template string) string {
	if !strings.Contains(template, "<time>") {
		return r.fill(template)
	}
	filled := r.fill(template)
	n, err := wire.Parse([]byte(filled))
	if err != nil {
		return filled
	}
	name := n.Member("metadata").Member("name")
	if name == nil {
		return filled
	}
	r.refill(n, name.Text, "")
	return string(appendSpaced(nil, n))
}

func (r *replay) refill(n *wire.Node, name, place string) {
	if n.Kind == wire.String && n.Text == "<time>" {
		if at, has := r.times[name+place]; has {
			n.Text = at
		} else if at, has := r.times[name+"/metadata/creationTimestamp"]; has {
			n.Text = at
		}
		return
	}
	for i, item := range n.Items {
		part := fmt.Sprint(i)
		if n.Kind == wire.ObjectKind {
			part = n.Names[i]
		}
		r.refill(item, name, place+"/"+part)
	}
}

// remember stores the times of an answered object.
func (r *replay) remember(body []byte) {
	n, err := wire.Parse(body)
	if err != nil {
		return
	}
	if o := n.Member("object"); o != nil {
		n = o
	}
	name := n.Member("metadata").Member("name")
	if name == nil {
		return
	}
	var walk func(n *wire.Node, place string)
	walk = func(n *wire.Node, place string) {
		if n.Kind == wire.String && strings.HasSuffix(n.Text, "Z") && len(n.Text) == 20 {
			r.times[name.Text+place] = n.Text
		}
		for i, item := range n.Items {
			part := fmt.Sprint(i)
			if n.Kind == wire.ObjectKind {
				part = n.Names[i]
			}
			walk(item, place+"/"+part)
		}
	}
	walk(n, "")
}

// match compares a text with a template and binds new symbols.
func (r *replay) match(template, text string) bool {
	if template == text {
		return true
	}
	var pattern strings.Builder
	pattern.WriteString(`(?s)^`)
	var names []string
	seen := map[string]bool{}
	last := 0
	for _, at := range symbol.FindAllStringIndex(template, -1) {
		pattern.WriteString(regexp.QuoteMeta(template[last:at[0]]))
		s := template[at[0]:at[1]]
		last = at[1]
		kind, _, _ := strings.Cut(strings.Trim(s, "<>"), ":")
		_, isBound := r.bound[s]
		switch {
		case isBound:
			pattern.WriteString(regexp.QuoteMeta(r.bound[s]))
		case s == "<rv:?>" || !strings.Contains(s, ":") || seen[s]:
			pattern.WriteString(shapes[kind])
		default:
			pattern.WriteString("(" + shapes[kind] + ")")
			names, seen[s] = append(names, s), true
		}
	}
	pattern.WriteString(regexp.QuoteMeta(template[last:]) + `$`)
	re, err := regexp.Compile(pattern.String())
	if err != nil {
		return false
	}
	found := re.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	for i, name := range names {
		r.bound[name] = found[i+1]
	}
	if len(seen) > 0 { // a repeated symbol must have the same value
		return r.match(template, text)
	}
	return true
}

// compare describes how an answer differs from the recording. If it does not differ, compare returns "".
func (r *replay) compare(step *Step, answer *Answer) string {
	if answer.Status != step.Status {
		return fmt.Sprintf("status %d, want %d: %s\n  want %s", answer.Status, step.Status,
			shorten(string(answer.Body)), shorten(step.Answer))
	}
	for _, name := range []string{"content-type", "warning", "retry-after", "vary"} {
		want, have := step.Headers[name], answer.Header[name]
		if strings.Join(want, "\n") != strings.Join(have, "\n") {
			return fmt.Sprintf("header %s is %q, want %q", name, have, want)
		}
	}
	if step.Prefix != "" {
		if want, _ := hex.DecodeString(step.Prefix); !strings.HasPrefix(string(answer.Body), string(want)) {
			return "the body does not begin with " + step.Prefix
		}
		return ""
	}
	if !step.HasAnswer || answer.Stream != nil {
		return ""
	}
	text := string(answer.Body)
	if !step.Exact {
		text = sortCauses(normalize(text))
		if !r.match(sortCauses(step.Answer), text) {
			return difference(r.fill(step.Answer), text)
		}
	} else if !r.match(step.Answer, text) {
		return difference(r.fill(step.Answer), text)
	}
	return r.tokens(step.Answer)
}

// normalize returns a body in the form of recordings without the exact text: no spaces between members, and an OpenAPI
// document without descriptions.
func normalize(body string) string {
	n, err := wire.Parse([]byte(body))
	if err != nil {
		return body
	}
	if n.Member("openapi") != nil {
		undescribe(n)
	}
	return string(appendStyled(nil, n, tight))
}

// undescribe removes the descriptions from a document. Only strings are descriptions, so a property with that name
// stays.
func undescribe(n *wire.Node) {
	var names []string
	var items []*wire.Node
	for i, item := range n.Items {
		if n.Kind == wire.ObjectKind && n.Names[i] == "description" && item.Kind == wire.String {
			continue
		}
		undescribe(item)
		items = append(items, item)
		if n.Kind == wire.ObjectKind {
			names = append(names, n.Names[i])
		}
	}
	n.Names, n.Items = names, items
}

// sortCauses sorts the causes of a conflict between several managers, because upstream's order comes from a map.
func sortCauses(body string) string {
	if !strings.Contains(body, "FieldManagerConflict") {
		return body
	}
	at := strings.Index(body, `"causes":[`) + len(`"causes":[`)
	end := at + strings.Index(body[at:], "]")
	causes := strings.SplitAfter(body[at:end], "}")
	for i := range causes {
		causes[i] = strings.TrimPrefix(causes[i], ",")
	}
	sort.Strings(causes)
	return body[:at] + strings.Join(causes, ",") + body[end:]
}

// tokens compares the contents of continue tokens.
func (r *replay) tokens(template string) string {
	for _, s := range symbol.FindAllString(template, -1) {
		want, has := r.c.Tokens[s]
		if !has || !strings.HasPrefix(s, "<continue:") {
			continue
		}
		data, err := base64.RawURLEncoding.DecodeString(r.bound[s])
		if err != nil {
			return "the continue token is not base64url"
		}
		var have struct {
			V     string          `json:"v"`
			RV    json.RawMessage `json:"rv"`
			Start string          `json:"start"`
		}
		if err := json.Unmarshal(data, &have); err != nil {
			return "the continue token is not JSON"
		}
		var wanted struct {
			V     string
			RV    json.RawMessage
			Start string
		}
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			return err.Error()
		}
		if have.V != wanted.V || have.Start != wanted.Start ||
			!r.match(strings.Trim(string(wanted.RV), `"`), string(have.RV)) {
			return fmt.Sprintf("the continue token holds %s, want %s", data, want)
		}
	}
	return ""
}

// frames describes how the frames of a watch differ.
func (r *replay) frames(step *Step, got [][]byte, after []int) string {
	for i, frame := range got {
		if i >= len(step.Events) {
			return fmt.Sprintf("%d frames, want %d: %s", len(got), len(step.Events), shorten(string(frame)))
		}
		want := step.Events[i]
		if text := strings.TrimSuffix(string(frame), "\n"); !r.match(want.Frame, text) {
			return fmt.Sprintf("frame %d: %s", i, difference(r.fill(want.Frame), text))
		}
		if after[i] != want.AfterStep {
			return fmt.Sprintf("frame %d came after step %d, want %d", i, after[i], want.AfterStep)
		}
	}
	if len(got) < len(step.Events) {
		return fmt.Sprintf("%d frames, want %d; the next is %s", len(got), len(step.Events),
			shorten(r.fill(step.Events[len(got)].Frame)))
	}
	return ""
}

func shorten(s string) string {
	if len(s) > 400 {
		return s[:400] + "…"
	}
	return s
}

// difference quotes two texts from shortly before their first difference.
func difference(want, have string) string {
	at := 0
	for at < len(want) && at < len(have) && want[at] == have[at] {
		at++
	}
	from := max(0, at-60)
	return fmt.Sprintf("at byte %d\n  have %s\n  want %s", at, shorten(have[min(from, len(have)):]),
		shorten(want[min(from, len(want)):]))
}
