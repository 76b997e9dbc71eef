package kubectl

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// page is what sends for a command: to an API server, 40 seconds after it began.
type page struct {
	server   *apiserver.Server
	commands Commands
	asked    []string // "GET /version"
	bodies   []string
	watch    *apiserver.Watch
	last     *CommandStep
	yaml     map[string]string // read by the page
}

var began = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func newPage(t testing.TB) *page {
	t.Helper()
	p := &page{
		server: apiserver.New(apiserver.Config{Coordinated: true, Versions: []string{"v1beta1"}, Seed: 1}),
		yaml:   map[string]string{"spec: {holderIdentity: me}": `{"spec":{"holderIdentity":"me"}}`},
	}
	p.commands.Help = []FieldHelp{
		{"Lease", "spec.renewTime", "When the holder renewed.\nNot compared."},
		{"Lease", "spec.holderIdentity", "Who holds it."},
	}
	p.create("/api/v1/namespaces", `{"metadata":{"name":"default"}}`)
	p.create(leases, `{"metadata":{"name":"demo","annotations":{"note":"old"}},"spec":{"holderIdentity":"b","leaseDurationSeconds":15}}`)
	return p
}

func (p *page) create(target, body string) {
	p.send(began, &WireRequest{Method: "POST", Target: target, Headers: []string{"Content-Type: application/json"}, Body: body})
}

func (p *page) send(now time.Time, r *WireRequest) *WireAnswer {
	request := &apiserver.Request{Method: r.Method, Header: map[string]string{}, Body: []byte(r.Body)}
	request.Path, request.Query, _ = apiserver.ParseTarget(r.Target)
	for _, h := range r.Headers {
		name, value, _ := strings.Cut(h, ":")
		request.Header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	got := p.server.Handle(now, request)
	if got.Watch != nil {
		p.watch = got.Watch
	}
	a := &WireAnswer{Status: got.Status, Body: string(got.Body)}
	for _, h := range got.Header {
		a.Headers = append(a.Headers, h.Name+": "+h.Value)
	}
	return a
}

// do begins a command and goes on until it ends or follows a watch. It returns what was printed.
func (p *page) do(t testing.TB, begin CommandParams) string {
	t.Helper()
	p.asked, p.bodies = nil, nil
	text := ""
	for given := begin; ; {
		step, err := p.commands.Go(&given, Lease{"default", "demo"})
		require.NoError(t, err)
		p.last = step
		for _, block := range step.Blocks {
			text += block.Text + "\n"
		}
		given = CommandParams{Command: step.Command}
		switch {
		case step.Ask != nil:
			p.asked = append(p.asked, step.Ask.Method+" "+step.Ask.Target)
			p.bodies = append(p.bodies, step.Ask.Body)
			given.Answer = p.send(began.Add(40*time.Second), step.Ask)
		case step.YAML != "":
			if given.JSON = p.yaml[step.YAML]; given.JSON == "" {
				given.Fault = "Line 1: no."
			}
		default:
			return strings.TrimSuffix(text, "\n")
		}
	}
}

func (p *page) line(t testing.TB, text string) string {
	t.Helper()
	return p.do(t, CommandParams{Line: text})
}

// What a line prints, against an API server with one Lease.
func TestLines(t *testing.T) {
	for _, one := range []struct{ line, prints string }{
		{"get leases", "NAME   HOLDER   AGE\ndemo   b        40s"},
		{"get leases -A", "NAMESPACE   NAME   HOLDER   AGE\ndefault     demo   b        40s"},
		{"get leases --no-headers", "demo   b     40s"},
		{"get leases -l a=b", "No resources found in default namespace."},
		{"get leases -A -l a=b", "No resources found"},
		{"get lease demo nobody", "NAME   HOLDER   AGE\ndemo   b        40s\nError from server (NotFound): leases.coordination.k8s.io \"nobody\" not found"},
		{"get lease nobody", `Error from server (NotFound): leases.coordination.k8s.io "nobody" not found`},
		{"get lease demo -o name", "lease.coordination.k8s.io/demo"},
		{"get leases -o jsonpath='{.items[*].spec.holderIdentity}'", "b"},
		{"get leases -l a=b -o yaml", "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\""},
		{"get ns -o name", "namespace/default"},
		{"get --raw /healthz", "ok"},
		{"get leases -A demo", "A name belongs to one namespace: leave out -A or the name."},
		{"get leases,namespaces", "One kind at a time."},
		{"get lease/demo ns/default", "One kind at a time."},
		{"get", "get what? There are leases, leasecandidates and namespaces: " + verbs[0].usage},
		{"get pods", "There is no kind “pods” here. There are leases, leasecandidates and namespaces."},
		{"get lease a b -w", "A watch follows one object or all of a kind, not several by name."},
		{"edit lease", "edit takes one name: edit lease NAME"},
		{"create", "create needs -f: " + verbs[2].usage},
		{"apply -f --force-conflicts", "--force-conflicts goes with --server-side."},
		{"create namespace lab", "namespace/lab created"},
		{"create namespace lab --dry-run=server", "namespace/lab created (server dry run)"},
		{"patch lease demo", "patch needs -p: patch lease NAME --type merge|json|strategic -p '…'"},
		{"patch lease demo --type json -p '{}'", `A JSON patch is a list of operations: -p '[{"op":"replace","path":"/spec/holderIdentity","value":"me"}]'`},
		{"patch lease demo -p '[]'", `A strategic patch is an object: -p '{"spec":{"holderIdentity":"me"}}'`},
		{"patch lease demo -p '{'", "The patch is not JSON: unexpected end of JSON input."},
		{"patch lease demo -p 'a: &x 1'", "The patch is not YAML. Line 1: no."},
		{"patch lease demo --type merge -p 'spec: {holderIdentity: me}'", "lease.coordination.k8s.io/demo patched"},
		{"patch lease demo -p '{}'", "lease.coordination.k8s.io/demo patched (no change)"},
		{"patch lease demo -p '{}' -o name", "lease.coordination.k8s.io/demo"},
		{"delete leases", "delete which? Give a name, a selector with -l, or --all."},
		{"delete lease demo --all", "delete by name, or by -l or --all, not both."},
		{"delete leases -l a=b", "No resources found"},
		{"delete lease nobody demo", "lease.coordination.k8s.io \"demo\" deleted from default namespace\nError from server (NotFound): leases.coordination.k8s.io \"nobody\" not found"},
		{"delete leases --all -o name", "lease.coordination.k8s.io/demo"},
		{"annotate lease demo new=1 note-", "lease.coordination.k8s.io/demo annotated"},
		{"annotate lease demo note=new", "“note” has the value “old” already. Add --overwrite to change it."},
		{"annotate lease demo note=new --overwrite", "lease.coordination.k8s.io/demo annotated"},
		{"annotate lease demo note=old", "lease.coordination.k8s.io/demo not annotated"},
		{"annotate lease demo", "annotate what? annotate lease NAME key=value key-"},
		{"annotate lease demo a=b c", "“c” is neither key=value nor key-: annotate lease NAME key=value key-"},
		{"label lease demo a=b", "lease.coordination.k8s.io/demo labeled"},
		{"label lease demo a-", "lease.coordination.k8s.io/demo not unlabeled"},
		{"api-resources -o name", "namespaces\nleases.coordination.k8s.io\nleasecandidates.coordination.k8s.io"},
		{"explain lease.spec.renewTime", "KIND:     Lease\nVERSION:  coordination.k8s.io/v1\n\nspec.renewTime\n    When the holder renewed.\n    Not compared."},
		{"explain lease.spec.color", "A Lease's “spec.color” is not explained here. There are spec.renewTime and spec.holderIdentity."},
		{"explain ns", "Only the fields of a Lease and of a LeaseCandidate are explained here."},
		{"help label", "label: sets and removes labels\n    label lease NAME key=value key-\nFlags: -n, --namespace  --overwrite  --field-manager  --dry-run  -o, --output"},
	} {
		t.Run(one.line, func(t *testing.T) {
			p := newPage(t)
			assert.Equal(t, one.prints, p.line(t, one.line))
			assert.Empty(t, p.commands.commands, "it has ended")
		})
	}
}

// describe shows every field in words.
func TestDescribe(t *testing.T) {
	p := newPage(t)
	got := p.line(t, "describe lease demo")
	assert.Contains(t, got, "Name:         demo\nNamespace:    default\nLabels:       <none>\nAnnotations:  note: old\nAPI Version:  coordination.k8s.io/v1\nKind:         Lease\nMetadata:\n  Creation Timestamp:  2000-01-01T00:00:00Z\n")
	assert.Contains(t, got, "\nSpec:\n  Holder Identity:         b\n  Lease Duration Seconds:  15\nEvents:                    <none>")
}

// The requests of a line stand in the order in which they are sent, and a write names its manager.
func TestRequests(t *testing.T) {
	for _, one := range []struct{ line, asked string }{
		{"get leases -l 'a in (b, c)'", "GET " + leases + "?labelSelector=a+in+%28b%2C+c%29&limit=500"},
		{"patch lease demo --type merge -p '{}' --field-manager me --dry-run server", "GET " + leases + "/demo\nPATCH " + leases + "/demo?dryRun=All&fieldManager=me"},
		{"label lease demo a=b", "GET " + leases + "/demo\nPATCH " + leases + "/demo?fieldManager=kubectl-label"},
		{"delete leases --all", "GET " + leases + "?limit=500\nDELETE " + leases + "/demo"},
		{"edit leasecandidates.v1alpha2.coordination.k8s.io x -n lab", "GET /apis/coordination.k8s.io/v1alpha2/namespaces/lab/leasecandidates/x"},
	} {
		p := newPage(t)
		p.line(t, one.line)
		assert.Equal(t, one.asked, strings.Join(p.asked, "\n"), one.line)
	}
}

// A watch lists, then follows from that version; columns stay where they are. A new line ends it.
func TestWatch(t *testing.T) {
	p := newPage(t)
	assert.Equal(t, "NAME   HOLDER   AGE\ndemo   b        40s", p.line(t, "get leases -w"))
	require.True(t, p.last.Follow)
	assert.Regexp(t, `watch=true$`, p.asked[1])
	p.send(began, &WireRequest{Method: "DELETE", Target: leases + "/demo"})
	raw, _ := p.server.Poll(began.Add(40*time.Second), p.watch)
	frames := []string{`{"type":"BOOKMARK","object":{}}`, `{"type":"ERROR","object":{"message":"too old","reason":"Expired"}}`}
	for _, frame := range raw {
		frames = append(frames, string(frame))
	}
	step, err := p.commands.Go(&CommandParams{Command: p.last.Command, Frames: frames}, Lease{})
	require.NoError(t, err)
	assert.Equal(t, []Block{{"error: too old (Expired)", true}, {"demo   b        40s", false}}, step.Blocks)

	watching := step.Command
	p.line(t, "version")
	_, err = p.commands.Go(&CommandParams{Command: watching}, Lease{})
	assert.EqualError(t, err, "This command has ended.")
}

// Of one object, a watch prints the first sight once.
func TestWatchOfOne(t *testing.T) {
	p := newPage(t)
	p.line(t, "get lease demo -w -o name")
	assert.Equal(t, []string{"GET " + leases + "/demo", "GET " + leases + "?fieldSelector=metadata.name%3Ddemo&resourceVersion=0&watch=true"}, p.asked)
	raw, _ := p.server.Poll(began.Add(40*time.Second), p.watch)
	require.Len(t, raw, 1)
	step, err := p.commands.Go(&CommandParams{Command: p.last.Command, Frames: []string{string(raw[0])}}, Lease{})
	require.NoError(t, err)
	assert.Empty(t, step.Blocks)
}

// A list longer than a chunk is read whole.
func TestChunks(t *testing.T) {
	p := newPage(t)
	for i := range 600 {
		p.create(leases, `{"metadata":{"name":"l`+number(i)+`"}}`)
	}
	for _, line := range []string{"get leases --no-headers", "get leases -o name"} {
		assert.Len(t, strings.Split(p.line(t, line), "\n"), 601)
		assert.Len(t, p.asked, 2)
	}
}

// Lines that kubectl reads from files open the editor.
func TestEditorOpens(t *testing.T) {
	for _, one := range []struct{ line, verb, target, has string }{
		{"create -f", "create", leases + "?fieldManager=kubectl-create", "name: example"},
		{"apply -f --server-side --field-manager me --force-conflicts", "apply", leases + "/demo?fieldManager=me&force=true", "leaseDurationSeconds: 30"},
		{"apply -f lease x", "applyClient", leases + "/x?fieldManager=kubectl-client-side-apply", "name: x"},
		{"replace -f lease demo", "replace", leases + "/demo?fieldManager=kubectl-replace", "holderIdentity: b"},
		{"edit lease demo", "edit", leases + "/demo?fieldManager=kubectl-edit", "holderIdentity: b"},
	} {
		p := newPage(t)
		assert.Regexp(t, `dit .*, then Send`, p.line(t, one.line))
		d := p.last.Draft
		require.NotNil(t, d, one.line)
		assert.Equal(t, []string{one.verb, one.target, "leases"}, []string{d.Verb, d.Target, d.Kind})
		assert.Contains(t, d.Body, one.has)
		assert.NotContains(t, d.Body+d.Before, "managedFields")
	}
}

// A warning of the server is said first.
func TestWarnings(t *testing.T) {
	assert.Equal(t, []string{`be "careful"`}, warnings([]string{"a: b", `warning: 299 - "be \"careful\""`}))
	assert.Equal(t, "Error from server: HTTP 502: bad gateway", refusal(&WireAnswer{Status: 502, Body: "bad gateway\n"}))
}

// FuzzCommands runs any line and any draft against a server: a command always ends, or follows a watch.
func FuzzCommands(f *testing.F) {
	for _, seed := range []string{"get leases -Awo yaml", `patch lease demo -p "{\"a\": 'b'}"`, "get lease demo -o jsonpath={range.items[?(@.a==\"b\")]}", "label ns default a=b c-"} {
		f.Add(seed, "PATCH", leases+"/demo", "a: b", false)
	}
	f.Fuzz(func(t *testing.T, line, verb, target, body string, asItIs bool) {
		p := newPage(t)
		p.line(t, line)
		p.do(t, CommandParams{Draft: &Draft{Verb: verb, Target: target, Headers: body, Body: body, Before: line}, AsItIs: asItIs})
		Propose(&DraftParams{Verb: verb, Kind: line, Target: target}, Lease{})
		r := &WireRequest{Method: verb, Target: target, Body: body}
		Propose(&DraftParams{Request: r}, Lease{})
		Copy(r)
	})
}
