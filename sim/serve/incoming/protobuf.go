package incoming

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"mime"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	object, err := fromProtobuf(q.Body, defaultKind(q))
	switch {
	case err == errTruncated:
		q.Malformed = err.Error()
		return
	case err != nil:
		return
	}
	q.Header["content-type"] = "application/json"
	q.Parsed = object
	q.Body = wire.Encode(make([]byte, 0, 2*len(q.Body)), object, nil)
}

// messages.txt is the table of the messages that clients send. A line "=APIVERSION KIND MESSAGE" names the message of a
// kind. Any other line has the name of a message and its fields, as NAME:NUMBER:SHAPE. A shape is the name of a message
// or one of the letters below. "*" before it stands for a list, "@" for a map from strings, and "^" for a message whose
// members belong to the outer one. "!" after it means that the JSON has the member even if it is empty.
// TestMessagesAreUpstreams, in sim/conformance/types, compares the table with upstream's types, and writes it.
//
//go:embed messages.txt
var messageTable string

// The shapes of fields.
const (
	asText         = 's'
	asBool         = 'b'
	asInteger      = 'i'
	asBytes        = 'f'
	asTime         = 't' // metav1.Time
	asMicroTime    = 'u' // metav1.MicroTime
	asDuration     = 'd' // metav1.Duration
	asQuantity     = 'q' // resource.Quantity
	asIntOrString  = 'o'
	asJSON         = 'r' // a message around JSON, such as FieldsV1
	asListOfText   = 'l' // a message around a list of strings, such as ExtraValue
	isMessage      = 'M'
	single, inside = 0, '^'
	isList, isMap  = '*', '@'
)

type protobufField struct {
	name        string
	shape, many byte
	keeps       bool
	message     *protobufMessage
}

// protobufMessage has the fields of a message by number. An entry without a shape stands for an unknown field.
type protobufMessage struct{ fields []protobufField }

// protobufKinds maps an apiVersion and a kind, with a space between, to the message.
var protobufKinds = sync.OnceValue(func() map[string]*protobufMessage {
	kinds, named := map[string]*protobufMessage{}, map[string]*protobufMessage{}
	message := func(name string) *protobufMessage {
		if named[name] == nil {
			named[name] = &protobufMessage{}
		}
		return named[name]
	}
	for line := range strings.Lines(messageTable) {
		words := strings.Fields(line)
		if apiVersion, is := strings.CutPrefix(words[0], "="); is {
			kinds[apiVersion+" "+words[1]] = message(words[2])
			continue
		}
		m := message(words[0])
		for _, word := range words[1:] {
			parts := strings.Split(word, ":")
			number, _ := strconv.Atoi(parts[1])
			for len(m.fields) <= number {
				m.fields = append(m.fields, protobufField{})
			}
			f := &m.fields[number]
			shape, keeps := strings.CutSuffix(parts[2], "!")
			if f.name, f.keeps = parts[0], keeps; strings.ContainsRune("*@^", rune(shape[0])) {
				f.many, shape = shape[0], shape[1:]
			}
			if f.shape = shape[0]; len(shape) > 1 {
				f.shape, f.message = isMessage, message(shape)
			}
		}
	}
	return kinds
})

var errProtobuf = errors.New("not a protobuf object of a served kind")

// errTruncated is upstream's error for bytes that end too early. It stands for every kind of malformed bytes.
var errTruncated = errors.New("unexpected EOF")

// defaultKind returns the apiVersion and the kind that the path has. They count if the body does not name them.
// Source: apimachinery v0.36 pkg/runtime/serializer/protobuf protobuf.go copyKindDefaults.
func defaultKind(q *apiserver.Request) [2]string {
	asks := q.Attributes()
	_, rest, _ := strings.Cut(strings.TrimPrefix(q.Path, "/"), "/")
	apiVersion, rest, _ := strings.Cut(rest, "/")
	if asks.Group != "" {
		version, _, _ := strings.Cut(rest, "/")
		apiVersion += "/" + version
	}
	if strings.HasPrefix(asks.Verb, "delete") {
		return [2]string{"v1", "DeleteOptions"}
	}
	for name := range protobufKinds() {
		of, kind, _ := strings.Cut(name, " ")
		one := strings.ToLower(kind)
		if of == apiVersion && slices.Contains([]string{one, one + "s", one + "es", one[:len(one)-1] + "ies"},
			asks.Resource) {
			return [2]string{apiVersion, kind}
		}
	}
	return [2]string{}
}

// FromProtobuf decodes an object of a served kind. It returns an error for other kinds and for malformed bytes.
func FromProtobuf(body []byte) (wire.Map, error) { return fromProtobuf(body, [2]string{}) }

// fromProtobuf decodes an object, which may omit its apiVersion and its kind.
func fromProtobuf(body []byte, usual [2]string) (wire.Map, error) {
	raw, has := strings.CutPrefix(string(body), protobufPrefix)
	if !has {
		return nil, errProtobuf
	}
	var apiVersion, kind, inner string
	outer := protobufReader{rest: raw}
	for outer.next() {
		switch outer.number {
		case 1:
			if apiVersion, kind, has = pairOf(outer.value); !has {
				return nil, errProtobuf
			}
		case 2:
			inner = outer.value
		}
	}
	if outer.malformed {
		return nil, errTruncated
	}
	apiVersion, kind = cmp.Or(apiVersion, usual[0]), cmp.Or(kind, usual[1])
	message := protobufKinds()[apiVersion+" "+kind]
	if kind == "DeleteOptions" { // of any group
		message = protobufKinds()["v1 DeleteOptions"]
	}
	if message == nil {
		return nil, errProtobuf
	}
	object := wire.Map{}
	if err := message.read(object, inner); err != nil {
		return nil, err
	}
	object["apiVersion"], object["kind"] = apiVersion, kind
	return object, nil
}

// pairOf returns the first two fields of a message: strings, such as the key and the value in a map.
func pairOf(data string) (first, second string, ok bool) {
	r := protobufReader{rest: data}
	for r.next() {
		switch r.number {
		case 1:
			first = r.value
		case 2:
			second = r.value
		}
	}
	return first, second, !r.malformed
}

// read adds the members of a message to a JSON object. It drops unknown fields, as upstream does.
func (f *protobufMessage) read(m wire.Map, data string) error {
	r := protobufReader{rest: data}
	for r.next() {
		if r.number >= uint64(len(f.fields)) || f.fields[r.number].shape == 0 {
			continue
		}
		field := &f.fields[r.number]
		switch field.many {
		case inside:
			if err := field.message.read(m, r.value); err != nil {
				return err
			}
			continue
		case isMap:
			key, value, ok := pairOf(r.value)
			v, err := field.read(&protobufReader{value: value})
			if err != nil || !ok {
				return errProtobuf
			}
			wire.Set(m, v, field.name, key)
			continue
		}
		v, err := field.read(&r)
		if err != nil {
			return err
		}
		switch {
		case field.many == isList:
			list, _ := m[field.name].([]any)
			m[field.name] = append(list, v)
		case field.keeps && v != nil || v != nil && v != "" && v != false && v != int64(0):
			m[field.name] = v
		}
	}
	if r.malformed {
		return errProtobuf
	}
	return nil
}

// read converts the reader's current field to a JSON value.
func (f *protobufField) read(r *protobufReader) (any, error) {
	switch f.shape {
	case asBool:
		return r.varint != 0, nil
	case asInteger:
		return int64(r.varint), nil
	case asBytes:
		return base64.StdEncoding.EncodeToString([]byte(r.value)), nil
	case asTime, asMicroTime:
		return instantOf(f.shape, r.value)
	case asText:
		return r.value, nil
	}
	if f.shape == isMessage {
		m := wire.Map{}
		return m, f.message.read(m, r.value)
	}
	return f.unwrap(r.value)
}

// unwrap converts a message that JSON shows as one value.
func (f *protobufField) unwrap(data string) (any, error) {
	var texts []any
	var numbers [4]uint64
	text := ""
	r := protobufReader{rest: data}
	for r.next() {
		text, texts = r.value, append(texts, r.value)
		if r.number < uint64(len(numbers)) {
			numbers[r.number] = r.varint
		}
	}
	switch {
	case r.malformed:
		return nil, errProtobuf
	case f.shape == asListOfText:
		return texts, nil
	case f.shape == asDuration:
		return time.Duration(numbers[1]).String(), nil
	case f.shape == asIntOrString && numbers[1] == 0: // the fields are type, intVal and strVal
		return int64(int32(numbers[2])), nil
	case f.shape == asJSON && !json.Valid([]byte(text)):
		return nil, errProtobuf
	case f.shape == asJSON:
		return wire.Encoded(text), nil
	}
	return text, nil
}

// instantOf converts a Timestamp; an empty one becomes null.
func instantOf(shape byte, data string) (any, error) {
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
	if shape == asMicroTime {
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

// uvarint reads an integer.
func (r *protobufReader) uvarint() (n uint64, fine bool) {
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	r.rest = r.rest[max(size, 0):]
	return n, size > 0
}
