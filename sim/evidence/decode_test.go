package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(text string) Report {
	r := NewReader(Options{Year: 2026})
	r.Feed("file", []byte(text))
	r.End("file")
	return r.Report()
}

const someLease = `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"demo","namespace":"ns-a"},` +
	`"spec":{"holderIdentity":"a","leaseDurationSeconds":15,"acquireTime":"2026-11-20T19:15:29.000000Z","renewTime":"2026-11-20T19:15:29.000000Z","leaseTransitions":0}}`

// The reader recognizes every form that a tool prints.
func TestDetectsForms(t *testing.T) {
	pretty := "{\n    \"apiVersion\": \"coordination.k8s.io/v1\",\n    \"kind\": \"Lease\",\n    \"metadata\": {\n        \"name\": \"demo\",\n        \"namespace\": \"ns-a\"\n    },\n" +
		"    \"spec\": {\n        \"holderIdentity\": \"a\",\n        \"renewTime\": \"2026-11-20T19:15:29.000000Z\"\n    }\n}\n"
	yaml := "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: demo\n  namespace: ns-a\nspec:\n  holderIdentity: a\n  leaseDurationSeconds: 15\n  renewTime: \"2026-11-20T19:15:29.000000Z\"\n"
	events := "object:\n  " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ") + "\ntype: ADDED\n"
	for name, c := range map[string]struct {
		text    string
		kind    Kind
		records int
	}{
		"a Lease on a line":                {someLease + "\n", Lease, 1},
		"a watch's event":                  {`{"type":"ADDED","object":` + someLease + "}\n", Watch, 1},
		"indented objects of a watch":      {pretty + pretty, Lease, 2},
		"without the last line feed":       {strings.TrimSuffix(pretty, "\n"), Lease, 1},
		"YAML":                             {yaml, Lease, 1},
		"documents of YAML":                {yaml + "---\n" + yaml, Lease, 2},
		"a watch's events as YAML":         {events + "---\n" + events, Watch, 2},
		"a List":                           {`{"kind":"List","apiVersion":"v1","items":[` + someLease + "," + someLease + "]}\n", Lease, 2},
		"a List as YAML":                   {"apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ") + "\nkind: List\n", Lease, 1},
		"klog 2":                           {`I1120 19:15:29.454249   17684 leaderelection.go:272] "Successfully acquired lease" lock="ns-a/demo"` + "\n", Klog, 1},
		"klog 1":                           {"I1120 19:15:29.454249   17684 leaderelection.go:253] successfully acquired lease ns-a/demo\n", Klog, 1},
		"klog as JSON":                     {`{"ts":1795202129454.2,"caller":"leaderelection/leaderelection.go:272","msg":"Successfully acquired lease","lock":"ns-a/demo","v":0}` + "\n", Klog, 1},
		"zap as JSON":                      {`{"level":"info","ts":"2026-11-20T19:15:29Z","logger":"klog","msg":"successfully acquired lease ns-a/demo"}` + "\n", Klog, 1},
		"zap on a console":                 {"2026-11-20T19:15:29.454Z\tINFO\tklog\tSuccessfully acquired lease\t{\"lock\": \"ns-a/demo\"}\n", Klog, 1},
		"an audit log's EventList":         {`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[` + audited + "," + audited + "]}\n", Audit, 2},
		"an audit log with a line's end":   {audited + "\r\n", Audit, 1},
		"a mark of the order of its bytes": {"\ufeff" + someLease + "\n", Lease, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(c.text)
			assert.Empty(t, got.Problems)
			assert.Equal(t, c.records, got.Files[0].Records[string(c.kind)], "%+v", got.Files)
			require.Len(t, got.Leases, 1)
			assert.Equal(t, "ns-a/demo", got.Leases[0].Name)
			assert.Equal(t, "a", map[bool]string{true: "a", false: got.Leases[0].terms[0].holder}[c.kind == Klog])
		})
	}
}

const audited = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","stage":"ResponseComplete","verb":"update","user":{"username":"u"},` +
	`"objectRef":{"resource":"leases","namespace":"ns-a","name":"demo"},"responseStatus":{"code":200},"responseObject":` + someLease +
	`,"requestReceivedTimestamp":"2026-11-20T19:15:29.1Z","stageTimestamp":"2026-11-20T19:15:29.2Z"}`

// An unreadable line becomes a sentence with its line, and reading continues after it.
func TestProblemsNameTheirLine(t *testing.T) {
	for name, c := range map[string]struct {
		text, says string
		line       int
	}{
		"half a line":       {someLease + "\n" + someLease[:90] + "\n" + someLease + "\n", "is not complete", 2},
		"half a last line":  {someLease + "\n" + someLease[:90], "is not complete", 2},
		"no JSON":           {someLease + "\n{nonsense}\n" + someLease + "\n", "this is not JSON", 2},
		"too deep":          {someLease + "\n{\"a\":" + strings.Repeat("[", 300) + "\n", "deeper than 200", 2},
		"an alias in YAML":  {someLease + "\nkind: &a Lease\nmetadata: *a\n", "has anchors", 2},
		"no YAML":           {someLease + "\nkind: [\n", "YAML", 2},
		"an impossible day": {someLease + "\nI1399 19:15:29.454249   17684 x.go:253] successfully acquired lease ns-a/demo\n", "impossible time", 2},
		"no stageTimestamp": {someLease + "\n" + strings.Replace(audited, "2026-11-20T19:15:29.2Z", "noon", 1) + "\n", "stageTimestamp", 2},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(c.text)
			require.NotEmpty(t, got.Problems)
			assert.Equal(t, c.line, got.Problems[0].Line)
			assert.Contains(t, got.Problems[0].Says, c.says)
			require.Len(t, got.Leases, 1)
		})
	}
}

func TestOtherKindsAreNamed(t *testing.T) {
	got := read(`{"kind":"Pod","apiVersion":"v1"}` + "\nsome text\n")
	assert.Empty(t, got.Leases)
	assert.Equal(t, "it says nothing about a Lease; line 1 is of kind Pod: give the Lease, its watch, the audit log or the electors' logs", got.Files[0].Says)
	assert.Equal(t, 2, got.Files[0].Skipped)
}

// The reader skips a line over the limit in constant memory.
func TestALongLineIsPassedOver(t *testing.T) {
	r := NewReader(Options{})
	r.Feed("file", []byte(someLease+"\n"))
	chunk := []byte(strings.Repeat("x", 1<<20))
	for range 40 {
		r.Feed("file", chunk)
		require.LessOrEqual(t, cap(r.files[0].partial), 3*MaxLineBytes)
	}
	r.Feed("file", []byte("\n"+someLease+"\n"))
	r.End("file")
	got := r.Report()
	require.Len(t, got.Problems, 1)
	assert.Equal(t, Problem{File: "file", Line: 2, Says: "the line is longer than 16 MiB"}, got.Problems[0])
	assert.Equal(t, 3, got.Files[0].Lines)
}

// The reader keeps no records over the limit. It says at which line it stopped, after however many other problems.
func TestRecordsOverTheLimit(t *testing.T) {
	r := NewReader(Options{Most: 3, Year: 2026})
	r.Feed("file", []byte(strings.Repeat("{oops}\n", 30)+strings.Repeat(audited+"\n", 5)))
	r.End("file")
	got := r.Report()
	require.Len(t, got.Leases, 1)
	last := got.Problems[len(got.Problems)-1]
	assert.Equal(t, 34, last.Line)
	assert.Contains(t, last.Says, "reads at most 3 Lease records")
	assert.Equal(t, 31, got.ProblemCount)
	assert.Equal(t, 5, got.Files[0].Records["audit"])

	r = NewReader(Options{Year: 2026})
	for k := range MaxLeases + 2 {
		r.Feed("file", []byte(strings.ReplaceAll(someLease, "demo", fmt.Sprintf("demo-%d", k))+"\n"))
	}
	r.End("file")
	got = r.Report()
	assert.Len(t, got.Leases, MaxLeases)
	require.Len(t, got.Problems, 1)
	assert.Equal(t, MaxLeases+1, got.Problems[0].Line)
	assert.Contains(t, got.Problems[0].Says, "keeps the first 10000 Leases")
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(audited+"\n"+someLease+"\n"), 3)
	f.Add([]byte("apiVersion: v1\nkind: Lease\nmetadata: {name: a, namespace: b}\n---\n"), 5)
	f.Add([]byte("I1120 19:15:29.454249   17684 leaderelection.go:272] \"Successfully acquired lease\" lock=\"ns-a/demo\"\n"), 1)
	f.Add([]byte(`{"t":0.03,"n":1,"node":"a","kind":"request","events":["requestServed"],"verb":"create","result":"created","holder":"a","transitions":0}`), 9)
	for _, text := range []string{
		audited[:200], "{\n  \"kind\": \"Lease\",\n", `{"kind":"List","items":[` + someLease, `{"type":"MODIFIED","object":{"kind":"Lease"}}`, `{"type":7,"object":[]}`,
		"kind: [[[[[[[[\n", "kind: {a: &x [1], b: [*x, *x]}\n", "type: ADDED\nobject:\n  kind: Lease\n", "items:\n- - -\n", "spec: !!binary x\n", "kind: |\n  Lease\n",
		"2026-11-20T19:15:29.454Z\tINFO\tklog\tSuccessfully acquired lease\t{\"lock\":", `{"ts":"1e999","msg":"successfully acquired lease ns-a/demo"}`,
		"I1399 19:15:29.454249   17684 x.go:253] successfully acquired lease ns-a/demo", "I0229 00:00:00.000000       1 x] \"Lease is held\" holder=\"\\ud800\" lock=",
		`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","version":1,"epoch":"2026-11-20T19:15:29Z","lease":"a/b"}` + "\n" + `{"t":1e300,"events":["requestServed"],"verb":"update","result":"updated"}`,
	} {
		f.Add([]byte(text), 2)
	}
	for _, text := range []string{
		"[pod/a/m] 2026-11-20T19:16:38.4Z stdout P I1120\n2026-11-20T19:16:38.4Z stdout F x\n", "a m \x1b[1mtime=2026-11-20T19:16:38Z msg=\"x\"\n",
		"Nov 20 19:16:39 a b[1]: {\"log\":\"{\\\"kind\\\":1}\",\"stream\":\"stderr\",\"logtag\":\"P\"}\n", "[\n{\"items\":[{},[1,\"x\"]]},\n\"x\"]",
		"@timestamp,@message\n1,\"a\n\"\"b\"\n", `{"data":{"result":[{"stream":{"pod":"a"},"values":[["1795202198465675008","x"]]}]}}`, "PK\x03\x04", "\xff\xfea\x00",
		`{"results":[[{"field":"@message","value":"x"}]],"metric":{"__name__":"kube_lease_owner"},"values":[[1,"1"]]}`, "\x1f\x8b\x08", "a\rb\r",
		`{"protoPayload":{"methodName":"leases.update","resourceName":"namespaces/a/leases/b","response":` + someLease + `},"timestamp":1795202198}`,
	} {
		f.Add([]byte(text), 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		whole := NewReader(Options{Year: 2026})
		whole.Feed("f", data)
		whole.End("f")
		parts := NewReader(Options{Year: 2026})
		for rest := data; len(rest) > 0; {
			n := min(max(1, chunk), len(rest))
			parts.Feed("f", rest[:n])
			rest = rest[n:]
		}
		parts.End("f")
		want := whole.Report()
		assert.Equal(t, want, parts.Report())
		var story strings.Builder
		WriteStory(&story, &want)
		assert.Equal(t, -1, strings.IndexFunc(story.String(), func(c rune) bool { return c != '\n' && !strconv.IsPrint(c) }))
		for _, p := range want.Problems {
			assert.Positive(t, p.Line)
			assert.NotEmpty(t, p.Says)
		}
	})
}

// The scan takes all JSON that the standard library takes, unless it nests too deep, and no half of an object.
func FuzzScan(f *testing.F) {
	for _, text := range []string{someLease, audited, `{"a":"\\"}`, `{"a":"\\\""}`, `{"a":[1,-2.5e3,true,null,{}]}`, `{"items":[{},{}]}`, `{"a":"\u00e9"}`, "{ }", "{}x"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || data[0] != '{' || bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > depthMax {
			return
		}
		_, err := decode(data, nil)
		if json.Valid(data) {
			assert.NoError(t, err)
			half := bytes.TrimRight(data, " \t\r\n")
			_, err = decode(half[:len(half)-1], nil)
			assert.Error(t, err)
		}
	})
}

// The reader refuses a bomb with its line, in time and memory that its size explains.
func TestBombs(t *testing.T) {
	for name, text := range map[string]string{
		"flow lists":   "kind: " + strings.Repeat("[", 1<<18) + "\n",
		"flow maps":    "kind: " + strings.Repeat("{a: ", 1<<16) + "\n",
		"block lists":  "kind:\n" + strings.Repeat("- ", 1<<16) + "\n",
		"deep blocks":  "kind:\n" + deepBlocks(2000),
		"aliases":      "kind: [&a x]\nspec: [" + strings.Repeat("*a, ", 1<<12) + "*a]\n",
		"JSON lists":   `{"kind":` + strings.Repeat("[", 1<<20) + "\n",
		"lists inside": strings.Repeat(`{"items":[`, 90) + someLease + strings.Repeat("]}", 90)[:179] + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			before := time.Now()
			got := read(someLease + "\n" + text)
			require.NotEmpty(t, got.Problems)
			assert.Equal(t, 2, got.Problems[0].Line)
			require.Len(t, got.Leases, 1, "what stands before it is read")
			assert.Less(t, time.Since(before), 10*time.Second)
		})
	}
}

func deepBlocks(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
	}
	return b.String()
}
