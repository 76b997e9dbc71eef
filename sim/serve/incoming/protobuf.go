package incoming

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"mime"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Since v1.33 client-go's typed clients send objects as protobufMedia by default. Such a body is protobufPrefix
// followed by a runtime.Unknown.
// Source: apimachinery v0.37 pkg/runtime/serializer/protobuf, pkg/runtime generated.proto.
const (
	protobufMedia  = "application/vnd.kubernetes.protobuf"
	protobufPrefix = "k8s\x00"
)

// unprotobuf converts the protobuf body of a request to JSON and changes the header accordingly. It leaves objects of
// unknown kinds unchanged, so that the server refuses them. Answers stay JSON, because a client that sends protobuf
// also accepts JSON.
func unprotobuf(q *apiserver.Request) {
	if sent := q.Header["content-type"]; sent != protobufMedia {
		if media, _, err := mime.ParseMediaType(sent); err != nil || media != protobufMedia {
			return
		}
	}
	object, err := FromProtobuf(q.Body)
	if err != nil {
		return
	}
	q.Header["content-type"] = "application/json"
	q.Parsed = object
	q.Body = wire.Encode(make([]byte, 0, 2*len(q.Body)), object, nil)
}

// shape is the type of a field.
type shape uint8

const (
	text shape = iota
	truth
	number
	instant      // metav1.Time
	microInstant // metav1.MicroTime
	message
	pairs  // map[string]string
	rawSet // metav1.FieldsV1
)

type protobufField struct {
	name     string
	shape    shape
	repeated bool
	fields   protobufFields // of a message
}

// protobufFields are the fields of a message by number. An entry without a name stands for an unknown field.
type protobufFields []protobufField

// The messages of the served kinds.
// Source: k8s.io/api v0.37 coordination/*/generated.proto, core/v1 generated.proto; apimachinery v0.37 pkg/apis/meta/v1
// generated.proto. Access reviews have only the fields that package rbac reads.
var (
	metaFields = protobufFields{
		1: {name: "name"}, 2: {name: "generateName"}, 3: {name: "namespace"}, 4: {name: "selfLink"}, 5: {name: "uid"},
		6: {name: "resourceVersion"},
		7: {name: "generation", shape: number}, 8: {name: "creationTimestamp", shape: instant},
		9:  {name: "deletionTimestamp", shape: instant},
		10: {name: "deletionGracePeriodSeconds", shape: number}, 11: {name: "labels", shape: pairs},
		12: {name: "annotations", shape: pairs},
		13: {name: "ownerReferences", shape: message, repeated: true, fields: protobufFields{
			1: {name: "kind"}, 3: {name: "name"}, 4: {name: "uid"}, 5: {name: "apiVersion"},
			6: {name: "controller", shape: truth}, 7: {name: "blockOwnerDeletion", shape: truth},
		}},
		14: {name: "finalizers", repeated: true},
		17: {name: "managedFields", shape: message, repeated: true, fields: protobufFields{
			1: {name: "manager"}, 2: {name: "operation"}, 3: {name: "apiVersion"}, 4: {name: "time", shape: instant},
			6: {name: "fieldsType"},
			7: {name: "fieldsV1", shape: rawSet}, 8: {name: "subresource"},
		}},
	}
	leaseFields = objectFields(protobufFields{
		1: {name: "holderIdentity"}, 2: {name: "leaseDurationSeconds", shape: number},
		3: {name: "acquireTime", shape: microInstant},
		4: {name: "renewTime", shape: microInstant}, 5: {name: "leaseTransitions", shape: number},
		6: {name: "strategy"}, 7: {name: "preferredHolder"},
	})
	candidateFields = objectFields(protobufFields{
		1: {name: "leaseName"}, 2: {name: "pingTime", shape: microInstant}, 3: {name: "renewTime", shape: microInstant},
		4: {name: "binaryVersion"},
		5: {name: "emulationVersion"}, 6: {name: "strategy"},
	})
	namespaceFields = protobufFields{
		1: {name: "metadata", shape: message, fields: metaFields},
		2: {name: "spec", shape: message, fields: protobufFields{1: {name: "finalizers", repeated: true}}},
		3: {name: "status", shape: message, fields: protobufFields{1: {name: "phase"}}},
	}
	accessReviewFields = objectFields(protobufFields{
		1: {name: "resourceAttributes", shape: message, fields: protobufFields{
			1: {name: "namespace"}, 2: {name: "verb"}, 3: {name: "group"}, 4: {name: "version"}, 5: {name: "resource"},
			6: {name: "subresource"}, 7: {name: "name"},
		}},
		2: {name: "nonResourceAttributes", shape: message,
			fields: protobufFields{1: {name: "path"}, 2: {name: "verb"}}},
	})
	rulesReviewFields   = objectFields(protobufFields{1: {name: "namespace"}})
	subjectReviewFields = protobufFields{1: {name: "metadata", shape: message, fields: metaFields}}
	deleteOptionsFields = protobufFields{
		1: {name: "gracePeriodSeconds", shape: number},
		2: {name: "preconditions", shape: message,
			fields: protobufFields{1: {name: "uid"}, 2: {name: "resourceVersion"}}},
		3: {name: "orphanDependents", shape: truth}, 4: {name: "propagationPolicy"},
		5: {name: "dryRun", repeated: true},
		6: {name: "ignoreStoreReadErrorWithClusterBreakingPotential", shape: truth},
	}
)

func objectFields(spec protobufFields) protobufFields {
	return protobufFields{1: {name: "metadata", shape: message, fields: metaFields},
		2: {name: "spec", shape: message, fields: spec}}
}

// kindFields returns the fields of a served kind, or nil for any other.
func kindFields(apiVersion, kind string) protobufFields {
	switch {
	case kind == "DeleteOptions": // of any group
		return deleteOptionsFields
	case apiVersion == "coordination.k8s.io/v1" && kind == "Lease":
		return leaseFields
	case (apiVersion == "coordination.k8s.io/v1beta1" || apiVersion == "coordination.k8s.io/v1alpha2") &&
		kind == "LeaseCandidate":
		return candidateFields
	case apiVersion == "authorization.k8s.io/v1" && kind == "SelfSubjectAccessReview":
		return accessReviewFields
	case apiVersion == "authorization.k8s.io/v1" && kind == "SelfSubjectRulesReview":
		return rulesReviewFields
	case apiVersion == "authentication.k8s.io/v1" && kind == "SelfSubjectReview":
		return subjectReviewFields
	case apiVersion == "v1" && kind == "Namespace":
		return namespaceFields
	}
	return nil
}

var errProtobuf = errors.New("not a protobuf object of a served kind")

// FromProtobuf decodes an object of a served kind. It returns an error for other kinds and for malformed bytes.
func FromProtobuf(body []byte) (wire.Map, error) {
	raw, has := strings.CutPrefix(string(body), protobufPrefix)
	if !has {
		return nil, errProtobuf
	}
	var apiVersion, kind, inner string
	outer := protobufReader{rest: raw}
	for outer.next() {
		switch outer.number {
		case 1:
			meta := protobufReader{rest: outer.value}
			for meta.next() {
				switch meta.number {
				case 1:
					apiVersion = meta.value
				case 2:
					kind = meta.value
				}
			}
			outer.malformed = outer.malformed || meta.malformed
		case 2:
			inner = outer.value
		}
	}
	if outer.malformed {
		return nil, errProtobuf
	}
	fields := kindFields(apiVersion, kind)
	if fields == nil {
		return nil, errProtobuf
	}
	object, err := fields.read(inner)
	if err != nil {
		return nil, err
	}
	object["apiVersion"], object["kind"] = apiVersion, kind
	return object, nil
}

// read converts a message to a JSON object. It drops unknown fields, as upstream does.
func (f protobufFields) read(data string) (wire.Map, error) {
	m := wire.Map{}
	r := protobufReader{rest: data}
	for r.next() {
		if r.number >= uint64(len(f)) || f[r.number].name == "" {
			continue
		}
		field := &f[r.number]
		if field.shape == pairs {
			name, content := "", ""
			pair := protobufReader{rest: r.value}
			for pair.next() {
				switch pair.number {
				case 1:
					name = pair.value
				case 2:
					content = pair.value
				}
			}
			wire.Set(m, content, field.name, name)
			r.malformed = r.malformed || pair.malformed
			continue
		}
		v, err := field.read(&r)
		if err != nil {
			return nil, err
		}
		if field.repeated {
			list, _ := m[field.name].([]any)
			v = append(list, v)
		}
		m[field.name] = v
	}
	if r.malformed {
		return nil, errProtobuf
	}
	return m, nil
}

// read converts the reader's current field to a JSON value.
func (f *protobufField) read(r *protobufReader) (any, error) {
	switch f.shape {
	case truth:
		return r.varint != 0, nil
	case number:
		return int64(r.varint), nil
	case message:
		return f.fields.read(r.value)
	case rawSet:
		raw := ""
		inner := protobufReader{rest: r.value}
		for inner.next() {
			raw = inner.value
		}
		if inner.malformed {
			return nil, errProtobuf
		}
		return convert(rawSet, raw)
	}
	return convert(f.shape, r.value)
}

// convert converts the bytes of a field to a JSON value.
func convert(s shape, data string) (any, error) {
	switch s {
	case instant, microInstant:
		return instantOf(s, data)
	case rawSet:
		if !json.Valid([]byte(data)) {
			return nil, errProtobuf
		}
		return wire.Encoded(data), nil
	}
	return data, nil
}

// instantOf converts a Timestamp; an empty one becomes null.
func instantOf(s shape, data string) (any, error) {
	if data == "" {
		return nil, nil
	}
	var seconds, nanos int64
	r := protobufReader{rest: data}
	for r.next() {
		switch r.number {
		case 1:
			seconds = int64(r.varint)
		case 2:
			nanos = int64(int32(r.varint))
		}
	}
	layout := wire.TimeLayout
	if s == microInstant {
		layout = wire.MicroTimeLayout
		nanos -= nanos % 1000
	}
	at := time.Unix(seconds, nanos).UTC()
	if r.malformed || at.Year() < 0 || at.Year() > 9999 {
		return nil, errProtobuf
	}
	return at.Format(layout), nil
}

// protobufReader reads a message field by field.
type protobufReader struct {
	rest      string
	number    uint64
	varint    uint64 // value of a varint field
	value     string // value of a bytes field
	malformed bool   // the rest is not a message
}

// `next` reads the next field. At the end of the message it returns false.
func (r *protobufReader) next() bool {
	if r.rest == "" || r.malformed {
		return false
	}
	tag, fine := r.uvarint()
	r.number, r.varint, r.value = tag>>3, 0, ""
	switch tag & 7 {
	case 0:
		if fine {
			r.varint, fine = r.uvarint()
		}
	case 2:
		size := uint64(0)
		if fine {
			size, fine = r.uvarint()
		}
		if fine = fine && size <= uint64(len(r.rest)); fine {
			r.value, r.rest = r.rest[:size], r.rest[size:]
		}
	default: // the served messages have no fixed-width fields
		fine = false
	}
	r.malformed = !fine
	return fine
}

// uvarint reads an integer like binary.Uvarint.
func (r *protobufReader) uvarint() (n uint64, fine bool) {
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		b := r.rest[i]
		if b < 0x80 {
			if i == binary.MaxVarintLen64-1 && b > 1 {
				return 0, false
			}
			n |= uint64(b) << (7 * i)
			r.rest = r.rest[i+1:]
			return n, true
		}
		n |= uint64(b&0x7f) << (7 * i)
	}
	return 0, false
}
