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

// Since v1.33 client-go's typed clients send objects as protobufMedia by default. Such a body is protobufPrefix and a
// runtime.Unknown.
// Source: apimachinery v0.37 pkg/runtime/serializer/protobuf, pkg/runtime generated.proto.
const (
	protobufMedia  = "application/vnd.kubernetes.protobuf"
	protobufPrefix = "k8s\x00"
)

// unprotobuf converts the protobuf body of a request to JSON and changes the header accordingly. It leaves objects of other kinds as
// they are; the server refuses them. It converts bodies only: a client that sends protobuf accepts answers in JSON too.
func unprotobuf(q *apiserver.Request) {
	if sent := q.Header["content-type"]; sent != protobufMedia {
		if media, _, err := mime.ParseMediaType(sent); err != nil || media != protobufMedia {
			return
		}
	}
	object, err := treeOf(q.Body)
	if err != nil {
		return
	}
	q.Header["content-type"] = "application/json"
	q.Body, q.Parsed = wire.Encode(make([]byte, 0, 2*len(q.Body)), object, nil), object
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

// protobufFields maps field numbers of a message to fields.
type protobufFields map[uint64]protobufField

// The messages of the served kinds.
// Source: k8s.io/api v0.37 coordination/*/generated.proto, core/v1 generated.proto; apimachinery v0.37 pkg/apis/meta/v1
// generated.proto.
var (
	metaFields = protobufFields{
		1: {name: "name"}, 2: {name: "generateName"}, 3: {name: "namespace"}, 4: {name: "selfLink"}, 5: {name: "uid"}, 6: {name: "resourceVersion"},
		7: {name: "generation", shape: number}, 8: {name: "creationTimestamp", shape: instant}, 9: {name: "deletionTimestamp", shape: instant},
		10: {name: "deletionGracePeriodSeconds", shape: number}, 11: {name: "labels", shape: pairs}, 12: {name: "annotations", shape: pairs},
		13: {name: "ownerReferences", shape: message, repeated: true, fields: protobufFields{
			1: {name: "kind"}, 3: {name: "name"}, 4: {name: "uid"}, 5: {name: "apiVersion"}, 6: {name: "controller", shape: truth}, 7: {name: "blockOwnerDeletion", shape: truth},
		}},
		14: {name: "finalizers", repeated: true},
		17: {name: "managedFields", shape: message, repeated: true, fields: protobufFields{
			1: {name: "manager"}, 2: {name: "operation"}, 3: {name: "apiVersion"}, 4: {name: "time", shape: instant}, 6: {name: "fieldsType"},
			7: {name: "fieldsV1", shape: rawSet}, 8: {name: "subresource"},
		}},
	}
	leaseFields = objectFields(protobufFields{
		1: {name: "holderIdentity"}, 2: {name: "leaseDurationSeconds", shape: number}, 3: {name: "acquireTime", shape: microInstant},
		4: {name: "renewTime", shape: microInstant}, 5: {name: "leaseTransitions", shape: number}, 6: {name: "strategy"}, 7: {name: "preferredHolder"},
	})
	candidateFields = objectFields(protobufFields{
		1: {name: "leaseName"}, 2: {name: "pingTime", shape: microInstant}, 3: {name: "renewTime", shape: microInstant}, 4: {name: "binaryVersion"},
		5: {name: "emulationVersion"}, 6: {name: "strategy"},
	})
	namespaceFields = protobufFields{
		1: {name: "metadata", shape: message, fields: metaFields},
		2: {name: "spec", shape: message, fields: protobufFields{1: {name: "finalizers", repeated: true}}},
		3: {name: "status", shape: message, fields: protobufFields{1: {name: "phase"}}},
	}
	deleteOptionsFields = protobufFields{
		1: {name: "gracePeriodSeconds", shape: number},
		2: {name: "preconditions", shape: message, fields: protobufFields{1: {name: "uid"}, 2: {name: "resourceVersion"}}},
		3: {name: "orphanDependents", shape: truth}, 4: {name: "propagationPolicy"}, 5: {name: "dryRun", repeated: true},
		6: {name: "ignoreStoreReadErrorWithClusterBreakingPotential", shape: truth},
	}
)

func objectFields(spec protobufFields) protobufFields {
	return protobufFields{1: {name: "metadata", shape: message, fields: metaFields}, 2: {name: "spec", shape: message, fields: spec}}
}

// kindFields returns the fields of a served kind, nil for others.
func kindFields(apiVersion, kind string) protobufFields {
	switch {
	case kind == "DeleteOptions": // of any group
		return deleteOptionsFields
	case apiVersion == "coordination.k8s.io/v1" && kind == "Lease":
		return leaseFields
	case (apiVersion == "coordination.k8s.io/v1beta1" || apiVersion == "coordination.k8s.io/v1alpha2") && kind == "LeaseCandidate":
		return candidateFields
	case apiVersion == "v1" && kind == "Namespace":
		return namespaceFields
	}
	return nil
}

var errProtobuf = errors.New("not a protobuf object of a served kind")

// FromProtobuf converts an object of a served kind from protobuf to JSON. It returns an error for other kinds and for malformed
// bytes.
func FromProtobuf(body []byte) ([]byte, error) {
	object, err := treeOf(body)
	if err != nil {
		return nil, err
	}
	return wire.Encode(nil, object, nil), nil
}

// treeOf is FromProtobuf before the encoding.
func treeOf(body []byte) (wire.Map, error) {
	raw, has := strings.CutPrefix(string(body), protobufPrefix)
	if !has {
		return nil, errProtobuf
	}
	var apiVersion, kind, inner string
	err := eachField(raw, func(n uint64, _ uint64, value string) error {
		switch n {
		case 1:
			return eachField(value, func(n uint64, _ uint64, value string) error {
				switch n {
				case 1:
					apiVersion = value
				case 2:
					kind = value
				}
				return nil
			})
		case 2:
			inner = value
		}
		return nil
	})
	if err != nil {
		return nil, err
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
	err := eachField(data, func(n uint64, varint uint64, value string) error {
		field, known := f[n]
		if !known {
			return nil
		}
		if field.shape == pairs {
			name, content := "", ""
			err := eachField(value, func(n uint64, _ uint64, value string) error {
				switch n {
				case 1:
					name = value
				case 2:
					content = value
				}
				return nil
			})
			wire.Set(m, content, field.name, name)
			return err
		}
		v, err := field.value(varint, value)
		if field.repeated {
			list, _ := m[field.name].([]any)
			v = append(list, v)
		}
		m[field.name] = v
		return err
	})
	return m, err
}

// value converts one field to a JSON value.
func (f protobufField) value(varint uint64, data string) (any, error) {
	switch f.shape {
	case truth:
		return varint != 0, nil
	case number:
		return int64(varint), nil
	case instant, microInstant:
		return f.instant(data)
	case message:
		return f.fields.read(data)
	case rawSet:
		raw := ""
		err := eachField(data, func(_ uint64, _ uint64, value string) error {
			raw = value
			return nil
		})
		if err == nil && !json.Valid([]byte(raw)) {
			err = errProtobuf
		}
		return wire.Encoded(raw), err
	}
	return data, nil
}

// instant converts a Timestamp; an empty one becomes null.
func (f protobufField) instant(data string) (any, error) {
	if data == "" {
		return nil, nil
	}
	var seconds, nanos int64
	err := eachField(data, func(n uint64, varint uint64, _ string) error {
		switch n {
		case 1:
			seconds = int64(varint)
		case 2:
			nanos = int64(int32(varint))
		}
		return nil
	})
	layout := wire.TimeLayout
	if f.shape == microInstant {
		layout = wire.MicroTimeLayout
		nanos -= nanos % 1000
	}
	at := time.Unix(seconds, nanos).UTC()
	if at.Year() < 0 || at.Year() > 9999 {
		return nil, errProtobuf
	}
	return at.Format(layout), err
}

// eachField calls see for each field of a message with its number and its value, a varint or bytes.
func eachField(data string, see func(n uint64, varint uint64, value string) error) error {
	for data != "" {
		tag, length := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
		if length <= 0 {
			return errProtobuf
		}
		data = data[length:]
		var varint uint64
		value := ""
		switch tag & 7 {
		case 0:
			if varint, length = binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)])); length <= 0 {
				return errProtobuf
			}
			data = data[length:]
		case 2:
			size, length := binary.Uvarint([]byte(data[:min(len(data), binary.MaxVarintLen64)]))
			if length <= 0 || size > uint64(len(data)-length) {
				return errProtobuf
			}
			value, data = data[length:length+int(size)], data[length+int(size):]
		default: // the served messages have no fixed-width fields
			return errProtobuf
		}
		if err := see(tag>>3, varint, value); err != nil {
			return err
		}
	}
	return nil
}
