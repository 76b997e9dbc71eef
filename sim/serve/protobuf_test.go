package serve_test

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// field returns one field of a message: a string or a number.
func field(number uint64, value any) string {
	switch v := value.(type) {
	case string:
		return string(append(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), uint64(len(v))), v...))
	case uint64:
		return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3), v))
	case int:
		return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3), uint64(v)))
	}
	panic("neither a string nor a number")
}

// inProtobuf returns an object as client-go's typed clients send it.
func inProtobuf(apiVersion, kind, message string) string {
	return "k8s\x00" + field(1, field(1, apiVersion)+field(2, kind)) + field(2, message) + field(3, "") + field(4, "")
}

// aLease is a Lease with a field of every shape. sim/conformance compares random objects with the real serializer's.
var aLease = inProtobuf("coordination.k8s.io/v1", "Lease",
	field(1, field(1, "x")+field(3, "")+field(7, 7)+field(8, "")+field(11, field(1, "app")+field(2, "it"))+
		field(13, field(1, "Pod")+field(3, "p")+field(4, "u")+field(5, "v1")+field(6, 1))+field(14, "f/a")+field(14, "f/b")+
		field(17, field(1, "m")+field(2, "Update")+field(3, "v1")+field(4, field(1, 1767225600))+field(6, "FieldsV1")+field(7, field(1, `{"f:spec":{}}`)))+field(99, "later"))+
		field(2, field(1, "h")+field(2, 15)+field(4, field(1, 1767225600)+field(2, 123456789))))

func TestBodiesInProtobuf(t *testing.T) {
	object, err := incoming.FromProtobuf([]byte(aLease))
	require.NoError(t, err)
	assert.JSONEq(t, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","generation":7,
		"labels":{"app":"it"},"ownerReferences":[{"kind":"Pod","name":"p","uid":"u","apiVersion":"v1","controller":true}],"finalizers":["f/a","f/b"],
		"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]},
		"spec":{"holderIdentity":"h","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.123456Z"}}`,
		string(wire.Encode(nil, object, nil)))

	_, s := startServer(t, fresh(t, clock.New()), clock.New())
	send := func(method, path, body string) (int, string) {
		r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/vnd.kubernetes.protobuf")
		r.Header.Set("Accept", "application/vnd.kubernetes.protobuf,application/json")
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		var told struct{ Message, Kind string }
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&told))
		return answer.StatusCode, told.Kind + " " + told.Message
	}
	code, told := send("POST", path, aLease)
	assert.Equal(t, 201, code, told)
	assert.Equal(t, "Lease ", told, "answers are JSON")
	code, told = send("DELETE", path+"/x", inProtobuf("coordination.k8s.io/v1", "DeleteOptions", field(2, field(1, "another"))))
	assert.Equal(t, 409, code)
	assert.Contains(t, told, "the UID in the precondition (another) does not match")
	code, _ = send("POST", path, inProtobuf("example.com/v1", "Widget", ""))
	assert.Equal(t, 415, code, "the server does not read kinds that it does not serve")
	code, told = send("POST", path, `{"metadata":{"name":"y"}}`)
	assert.Equal(t, 400, code)
	assert.Contains(t, told, "does not appear to be a protobuf message")
}

// Any bytes sent as protobuf are an object or an error.
func FuzzProtobuf(f *testing.F) {
	f.Add([]byte(aLease))
	f.Add([]byte(inProtobuf("v1", "Namespace", field(1, field(1, "n"))+field(2, field(1, "kubernetes"))+field(3, field(1, "Active")))))
	f.Add([]byte(inProtobuf("coordination.k8s.io/v1beta1", "LeaseCandidate", field(2, field(1, "l")+field(2, field(1, uint64(1<<62)))))))
	f.Add([]byte(inProtobuf("", "DeleteOptions", field(1, 0)+field(5, "All"))))
	f.Add([]byte("k8s\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	for _, seed := range []string{field(11, field(1, "app")+field(2, "it")), field(13, field(4, "u")), field(14, "f/a"), field(17, field(1, "m"))} {
		f.Add([]byte(bounded.Chain + seed)) // metadata of a thousand of these
	}
	cost := bounded.Limit{Fixed: 1 << 20, PerByte: 50}
	f.Fuzz(func(t *testing.T, body []byte) {
		var object wire.Map
		var err error
		if part, many := strings.CutPrefix(string(body), bounded.Chain); many && len(part) <= 100 {
			bounded.Growth(t, 128, 1024, func(n int) func() {
				large := []byte(inProtobuf("coordination.k8s.io/v1", "Lease", field(1, strings.Repeat(part, n))))
				return func() { _, _ = incoming.FromProtobuf(large) }
			})
		}
		cost.Do(t, len(body), func() { object, err = incoming.FromProtobuf(body) })
		if err != nil {
			return
		}
		if encoded := wire.Encode(nil, object, nil); !json.Valid(encoded) {
			t.Fatalf("%q became %q", body, encoded)
		}
	})
}
