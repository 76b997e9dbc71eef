package exchange

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Difference is a class of requests that this server once answered otherwise than a real kube-apiserver, with the real
// answer in each member that differed.
// Source: kube-apiserver of k8s.io/kubernetes v1.36.2 with etcd v3.6.8, beside this server on 306,884 random requests.
type Difference struct {
	Name    string
	GateOff bool // the servers ran without the gate CoordinatedLeaderElection
	Steps   []request
	At      int // the request whose answer Want is about
	Want    []Expectation
}

// Named has the reason for each class that still differs, by name. web/docs/api.md names them, too.
var Named = map[string]string{
	"ConfigMaps of the control plane in lists of all namespaces": "leaselab has no control plane, which would write ConfigMaps",
	"replace status":    "an earlier DELETE accepts only Protobuf, which the server does not send",
	"JSON patch status": "upstream panics; HTTP/1 clients get a broken connection, and here a 500",
	// Upstream goes through the members in the order of a Go map, and stops at the first unknown one.
	"apply body.message #3": Chance, "apply body.message #4": Chance, "apply body.message #5": Chance,
	"apply body.message #6": Chance, "apply body.message #7": Chance,
	// The health checks and the OpenAPI documents have leaselab's own texts.
	"discovery: GET /healthz text": ownText, "discovery: GET /livez text": ownText, "discovery: GET /readyz text": ownText,
	"discovery: OPTIONS /readyz text": ownText, "discovery: GET /openapi/v3 text": ownText,
	"discovery: DELETE /openapi/v3/api/v1": ownText, "discovery: GET /openapi/v3/api/v1": ownText,
	"discovery: OPTIONS /openapi/v3/api/v1":                       ownText,
	"discovery: GET /openapi/v3/apis/coordination.k8s.io/v1":      ownText,
	"discovery: POST /openapi/v3/apis/coordination.k8s.io/v1":     ownText,
	"discovery: GET /openapi/v3/apis/coordination.k8s.io/v1beta1": ownText,
}

// Chance is the reason for classes whose real answer depends on chance.
const Chance = "upstream finds several errors in a configuration by chance"

const ownText = "the text is leaselab's own"

// request is a request of a Difference. In its texts, <<rv:KEY>> stands for the last resourceVersion of an object. Base
// replaces Body: the object at a key as the server last showed it, with Edit applied.
type request struct {
	Method, Path, Body, Base, APIVersion string
	Query                                [][2]string
	Header                               map[string]string
	Bytes                                []byte
	Edit                                 []struct {
		At    string
		Value any
	}
}

// Expectation is what a real server answers at a path such as body.metadata.uid; "N" in a path stands for any place in
// a list. Absent means that the real answer has nothing there. Unchanged means the same resourceVersion as before.
type Expectation struct {
	Path              string
	Value             any
	Absent, Unchanged bool
}

//go:embed testdata/differences/differences.json.gz
var packedDifferences []byte

// Differences returns all classes.
func Differences() (all []Difference, err error) {
	data, err := recorded.Unpack(packedDifferences)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(data, &all)
}

// comparison is the state of a replayed Difference: the objects that the server has shown, by key.
type comparison struct {
	server Server
	shown  map[string]map[string]any
}

// Replay sends the requests of a class and returns how the answer differs from the real one.
func (d *Difference) Replay(server Server) (wrong []string) {
	c := &comparison{server, map[string]map[string]any{}}
	var answer map[string]any
	before := ""
	watched := Stream(nil)
	for i := range d.Steps {
		before = c.revision(keyOf(d.Steps[i].Path))
		got := c.send(&d.Steps[i], i == d.At)
		if i == d.At {
			answer, watched = c.readable(&got), got.Stream
			answer["before"] = before
		}
	}
	if watched != nil {
		frames, _ := watched.Frames(len(d.Steps) - d.At)
		var events []any
		for _, frame := range frames {
			var event any
			_ = json.Unmarshal(frame, &event)
			events = append(events, event)
		}
		answer["events"] = events
		watched.Close()
	}
	found := map[string]int{}
	for _, want := range d.Want {
		if what := want.check(answer, found); what != "" {
			wrong = append(wrong, what)
		}
	}
	return wrong
}

// send sends one request and remembers the object in its answer.
func (c *comparison) send(r *request, last bool) Answer {
	var query [][2]string
	stream := false
	for _, q := range r.Query {
		query = append(query, [2]string{q[0], c.fill(q[1])})
		stream = stream || q[0] == "watch" && last
	}
	step := &Step{Method: r.Method, Header: map[string]string{"accept": "application/json", "user-agent": "simtest/1.0",
		"content-type": "application/json"}, Stream: stream}
	for name, value := range r.Header {
		step.Header[strings.ToLower(name)] = value
	}
	answer := c.server.Send(step, query, r.Path, c.body(r))
	var o map[string]any
	if json.Unmarshal(answer.Body, &o) == nil && answer.Status < 300 {
		if key, name := keyOf(r.Path), fmt.Sprint(at(o, "metadata", "name")); strings.HasSuffix(key, "/") {
			c.shown[key+name] = o
		} else if strings.HasPrefix(key, fmt.Sprint(at(o, "kind"))+"/") {
			c.shown[key] = o
		}
	}
	return answer
}

// keyOf returns KIND/NAMESPACE/NAME for the path of an object, and the same without the name for a collection.
func keyOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	parts = parts[min(len(parts), map[bool]int{true: 2, false: 3}[parts[0] == "api"]):]
	namespace := ""
	if len(parts) > 2 && parts[0] == "namespaces" && parts[2] != "status" && parts[2] != "finalize" {
		namespace, parts = parts[1], parts[2:]
	}
	kinds := map[string]string{"leases": "Lease", "leasecandidates": "LeaseCandidate", "configmaps": "ConfigMap",
		"namespaces": "Namespace"}
	parts = append(parts, "", "")
	return kinds[parts[0]] + "/" + namespace + "/" + parts[1]
}

var mention = regexp.MustCompile(`<<(\w+):?([^>]*)>>`)

// fill replaces the symbols of a text. An object that the server has not shown has the resourceVersion 17.
func (c *comparison) fill(text string) string {
	return mention.ReplaceAllStringFunc(text, func(s string) string {
		m := mention.FindStringSubmatch(s)
		if m[1] != "rv" {
			return "" // the recorder had no list and no continue token
		}
		return c.revision(m[2])
	})
}

func (c *comparison) revision(key string) string {
	if v, is := at(c.shown[key], "metadata", "resourceVersion").(string); is {
		return v
	}
	return "17"
}

func (c *comparison) body(r *request) string {
	if r.Base == "" {
		return c.fill(r.Body) + string(r.Bytes)
	}
	parts := strings.Split(r.Base, "/")
	o := map[string]any{"kind": parts[0], "metadata": map[string]any{"name": parts[2], "namespace": parts[1]}}
	if shown := c.shown[r.Base]; shown != nil {
		data, _ := json.Marshal(shown)
		o = nil
		_ = json.Unmarshal(data, &o)
	}
	o["apiVersion"] = r.APIVersion
	for _, edit := range r.Edit {
		outer, inner, _ := strings.Cut(edit.At, ".")
		if at(o, outer) == nil {
			o[outer] = map[string]any{}
		}
		o[outer].(map[string]any)[inner] = edit.Value
	}
	data, _ := json.Marshal(o)
	return c.fill(string(data))
}

// readable returns an answer as one tree.
func (c *comparison) readable(a *Answer) map[string]any {
	tree := map[string]any{"status": float64(a.Status), "text": string(a.Body), "body": nil}
	header := map[string]any{}
	for name, values := range a.Header {
		var list []any
		for _, v := range values {
			list = append(list, v)
		}
		header[name] = list
	}
	tree["header"] = header
	data := a.Body
	if strings.Contains(fmt.Sprint(header["content-type"]), "yaml") {
		data, _ = yaml.YAMLToJSON(data)
	}
	var body any
	if json.Unmarshal(data, &body) == nil {
		tree["body"], tree["yaml"] = body, body
	}
	return tree
}

// check describes how an answer differs from an expectation, or returns "". Expectations about the items of a list come
// in the order of the list, and next has the first item that may be the next one, by path.
func (e *Expectation) check(answer map[string]any, next map[string]int) string {
	found := values(answer, strings.Split(e.Path, "."))
	switch {
	case e.Absent && len(found) == 0:
		return ""
	case e.Absent:
		return fmt.Sprintf("%s is %v, want none", e.Path, found)
	case e.Unchanged && slices.Contains(found, answer["before"]):
		return ""
	case e.Unchanged:
		return fmt.Sprintf("%s is %v, want the unchanged %v", e.Path, found, answer["before"])
	}
	for i := next[e.Path]; i < len(found); i++ {
		if reflect.DeepEqual(masked(found[i]), masked(e.Value)) {
			next[e.Path] = i + map[bool]int{true: 1}[strings.Contains(e.Path, ".N")]
			return ""
		}
	}
	if list, is := e.Value.([]any); is && len(list) == 0 && len(found) == 0 { // an absent header
		return ""
	}
	return fmt.Sprintf("%s is %s, want %s", e.Path, shown(found), shown(e.Value))
}

func shown(v any) string {
	data, _ := json.Marshal(v)
	return shorten(string(data))
}

// values returns the values at a path. The names of members may contain dots.
func values(tree any, path []string) (found []any) {
	if len(path) == 0 {
		return []any{tree}
	}
	switch tree := tree.(type) {
	case map[string]any:
		for n := len(path); n > 0; n-- {
			if v, has := tree[strings.Join(path[:n], ".")]; has {
				return values(v, path[n:])
			}
		}
	case []any:
		for _, item := range tree {
			found = append(found, values(item, path[1:])...)
		}
	}
	return found
}

// at returns the value of a member, or nil.
func at(tree map[string]any, path ...string) any {
	if found := values(map[string]any(tree), path); len(found) > 0 {
		return found[0]
	}
	return nil
}

// arbitrary matches what no two servers share: uids, times and the suffix of a generated name.
var arbitrary = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?`)

// masked returns a value without its arbitrary parts. The recorder sorted the words of messages that list causes in the
// order of a map.
func masked(v any) any {
	switch v := v.(type) {
	case string:
		words := strings.FieldsFunc(arbitrary.ReplaceAllString(v, "…"), func(r rune) bool {
			return strings.ContainsRune(" ,[]", r)
		})
		sort.Strings(words)
		return strings.Join(words, " ")
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = masked(v[i])
		}
		if len(list) > 0 && at(map[string]any{"0": v[0]}, "0", "reason") != nil { // causes
			sort.Slice(list, func(i, k int) bool { return shown(list[i]) < shown(list[k]) })
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for name := range v {
			if name != "resourceVersion" {
				m[name] = masked(v[name])
			}
		}
		return m
	}
	return v
}
