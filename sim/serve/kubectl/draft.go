package kubectl

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// Draft is a request as the editor shows it.
type Draft struct {
	Verb    string `json:"verb"` // a DraftVerb's id
	Kind    string `json:"kind"` // "leases"
	Method  string `json:"method"`
	Target  string `json:"target"`
	Headers string `json:"headers"` // one per line
	Body    string `json:"body"`
	Before  string `json:"before,omitempty"` // of an edit: the object as it was read, as JSON
}

// DraftVerb is what a draft can do.
type DraftVerb struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Method string `json:"method"`

	named       bool // about one object
	contentType string
	query       []string
}

// DraftVerbs lists the verbs in their order.
var DraftVerbs = []DraftVerb{
	{"list", "list", "GET", false, "", nil},
	{"get", "get", "GET", true, "", nil},
	{"watch", "watch", "GET", false, "", []string{"watch", "true"}},
	{"create", "create", "POST", false, typeJSON, nil},
	{"replace", "replace", "PUT", true, typeJSON, nil},
	{"strategic", "patch, strategic", "PATCH", true, patchTypes["strategic"], nil},
	{"merge", "patch, merge", "PATCH", true, patchTypes["merge"], nil},
	{"json", "patch, JSON", "PATCH", true, patchTypes["json"], nil},
	{"apply", "apply, server-side", "PATCH", true, "application/apply-patch+yaml", []string{"fieldManager", "me"}},
	{"applyClient", "apply, client-side", "PATCH", true, patchTypes["merge"], nil},
	{"edit", "edit", "PATCH", true, patchTypes["merge"], nil},
	{"delete", "delete", "DELETE", true, "", nil},
	{"deletecollection", "delete collection", "DELETE", false, "", nil},
}

func draftVerb(id string) *DraftVerb {
	return &DraftVerbs[max(0, slices.IndexFunc(DraftVerbs, func(v DraftVerb) bool { return v.ID == id }))]
}

func (v *DraftVerb) headers() string {
	if v.contentType == "" {
		return acceptJSON
	}
	return acceptJSON + "\nContent-Type: " + v.contentType
}

// DraftParams asks for a draft: of a verb and a kind, or of a request.
type DraftParams struct {
	Verb    string       `json:"verb,omitempty"`
	Kind    string       `json:"kind,omitempty"`
	Target  string       `json:"target,omitempty"` // of the draft so far
	Request *WireRequest `json:"request,omitempty"`
}

// Drafted is a draft, and what else there is to choose.
type Drafted struct {
	Draft Draft       `json:"draft"`
	Verbs []DraftVerb `json:"verbs"`
	Kinds []string    `json:"kinds"`
}

// Propose drafts a request: of the object that the target names, or of the Lease.
func Propose(p *DraftParams, lease Lease) *Drafted {
	out := &Drafted{Verbs: DraftVerbs, Kinds: kindNames()}
	if r := p.Request; r != nil {
		out.Draft = draftOf(r)
		return out
	}
	v := draftVerb(p.Verb)
	at := place{namespace: lease.Namespace, name: "example"}
	at.kind, _ = findKind(p.Kind)
	switch at.kind.name {
	case "":
		at.kind, at.name = kinds[0], lease.Name
	case "Lease":
		at.name = lease.Name
	case "Namespace":
		at.name = lease.Namespace
	}
	if named, _, ok := readTarget(p.Target); ok {
		if named.namespace != "" {
			at.namespace = named.namespace
		}
		if named.name != "" && named.kind.plural == at.kind.plural {
			at.name = named.name
		}
	}
	body := ""
	if value := v.body(at); value != nil {
		body = YAML(value)
		if _, list := value.([]any); list {
			body = string(wire.Indent(wire.Encode(nil, value, nil)))
		}
	}
	if !v.named {
		at.name = ""
	}
	out.Draft = Draft{Verb: v.ID, Kind: at.kind.plural, Method: v.Method, Target: at.target(v.query...), Headers: v.headers(), Body: body}
	return out
}

// body returns a body to start from, nil for a verb without one.
func (v *DraftVerb) body(at place) any {
	note := wire.Map{"leaselab.dev/note": "hello"}
	isLease := at.kind.name == "Lease"
	switch v.ID {
	case "create":
		at.name = "example"
		return at.sample()
	case "replace":
		return at.sample()
	case "strategic", "merge":
		if isLease {
			return wire.Map{"spec": wire.Map{"holderIdentity": "me"}}
		}
		return wire.Map{"metadata": wire.Map{"annotations": note}}
	case "json":
		if isLease {
			return []any{wire.Map{"op": "replace", "path": "/spec/holderIdentity", "value": "me"}}
		}
		return []any{wire.Map{"op": "add", "path": "/metadata/annotations", "value": note}}
	case "apply", "applyClient":
		return at.managed()
	}
	return nil
}

// draftOf drafts a request that was sent.
func draftOf(r *WireRequest) Draft {
	at, query, ok := readTarget(r.Target)
	d := Draft{Verb: "get", Kind: kinds[0].plural, Method: r.Method, Target: r.Target, Headers: strings.Join(r.Headers, "\n"), Body: pretty(r.Body)}
	if ok {
		d.Kind = at.kind.plural
	}
	contentType := header(r.Headers, "content-type")
	for _, v := range DraftVerbs {
		fits := v.named == (at.name != "") || v.Method == "POST" || v.Method == "PUT"
		switch r.Method {
		case "GET":
			fits = fits && (v.ID == "watch") == truth(query, "watch") || v.ID == "watch" && truth(query, "watch")
		case "PATCH":
			fits = v.contentType != "" && strings.Contains(contentType, v.contentType)
		}
		if v.Method == r.Method && fits {
			d.Verb = v.ID
			return d
		}
	}
	if r.Method == "PATCH" {
		d.Verb = "strategic"
	}
	return d
}

// pretty indents JSON and leaves anything else as it is.
func pretty(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// edit puts a request into the editor.
func (c *command) edit(verb, target string, o, before wire.Map, sentence string) {
	if c.err != nil {
		return
	}
	v := draftVerb(verb)
	d := Draft{Verb: verb, Kind: kinds[0].plural, Method: v.Method, Target: target, Headers: v.headers(), Body: YAML(o)}
	if at, _, ok := readTarget(target); ok {
		d.Kind = at.kind.plural
	}
	if before != nil {
		d.Before = string(wire.Encode(nil, before, nil))
	}
	c.draft = &d
	c.say(sentence)
}

// sendDraft sends what the editor holds, and leaves the answers to the reader: a refusal is an answer, too. It reports whether a
// draft whose body is wrong can be sent as it is.
func (c *command) sendDraft(d *Draft, asItIs bool) bool {
	v := draftVerb(d.Verb)
	r := WireRequest{Method: v.Method, Target: c.typedTarget(d.Target), Headers: c.typedHeaders(d.Headers)}
	if asItIs {
		r.Body = d.Body
	} else if c.err == nil && v.Method != "GET" {
		var value any
		if value, r.Body = c.read(d.Body, "body"); c.err != nil {
			return true
		}
		o, _ := value.(wire.Map)
		switch before := object(d.Before); d.Verb {
		case "edit":
			patch := patchOf(before, before, o)
			if r.Body = encode(patch); len(patch) == 0 || o == nil {
				c.fail("The object is unchanged, so nothing was sent.")
			}
		case "applyClient":
			c.apply(r, o)
			return false
		}
	}
	c.wait(&CommandStep{Ask: &r})
	return false
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// apply applies an object as kubectl does without --server-side: it patches what differs between what was applied last, what is
// stored and what is wanted.
func (c *command) apply(r WireRequest, o wire.Map) {
	if o == nil {
		c.fail("Nothing to apply: the body is empty.")
		return
	}
	applied := encode(o) + "\n"
	o = wire.CopyMap(o)
	wire.Set(o, applied, "metadata", "annotations", lastApplied)
	path, query, _ := strings.Cut(r.Target, "?")
	c.wait(&CommandStep{Ask: &WireRequest{Method: "GET", Target: path, Headers: []string{acceptJSON}}})
	stored := c.given.Answer
	at, _, named := readTarget(r.Target)
	if stored != nil && stored.Status == 404 && named {
		at.name = ""
		r.Target, r.Body = strings.TrimSuffix(at.target()+"?"+query, "?"), encode(o)
		r.Method, r.Headers = "POST", strings.Split(draftVerb("create").headers(), "\n")
		c.wait(&CommandStep{Ask: &r})
		return
	} else if stored == nil || stored.Status != 200 {
		return
	}
	current := object(stored.Body)
	last, _ := wire.Get(current, "metadata", "annotations", lastApplied).(string)
	patch := patchOf(object(last), current, o)
	if r.Body = encode(patch); len(patch) == 0 {
		c.say("Unchanged.")
		return
	}
	c.wait(&CommandStep{Ask: &r})
}

// patchOf returns the merge patch that makes the current object the wanted one: what is wanted and differs, and null for what
// was there last and is not wanted any more. What others wrote stays.
func patchOf(last, current, wanted wire.Map) wire.Map {
	patch := wire.Map{}
	for name := range last {
		_, stays := wanted[name]
		if _, there := current[name]; there && !stays {
			patch[name] = nil
		}
	}
	for name, value := range wanted {
		has, there := current[name]
		inner, isObject := value.(wire.Map)
		old, wasObject := has.(wire.Map)
		if isObject && wasObject {
			before, _ := last[name].(wire.Map)
			if change := patchOf(before, old, inner); len(change) > 0 {
				patch[name] = change
			}
		} else if !there || !wire.Equal(has, value) {
			patch[name] = value
		}
	}
	return patch
}

// typedTarget returns a target as it is sent: without a host, with a slash.
func (c *command) typedTarget(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "")
	if scheme, rest, absolute := strings.Cut(text, "://"); absolute && (scheme == "http" || scheme == "https") {
		_, text, _ = strings.Cut(rest, "/")
	}
	if text == "" {
		c.fail("The path is empty. Enter one, such as /apis/coordination.k8s.io/v1/leases.")
	} else if strings.ContainsAny(text, " \t") {
		c.fail("“" + text + "” contains a space: write it as %20.")
	}
	return "/" + strings.TrimPrefix(text, "/")
}

// typedHeaders returns headers, one per line.
func (c *command) typedHeaders(text string) []string {
	headers := []string{}
	for one := range strings.SplitSeq(text, "\n") {
		if one = strings.TrimSpace(one); one != "" && !isHeader(one) {
			c.fail("“" + one + "” is not a header. Write one per line, such as “Accept: application/json”.")
		} else if one != "" {
			headers = append(headers, one)
		}
	}
	return headers
}
