//go:build !page

package apiserver

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/wire"
)

// An elector renews its Lease every few seconds with the same body, but for resourceVersion, renewTime and the time of
// its entry in managedFields. Once the server has answered one such update in full, it answers the next without reading
// the rest of it, in a fourth of the time. TestRenewalsAreUpdates and FuzzRenewals compare it with a server that reads
// every body.
//
// What makes this sound: an update is a function of the object, the body, the manager and the instant, and it only
// compares these three values. If one body changed nothing else in the object, the same body with other values changes
// nothing else either.
//
// The page answers few requests and builds without it (renewal_page.go).

// renewal is how the newest version of a Lease is renewed.
type renewal struct {
	manager string
	body    pattern // of requests
	json    pattern // of the object as lists have it
	begins  string  // of the object in an answer
	newest  struct{ time, renewTime string }
	weight  int64 // of each version as a tree
}

// gap is a value in which renewals differ.
type gap uint8

const (
	revisionGap gap = iota
	timeGap
	renewTimeGap
	gaps // their number
)

// pattern is a JSON document with gaps for values.
type pattern struct {
	parts []string // one more than there are gaps
	order []gap
}

// longestRenewal is the longest body that the server remembers, in bytes.
const longestRenewal = 4 << 10

// mostUseless is how many renewals in a row the server remembers for nothing. Then it tries at every 64th revision
// only: another client writes in between, or the updates change more.
const (
	mostUseless = 3
	rarely      = 64
)

// updated answers an update.
func (c *call) updated() Response {
	if answer, done := c.renewed(); done {
		return answer
	}
	if c.r.prepared.renewsOnly {
		return Response{}
	}
	before := c.store.Revision()
	a, f := c.update()
	answer := c.answer(a, f)
	if f == nil && a.kept != nil && a.revision == before+1 {
		c.remember(a.stored)
	}
	return answer
}

// Renew is Handle for an update that does what the last one of its Lease did, at another instant. If a request is
// another update, it changes nothing and returns a Response with Status 0: then the caller prepares the request and
// handles it.
func (s *Server) Renew(now time.Time, r *Request) Response {
	if r.Method != "PUT" || len(r.Query) > 0 {
		return Response{}
	}
	r.prepared.renewsOnly = true
	answer := s.Handle(now, r)
	r.prepared.renewsOnly = false
	return answer
}

// renews reports whether a request may be a renewal.
func (c *call) renews() bool {
	media, unknown := c.r.bodyMedia()
	return c.res == leases && unknown == nil && media == jsonMedia && len(c.r.Query) == 0 && c.form == form{} &&
		c.r.Unread == nil
}

// renewed answers an update that does what the one before it did.
func (c *call) renewed() (answer Response, done bool) {
	if !c.renews() {
		return Response{}, false
	}
	entry, _ := c.store.Get(c.res.key(c.namespace, c.name))
	live := entry.Value
	if live == nil || live.renewal == nil {
		return Response{}, false
	}
	r, instant := live.renewal, c.instant()
	sent, fits := r.body.values(c.r.Body)
	var room [20]byte
	if !fits || c.r.manager() != r.manager ||
		string(sent[revisionGap]) != string(strconv.AppendInt(room[:0], entry.Revision, 10)) ||
		string(sent[renewTimeGap]) == r.newest.renewTime ||
		!wire.Usual(string(sent[renewTimeGap]), wire.MicroTimeLayout) ||
		slices.Contains(r.body.order, timeGap) && string(sent[timeGap]) != r.newest.time || instant < r.newest.time {
		return Response{}, false
	}
	if _, f := c.readBody(); f != nil || c.admitUpdate() != nil {
		return Response{}, false
	}
	body := append(make([]byte, 0, len(r.begins)+len(live.json)+8), r.begins...)
	begin := len(body)
	values := [gaps][]byte{strconv.AppendInt(room[:0], c.store.Revision()+1, 10), []byte(instant), sent[renewTimeGap]}
	body = append(r.json.append(body, &values), '\n')
	json := string(body[begin : len(body)-1])
	if body[begin] = ','; len(json) > longestEncoded || c.encoded.bytes+len(json)+len(body) > mostEncodedBytes {
		return Response{}, false
	}
	r.newest.time, r.newest.renewTime = instant, string(sent[renewTimeGap])
	c.encoded.retire(live)
	c.encoded.bytes += len(json) + len(body)
	c.store.Put(entry.Key, &kept{encoding: encoding{version: c.version, json: json, whole: true, answer: body,
		renewal: r}})
	return c.respond(200, jsonMedia, body), true
}

// remember finds out whether an update that wrote a version only renewed a Lease.
func (c *call) remember(o stored) {
	events := c.store.After(o.revision-1, 1)
	if len(events) == 0 || events[0].Old == nil || !c.renews() || len(c.warnings) > 0 ||
		len(c.r.Body) > longestRenewal {
		return
	}
	last := events[0].Old.Value
	if o.kept.useless = last.useless; last.json == "" || !last.whole || !o.kept.whole || last.useless >= mostUseless &&
		o.revision%rarely != 0 {
		return
	}
	o.kept.useless = min(last.useless+1, mostUseless) // a renewal sets it to 0
	o.kept.renewal = c.renewal(o, last.json, events[0].Old.Revision)
}

// renewal compares the version that an update wrote with the JSON of the one before it. It returns nil if the update
// did more than renew a Lease.
func (c *call) renewal(o stored, before string, revision int64) *renewal {
	then, err := wire.Parse([]byte(before))
	if err != nil {
		return nil
	}
	written, err := wire.Parse([]byte(o.kept.json))
	if err != nil {
		return nil
	}
	sent, err := c.r.parse(c.r.Body)
	if err != nil {
		return nil
	}
	meta := sent.Member("metadata") // a body with two has a warning
	was, is, asked := then.Member("metadata").Member("managedFields"),
		written.Member("metadata").Member("managedFields"), meta.Member("managedFields")
	entry, askedEntry := lastItem(is), lastItem(asked)
	r := &renewal{manager: c.r.manager(), weight: wire.Bytes(o.object), begins: string(c.appendKind(nil))}
	switch {
	case r.manager == "" || textOf(entry, "manager") != r.manager || textOf(entry, "operation") != "Update" ||
		entry.Member("subresource") != nil || textOf(entry, "time") != c.instant():
		return nil
	case asked != nil && (was == nil || string(asked.Raw(c.r.Body)) != string(was.Raw([]byte(before)))):
		return nil
	}
	var fine bool
	if r.json, fine = cut([]byte(o.kept.json),
		[gaps]*wire.Node{written.Member("metadata").Member("resourceVersion"), entry.Member("time"),
			written.Member("spec").Member("renewTime")}); !fine || len(r.json.order) != int(gaps) {
		return nil
	}
	if r.body, fine = cut(c.r.Body, [gaps]*wire.Node{meta.Member("resourceVersion"), askedEntry.Member("time"),
		sent.Member("spec").Member("renewTime")}); !fine {
		return nil
	}
	now, _ := r.json.values([]byte(o.kept.json))
	old, fits := r.json.values([]byte(before))
	if !fits || string(old[revisionGap]) != strconv.FormatInt(revision, 10) ||
		string(old[renewTimeGap]) == string(now[renewTimeGap]) {
		return nil
	}
	r.newest.time, r.newest.renewTime = string(now[timeGap]), string(now[renewTimeGap])
	return r
}

// lastItem returns the last item of a list, nil if there is none.
func lastItem(n *wire.Node) *wire.Node {
	if n == nil || n.Kind != wire.Array || len(n.Items) == 0 {
		return nil
	}
	return n.Items[len(n.Items)-1]
}

// textOf returns a member that is a text, "" for every other.
func textOf(n *wire.Node, name string) string {
	if member := n.Member(name); member != nil && member.Kind == wire.String {
		return member.Text
	}
	return ""
}

// cut makes a pattern of a document, with gaps for those values that it has. It fails for values that are not plain
// texts.
func cut(document []byte, values [gaps]*wire.Node) (p pattern, fine bool) {
	at := 0
	for g, value := range values {
		if value != nil {
			p.order = append(p.order, gap(g))
		}
	}
	slices.SortFunc(p.order, func(a, b gap) int {
		before, _ := values[a].Range()
		after, _ := values[b].Range()
		return before - after
	})
	for _, g := range p.order {
		from, to := values[g].Range()
		if values[g].Kind != wire.String || string(document[from+1:to-1]) != values[g].Text {
			return pattern{}, false
		}
		p.parts = append(p.parts, string(document[at:from+1]))
		at = to - 1
	}
	p.parts = append(p.parts, string(document[at:]))
	return p, true
}

// values returns what a document has in the gaps; fits is false if it differs elsewhere.
func (p *pattern) values(document []byte) (values [gaps][]byte, fits bool) {
	for i, g := range p.order {
		part := p.parts[i]
		if len(document) < len(part) || string(document[:len(part)]) != part {
			return values, false
		}
		document = document[len(part):]
		end := bytes.IndexByte(document, '"')
		if end < 0 {
			return values, false
		}
		values[g], document = document[:end], document[end:]
	}
	return values, string(document) == p.parts[len(p.order)]
}

// append appends the document with values in its gaps.
func (p *pattern) append(out []byte, values *[gaps][]byte) []byte {
	for i, g := range p.order {
		out = append(append(out, p.parts[i]...), values[g]...)
	}
	return append(out, p.parts[len(p.order)]...)
}

// weight returns the approximate memory of a version as a tree.
func (k *kept) weight() int64 {
	if k.tree == nil && k.renewal != nil {
		return k.renewal.weight
	}
	return wire.Bytes(k.tree)
}
