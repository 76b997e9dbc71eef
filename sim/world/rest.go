package world

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
)

// writers are the managers behind storage.Object.Managers: all candidates are copies of one program.
var writers = [2]string{"leaselab", "kubectl-edit"}

// Clock is an instant of the run as the API server's wall clock shows it.
func Clock(ns int64) time.Time { return time.Unix(0, EpochUnixNs+ns).UTC() }

// stamp is an instant as metav1.Time prints it.
func stamp(ns int64) string { return Clock(ns).Format(wire.TimeLayout) }

// LeaseUID is the UUID of the number-th Lease of that key that was created: version 4, drawn from the seed.
func (s *Setup) LeaseUID(lease int32, number uint64) string {
	stream := NamedStream(s.Seed, "uid", fmt.Sprint(s.Namespace, "/", s.objectName(lease), "/", number))
	high, low := stream.Uint64(), stream.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

// Tree is a stored Lease, or the ConfigMap, as the API keeps it, without kind, apiVersion and resourceVersion.
func (w *World) Tree(lease int32, o *storage.Object) wire.Map {
	s := w.setup
	meta := wire.Map{}
	if text := w.store.Metadata(o.Metadata); text != "" {
		n, err := wire.Parse([]byte(text))
		if err != nil {
			panic(err) // it is the engine's own
		}
		meta = wire.Tree(n).(wire.Map)
	}
	meta["name"], meta["namespace"] = s.objectName(lease), s.namespaceOf(lease)
	meta["uid"], meta["creationTimestamp"] = s.LeaseUID(lease, o.UID), stamp(o.CreatedNs)
	if o.Touches > 0 {
		wire.Set(meta, fmt.Sprint(o.Touches), "annotations", "leaselab.dev/touched")
	}
	if lease == s.configMap() {
		return s.ConfigMapTree(meta, &o.Spec)
	}
	if fields := managedFields(wire.List(meta, "managedFields"), o); len(fields) > 0 {
		meta["managedFields"] = fields
	} else {
		delete(meta, "managedFields")
	}
	return wire.Map{"metadata": meta, "spec": SpecTree(&o.Spec, s.Symbols)}
}

// specFieldNames are the members of a spec, by their bit.
var specFieldNames = []struct {
	bit  coordination.Fields
	name string
}{
	{coordination.HasHolderIdentity, "holderIdentity"}, {coordination.HasLeaseDurationSeconds, "leaseDurationSeconds"},
	{coordination.HasAcquireTime, "acquireTime"}, {coordination.HasRenewTime, "renewTime"},
	{coordination.HasLeaseTransitions, "leaseTransitions"}, {coordination.HasStrategy, "strategy"},
	{coordination.HasPreferredHolder, "preferredHolder"},
}

// SpecTree is a spec as the API shows it.
func SpecTree(r *coordination.Record, symbols *coordination.Symbols) wire.Map {
	values := []any{
		symbols.Text(r.HolderIdentity), int64(r.LeaseDurationSeconds), r.AcquireTime.String(), r.RenewTime.String(), int64(r.LeaseTransitions),
		symbols.Text(r.Strategy), symbols.Text(r.PreferredHolder),
	}
	spec := wire.Map{}
	for i, f := range specFieldNames {
		if r.Has(f.bit) {
			spec[f.name] = values[i]
		}
	}
	return spec
}

// managedFields are the entries that requests left, without what typed writes took since, and those of the typed writers.
func managedFields(kept []any, o *storage.Object) []any {
	var entries []wire.Map
	for _, item := range kept {
		entry := item.(wire.Map)
		owned := ownedBy(entry)
		for _, f := range specFieldNames {
			if spec := wire.Object(owned, "f:spec"); o.Taken&f.bit != 0 && spec != nil {
				delete(spec, "f:"+f.name)
				if len(spec) == 0 {
					delete(owned, "f:spec")
				}
			}
		}
		if len(owned) == 0 {
			continue
		}
		setOwned(entry, owned)
		entries = append(entries, entry)
	}
	for i, m := range o.Managers {
		if m.Owned == 0 {
			continue
		}
		owned := wire.Map{}
		for _, f := range specFieldNames {
			if m.Owned&f.bit != 0 {
				owned["f:"+f.name] = wire.Map{}
			}
		}
		entry := wire.Map{
			"manager": writers[i], "operation": "Update", "apiVersion": coordination.APIVersion, "time": stamp(int64(m.Seconds) * 1e9), "fieldsType": "FieldsV1",
		}
		setOwned(entry, wire.Map{"f:spec": owned})
		entries = withEntry(entries, entry)
	}
	sort.SliceStable(entries, func(i, j int) bool { return entryLess(entries[i], entries[j]) })
	list := make([]any, len(entries))
	for i, e := range entries {
		list[i] = e
	}
	return list
}

// ownedBy is an entry's set of fields, a copy.
func ownedBy(entry wire.Map) wire.Map {
	text, encoded := entry["fieldsV1"].(wire.Encoded)
	if !encoded {
		return wire.CopyMap(wire.Object(entry, "fieldsV1"))
	}
	n, err := wire.Parse([]byte(text))
	if err != nil {
		panic(err) // the field manager wrote it
	}
	owned, _ := wire.Tree(n).(wire.Map)
	return owned
}

// setOwned writes an entry's set of fields in the form that the field manager compares.
func setOwned(entry, owned wire.Map) {
	entry["fieldsV1"] = wire.Encoded(wire.Encode(nil, owned, nil))
}

// withEntry adds an entry, or joins it with the one that the same writer has from a request.
func withEntry(entries []wire.Map, e wire.Map) []wire.Map {
	for _, have := range entries {
		if have["manager"] != e["manager"] || have["operation"] != e["operation"] || have["apiVersion"] != e["apiVersion"] {
			continue
		}
		owned := ownedBy(have)
		for name := range wire.Object(ownedBy(e), "f:spec") {
			wire.Set(owned, wire.Map{}, "f:spec", name)
		}
		setOwned(have, owned)
		have["time"] = max(wire.Text(have, "time"), wire.Text(e, "time"))
		return entries
	}
	return append(entries, e)
}

// entryLess is the order in which the API server writes the entries.
// Source: apimachinery v0.36 pkg/util/managedfields/internal sortEncodedManagedFields.
func entryLess(a, b wire.Map) bool {
	for _, member := range []string{"operation", "time", "manager", "apiVersion"} {
		if x, y := wire.Text(a, member), wire.Text(b, member); x != y {
			return x < y
		}
	}
	return false
}

// Untree is a Lease as the store keeps it, and the metadata for which that form has no place.
func (w *World) untree(tree wire.Map) (o storage.Object, metadata string) {
	o.Spec = w.record(wire.Object(tree, "spec"))
	meta := wire.CopyMap(wire.Object(tree, "metadata"))
	for _, own := range []string{"name", "namespace", "uid", "creationTimestamp", "resourceVersion"} {
		delete(meta, own)
	}
	var kept []any
	for _, item := range wire.List(meta, "managedFields") {
		if i, m := typedEntry(item.(wire.Map)); i >= 0 && o.Managers[i].Owned == 0 {
			o.Managers[i] = m
			continue
		}
		kept = append(kept, item)
	}
	if len(kept) > 0 {
		meta["managedFields"] = kept
	} else {
		delete(meta, "managedFields")
	}
	if len(meta) == 0 {
		return o, ""
	}
	return o, string(wire.Encode(nil, meta, coordination.ObjectMetaType))
}

// typedEntry is the writer whose entry this is, if it says no more than the store's own form can, else -1.
func typedEntry(entry wire.Map) (int, storage.Manager) {
	owned := ownedBy(entry)
	spec := wire.Object(owned, "f:spec")
	at, err := time.Parse(wire.TimeLayout, wire.Text(entry, "time"))
	if err != nil || len(owned) != 1 || spec == nil || entry["operation"] != "Update" || entry["apiVersion"] != coordination.APIVersion {
		return -1, storage.Manager{}
	}
	for i, name := range writers {
		if entry["manager"] != name {
			continue
		}
		m := storage.Manager{Seconds: int32(at.Unix() - EpochUnixNs/1e9)}
		known := 0
		for _, f := range specFieldNames {
			if _, has := spec["f:"+f.name]; has {
				m.Owned |= f.bit
				known++
			}
		}
		if known == len(spec) {
			return i, m
		}
	}
	return -1, storage.Manager{}
}

// record is a spec as a value.
func (w *World) record(spec wire.Map) coordination.Record {
	var r coordination.Record
	symbols := w.setup.Symbols
	instant := func(name string) coordination.MicroTime {
		at, err := time.Parse(wire.MicroTimeLayout, wire.Text(spec, name))
		if err != nil {
			panic(err) // the API server has read it before
		}
		return coordination.MicroTime(at.UnixMicro())
	}
	for _, f := range specFieldNames {
		value, has := spec[f.name]
		if !has {
			continue
		}
		r.Present |= f.bit
		switch f.bit {
		case coordination.HasHolderIdentity:
			r.HolderIdentity = symbols.Intern(value.(string))
		case coordination.HasStrategy:
			r.Strategy = symbols.Intern(value.(string))
		case coordination.HasPreferredHolder:
			r.PreferredHolder = symbols.Intern(value.(string))
		case coordination.HasLeaseDurationSeconds:
			r.LeaseDurationSeconds = int32(value.(int64))
		case coordination.HasLeaseTransitions:
			r.LeaseTransitions = int32(value.(int64))
		case coordination.HasAcquireTime:
			r.AcquireTime = instant(f.name)
		case coordination.HasRenewTime:
			r.RenewTime = instant(f.name)
		}
	}
	return r
}

// namespaceNames are those that every simulated cluster has, beside the scenario's own.
var namespaceNames = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

// API is the API server over what is stored now. Its own writes reach the store only through a request that is done to
// the world.
func (w *World) API() *apiserver.Server {
	s := apiserver.New(w.apiConfig())
	w.placeNamespaces(s)
	w.placeAsides(s, len(w.store.Asides()))
	for i := range w.setup.LeaseNames {
		if o, outcome := w.store.Get(int32(i)); outcome == storage.OK {
			s.Place(apiserver.Change{Key: w.leaseKey(int32(i)), Revision: o.ResourceVersion, Object: w.Tree(int32(i), &o)})
		}
	}
	s.Reach(w.store.Revision())
	return s
}

func (w *World) apiConfig() apiserver.Config {
	config := apiserver.Config{
		Coordinated: true, Versions: w.setup.candidateVersions(), Seed: w.setup.Seed ^ uint64(w.store.Revision()),
		UID: func(key string) string {
			if lease := w.leaseOf(key); lease >= 0 {
				return w.setup.LeaseUID(lease, w.store.NextUID())
			}
			if w.isCandidate(key) {
				return w.setup.LeaseUID(0, w.store.NextUID())
			}
			return ""
		},
	}
	if w.setup.ConfigureAPI != nil {
		w.setup.ConfigureAPI(&config)
	}
	return config
}

func (w *World) placeNamespaces(s *apiserver.Server) {
	for _, name := range append(namespaceNames[:len(namespaceNames):len(namespaceNames)], w.setup.Namespace) {
		s.Place(apiserver.Change{Key: apiserver.NamespaceKey(name), Object: namespaceTree(w.setup.Seed, name)})
	}
}

// placeAsides places the newest version of each of the first count.
func (w *World) placeAsides(s *apiserver.Server, count int) {
	asides, seen := w.store.Asides(), map[string]bool{}
	for i := count - 1; i >= 0; i-- {
		if a := &asides[i]; !seen[a.Key] {
			seen[a.Key] = true
			if !a.Deleted() {
				s.Place(w.AsideChange(i))
			}
		}
	}
}

func (w *World) leaseKey(i int32) string {
	return apiserver.LeaseKey(w.setup.namespaceOf(i), w.setup.LeaseNames[i])
}

// namespaceOf is where a Lease is: the controllers' own is in kube-system.
func (s *Setup) namespaceOf(lease int32) string {
	if lease == controllerLease && len(s.Servers) > 0 {
		return "kube-system"
	}
	return s.Namespace
}

// noteCandidate keeps a version of a LeaseCandidate for those who read and watch through the API.
func (w *World) noteCandidate(number int32, o *storage.CandidateObject) {
	c := &w.candidates[number]
	a := storage.Aside{AtNs: w.now, Revision: o.ResourceVersion, Key: c.key}
	if _, outcome := w.store.Candidate(number); outcome == storage.OK {
		a.Candidate, a.Based = *o, c.based
	} else {
		c.based = 0
	}
	w.store.Note(a)
}

// candidateTree is a LeaseCandidate that a client or a controller wrote as the API keeps it. What a request left in its
// metadata stays.
func (w *World) candidateTree(a *storage.Aside) wire.Map {
	o := &a.Candidate
	meta := wire.Map{}
	if a.Based != 0 {
		meta = wire.Object(w.AsideChange(int(a.Based-1)).Object, "metadata")
	}
	name := strings.TrimPrefix(a.Key, apiserver.CandidateKey(w.setup.Namespace, ""))
	meta["name"], meta["namespace"] = name, w.setup.Namespace
	meta["uid"], meta["creationTimestamp"] = w.setup.LeaseUID(0, o.UID), stamp(o.CreatedNs)
	spec := coordination.CandidateSpecOf(&o.Spec, w.setup.Lists, w.setup.Symbols)
	tree := wire.Map{"leaseName": spec.LeaseName, "binaryVersion": spec.BinaryVersion}
	switch list := spec.PreferredStrategies; {
	case len(list) == 1: // stored as the one strategy that it is
		tree["strategy"] = list[0]
	case list != nil:
		tree["preferredStrategies"] = anyOf(list)
	default:
		tree["strategy"] = spec.Strategy
	}
	if spec.EmulationVersion != "" {
		tree["emulationVersion"] = spec.EmulationVersion
	}
	if spec.PingTime != nil {
		tree["pingTime"] = spec.PingTime.String()
	}
	if spec.RenewTime != nil {
		tree["renewTime"] = spec.RenewTime.String()
	}
	return wire.Map{"metadata": meta, "spec": tree}
}

func anyOf(list []string) []any {
	all := make([]any, len(list))
	for i := range list {
		all[i] = list[i]
	}
	return all
}

// candidateVersions are the versions in which LeaseCandidates are served.
func (s *Setup) candidateVersions() []string {
	if s.Lists {
		return []string{"v1alpha1"}
	}
	return []string{"v1beta1", "v1alpha2"}
}

func namespaceTree(seed uint64, name string) wire.Map {
	stream := NamedStream(seed, "uid", "namespace/"+name)
	high, low := stream.Uint64()&^0xf000|0x4000, stream.Uint64()&^(3<<62)|2<<62
	return wire.Map{
		"metadata": wire.Map{
			"name": name, "uid": fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff),
			"creationTimestamp": stamp(0), "labels": wire.Map{"kubernetes.io/metadata.name": name},
		},
		"spec": wire.Map{"finalizers": []any{"kubernetes"}}, "status": wire.Map{"phase": "Active"},
	}
}

// AsideChange is a version of another object, by its number among the store's Asides, as the API server is told of it.
func (w *World) AsideChange(number int) apiserver.Change {
	a := &w.store.Asides()[number]
	c := apiserver.Change{Key: a.Key, Revision: a.Revision}
	switch {
	case a.Deleted():
		return c
	case a.Object == "":
		c.Object = w.candidateTree(a)
		return c
	}
	n, err := wire.Parse([]byte(a.Object))
	if err != nil {
		panic(err) // it is the engine's own
	}
	c.Object = wire.Tree(n).(wire.Map)
	for _, entry := range wire.List(c.Object, "metadata", "managedFields") {
		setOwned(entry.(wire.Map), ownedBy(entry.(wire.Map)))
	}
	return c
}

// LeaseChange is a version of a Lease as the API server is told of it.
func (w *World) LeaseChange(v *storage.Version) apiserver.Change {
	c := apiserver.Change{Key: w.leaseKey(v.Lease), Revision: v.Object.ResourceVersion}
	if !v.Deleted {
		c.Object = w.Tree(v.Lease, &v.Object)
	}
	return c
}

// CompileRequest is an act's request as the API server reads it.
func CompileRequest(a *scenario.Action) *apiserver.Request {
	r := &apiserver.Request{Method: a.Method, Header: map[string]string{"user-agent": "kubectl-edit/leaselab", "accept": "application/json"}, Body: []byte(a.Body)}
	r.Path, r.Query, _ = apiserver.ParseTarget(a.Path)
	for _, h := range a.Headers {
		name, value, _ := strings.Cut(h, ":")
		r.Header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	return r
}

// request is a request to the API that an administrator makes: what it writes becomes the world's.
func (w *World) request(c *Control) apiserver.Response {
	s := w.API()
	before := s.Revision()
	answer := s.Handle(Clock(w.now), c.Request)
	r := Record{Kind: Asked, Candidate: NoCandidate, A: int64(answer.Status), Seq: int32(Requested), Control: c.Source}
	for _, change := range s.Changes(before) {
		lease := w.leaseOf(change.Key)
		switch {
		case lease < 0 && w.isCandidate(change.Key):
			w.requestedCandidate(&change)
		case lease < 0 && change.Object == nil:
			w.store.PutAside(w.now, change.Key, "")
		case lease < 0:
			w.store.PutAside(w.now, change.Key, string(wire.Encode(nil, change.Object, nil)))
		case change.Object == nil:
			_, r.Outcome = w.store.Delete(w.now, NoCandidate, lease)
			r.Kind = Written
		default:
			r.Kind, r.Outcome = Written, storage.Updated
			if _, had := w.store.Get(lease); had != storage.OK {
				r.Outcome = storage.Created
			}
			o, metadata := w.untree(change.Object)
			r.Spec = w.store.Adopt(w.now, NoCandidate, lease, o, metadata).Spec
		}
		if lease == 0 {
			w.leaseChanged()
		}
	}
	r.ResourceVersion = w.store.Revision()
	w.emit(r)
	return answer
}

// isCandidate reports whether a LeaseCandidate is stored at a key that clients and controllers know about.
func (w *World) isCandidate(key string) bool {
	return len(w.servers) > 0 && strings.HasPrefix(key, apiserver.CandidateKey(w.setup.Namespace, ""))
}

// requestedCandidate stores what a request left of a LeaseCandidate, and tells the informers.
func (w *World) requestedCandidate(change *apiserver.Change) {
	symbols := w.setup.Symbols
	number := w.candidateNumber(symbols.Intern(strings.TrimPrefix(change.Key, apiserver.CandidateKey(w.setup.Namespace, ""))))
	if change.Object == nil {
		if o, outcome := w.store.DeleteCandidate(number); outcome == storage.Deleted {
			w.candidateChanged(number, &o)
		}
		return
	}
	o := w.store.AdoptCandidate(w.now, number, candidateSpec(wire.Object(change.Object, "spec"), symbols))
	w.store.Note(storage.Aside{AtNs: w.now, Revision: o.ResourceVersion, Key: change.Key, Object: string(wire.Encode(nil, change.Object, nil))})
	w.candidates[number].based = int32(len(w.store.Asides()))
	w.candidateNoted(number, &o)
}

// candidateSpec is a LeaseCandidate's spec as a value.
func candidateSpec(tree wire.Map, symbols *coordination.Symbols) coordination.Candidate {
	instant := func(name string) *coordination.MicroTime {
		if wire.Text(tree, name) == "" {
			return nil
		}
		at, err := time.Parse(wire.MicroTimeLayout, wire.Text(tree, name))
		if err != nil {
			panic(err) // the API server has read it before
		}
		micros := coordination.MicroTime(at.UnixMicro())
		return &micros
	}
	spec := coordination.LeaseCandidateSpec{
		LeaseName: wire.Text(tree, "leaseName"), BinaryVersion: wire.Text(tree, "binaryVersion"), EmulationVersion: wire.Text(tree, "emulationVersion"),
		Strategy: wire.Text(tree, "strategy"), PreferredStrategies: texts(wire.List(tree, "preferredStrategies")), PingTime: instant("pingTime"), RenewTime: instant("renewTime"),
	}
	return spec.Candidate(symbols)
}

func texts(list []any) []string {
	var all []string
	for _, one := range list {
		text, _ := one.(string)
		all = append(all, text)
	}
	return all
}

// leaseOf is the Lease that is stored at a key, -1 for any other object.
func (w *World) leaseOf(key string) int32 {
	for i := range w.setup.LeaseNames {
		if w.leaseKey(int32(i)) == key {
			return int32(i)
		}
	}
	return -1
}

// Try answers a request as it would be answered at an instant if nothing else happened before, and leaves the world
// alone. wrote says whether it would store anything.
func (w *World) Try(ns int64, r *apiserver.Request) (answer apiserver.Response, wrote bool) {
	s := w.API()
	before := s.Revision()
	answer = s.Handle(Clock(ns), r)
	return answer, s.Revision() != before
}

// Request is the request that the act of that number makes, an empty one if it makes none.
func (w *World) Request(source int32) *apiserver.Request {
	for i := range w.controls {
		if c := &w.controls[i]; c.Source == source && c.Request != nil {
			return c.Request
		}
	}
	return &apiserver.Request{}
}

// Mirror is an API server that follows a world: for reads and watches. Ages are told by the world's clock.
type Mirror struct {
	Server   *apiserver.Server
	now      time.Time
	versions int // of the history, followed so far
	asides   int

	rollbacks int
}

// NewMirror returns a mirror of a world that knows at least the last kept versions of its Leases, as far as the store
// still does.
func (w *World) NewMirror(kept int) *Mirror {
	history := w.store.History()
	m := &Mirror{rollbacks: w.store.Rollbacks(), versions: max(history.First(), history.Len()-kept, history.Settled())}
	config := w.apiConfig()
	config.Today = func() time.Time { return m.now }
	m.Server = apiserver.New(config)
	begin := int64(0)
	w.placeNamespaces(m.Server)
	live := map[int32]*storage.Version{}
	for i := history.First(); i < m.versions; i++ {
		live[history.At(i).Lease] = history.At(i)
		begin = history.At(i).Object.ResourceVersion
	}
	for i := range w.setup.LeaseNames {
		if v := live[int32(i)]; v != nil && !v.Deleted {
			m.Server.Place(w.LeaseChange(v))
		}
	}
	asides := w.store.Asides()
	for m.asides < len(asides) && asides[m.asides].Revision <= begin {
		m.asides++
	}
	w.placeAsides(m.Server, m.asides)
	m.Server.Reach(begin)
	m.Follow(w)
	return m
}

// Follows reports whether the mirror can follow a world: not over a rollback of its store.
func (m *Mirror) Follows(w *World) bool { return m.rollbacks == w.store.Rollbacks() }

// Show sets the clock to an instant after the last event.
func (m *Mirror) Show(ns int64) { m.now = Clock(ns) }

// Follow repeats what a world has stored since; w must go on from the world that was followed so far.
func (m *Mirror) Follow(w *World) {
	m.now = Clock(w.now)
	history, asides := w.store.History(), w.store.Asides()
	for m.versions < history.Len() || m.asides < len(asides) {
		if m.versions < history.Len() {
			v := history.At(m.versions)
			if m.asides == len(asides) || v.Object.ResourceVersion < asides[m.asides].Revision {
				if v.Lease != w.setup.configMap() { // which the API does not serve
					m.Server.Follow(w.LeaseChange(v))
				}
				m.versions++
				continue
			}
		}
		m.Server.Follow(w.AsideChange(m.asides))
		m.asides++
	}
}
