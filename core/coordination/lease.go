package coordination

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// APIVersion and KindLease name the Lease on the wire.
const (
	APIVersion = "coordination.k8s.io/v1"
	KindLease  = "Lease"
)

const (
	microLayout  = "2006-01-02T15:04:05.000000Z07:00"
	secondLayout = time.RFC3339
)

// Lease is the object as a kube-apiserver sends and takes it. Field order is the wire's.
type Lease struct {
	Kind       string     `json:"kind,omitempty"`
	APIVersion string     `json:"apiVersion,omitempty"`
	Metadata   ObjectMeta `json:"metadata"`
	Spec       LeaseSpec  `json:"spec"`
}

// ObjectMeta is the metadata that a Lease of an elector carries.
type ObjectMeta struct {
	Name              string               `json:"name,omitempty"`
	Namespace         string               `json:"namespace,omitempty"`
	UID               string               `json:"uid,omitempty"`
	ResourceVersion   string               `json:"resourceVersion,omitempty"`
	CreationTimestamp *Time                `json:"creationTimestamp,omitempty"`
	Labels            map[string]string    `json:"labels,omitempty"`
	Annotations       map[string]string    `json:"annotations,omitempty"`
	ManagedFields     []ManagedFieldsEntry `json:"managedFields,omitempty"`
}

// ManagedFieldsEntry says which manager set which fields.
type ManagedFieldsEntry struct {
	Manager    string          `json:"manager,omitempty"`
	Operation  string          `json:"operation,omitempty"`
	APIVersion string          `json:"apiVersion,omitempty"`
	Time       *Time           `json:"time,omitempty"`
	FieldsType string          `json:"fieldsType,omitempty"`
	FieldsV1   json.RawMessage `json:"fieldsV1,omitempty"`
}

// LeaseSpec is the spec; nil means absent.
type LeaseSpec struct {
	HolderIdentity       *string    `json:"holderIdentity,omitempty"`
	LeaseDurationSeconds *int32     `json:"leaseDurationSeconds,omitempty"`
	AcquireTime          *MicroTime `json:"acquireTime,omitempty"`
	RenewTime            *MicroTime `json:"renewTime,omitempty"`
	LeaseTransitions     *int32     `json:"leaseTransitions,omitempty"`
	Strategy             *string    `json:"strategy,omitempty"`
	PreferredHolder      *string    `json:"preferredHolder,omitempty"`
}

// Time is an instant with whole seconds on the wire, in seconds since the Unix epoch.
type Time int64

// MarshalJSON writes RFC 3339 with whole seconds.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(`"` + time.Unix(int64(t), 0).UTC().Format(secondLayout) + `"`), nil
}

// UnmarshalJSON reads RFC 3339.
func (t *Time) UnmarshalJSON(data []byte) error {
	parsed, err := parse(data, secondLayout)
	*t = Time(parsed.Unix())
	return err
}

// String is RFC 3339 with six digits after the second: "2000-01-01T00:00:34.028757Z".
func (t MicroTime) String() string { return time.UnixMicro(int64(t)).UTC().Format(microLayout) }

// MarshalJSON writes RFC 3339 with six digits.
func (t MicroTime) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads RFC 3339 with six digits, as metav1.MicroTime does.
func (t *MicroTime) UnmarshalJSON(data []byte) error {
	parsed, err := parse(data, microLayout)
	*t = MicroTime(parsed.UnixMicro())
	return err
}

func parse(data []byte, layout string) (time.Time, error) {
	text, err := strconv.Unquote(string(data))
	if err != nil {
		return time.Time{}, fmt.Errorf("a time is a string, not %s", data)
	}
	return time.Parse(layout, text)
}

// SpecOf is a record as the wire form.
func SpecOf(r *Record, symbols *Symbols) LeaseSpec {
	record, s := *r, LeaseSpec{}
	text := func(symbol Symbol) *string { t := symbols.Text(symbol); return &t }
	if record.Has(HasHolderIdentity) {
		s.HolderIdentity = text(record.HolderIdentity)
	}
	if record.Has(HasLeaseDurationSeconds) {
		s.LeaseDurationSeconds = &record.LeaseDurationSeconds
	}
	if record.Has(HasAcquireTime) {
		s.AcquireTime = &record.AcquireTime
	}
	if record.Has(HasRenewTime) {
		s.RenewTime = &record.RenewTime
	}
	if record.Has(HasLeaseTransitions) {
		s.LeaseTransitions = &record.LeaseTransitions
	}
	if record.Has(HasStrategy) {
		s.Strategy = text(record.Strategy)
	}
	if record.Has(HasPreferredHolder) {
		s.PreferredHolder = text(record.PreferredHolder)
	}
	return s
}

// Record is the wire form as a value.
func (s *LeaseSpec) Record(symbols *Symbols) Record {
	var r Record
	if s.HolderIdentity != nil {
		r.HolderIdentity, r.Present = symbols.Intern(*s.HolderIdentity), r.Present|HasHolderIdentity
	}
	if s.LeaseDurationSeconds != nil {
		r.LeaseDurationSeconds, r.Present = *s.LeaseDurationSeconds, r.Present|HasLeaseDurationSeconds
	}
	if s.AcquireTime != nil {
		r.AcquireTime, r.Present = *s.AcquireTime, r.Present|HasAcquireTime
	}
	if s.RenewTime != nil {
		r.RenewTime, r.Present = *s.RenewTime, r.Present|HasRenewTime
	}
	if s.LeaseTransitions != nil {
		r.LeaseTransitions, r.Present = *s.LeaseTransitions, r.Present|HasLeaseTransitions
	}
	if s.Strategy != nil {
		r.Strategy, r.Present = symbols.Intern(*s.Strategy), r.Present|HasStrategy
	}
	if s.PreferredHolder != nil {
		r.PreferredHolder, r.Present = symbols.Intern(*s.PreferredHolder), r.Present|HasPreferredHolder
	}
	return r
}

// FieldsV1 is the set of spec fields a manager owns, as managedFields writes it.
func FieldsV1(owned Fields) json.RawMessage {
	out := []byte(`{"f:spec":{`)
	for _, f := range [...]struct {
		field Fields
		name  string
	}{
		{HasAcquireTime, "acquireTime"}, {HasHolderIdentity, "holderIdentity"}, {HasLeaseDurationSeconds, "leaseDurationSeconds"},
		{HasLeaseTransitions, "leaseTransitions"}, {HasPreferredHolder, "preferredHolder"}, {HasRenewTime, "renewTime"}, {HasStrategy, "strategy"},
	} {
		if owned&f.field == 0 {
			continue
		}
		if out[len(out)-1] == '}' {
			out = append(out, ',')
		}
		out = append(out, `"f:`+f.name+`":{}`...)
	}
	return append(out, `}}`...)
}

// JSON is the Lease as the API sends it: one line and a newline.
func (l *Lease) JSON() []byte {
	out, err := json.Marshal(l)
	if err != nil {
		panic(err) // every field is of a type that always encodes
	}
	return append(out, '\n')
}
