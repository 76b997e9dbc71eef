package apiserver

import (
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// messageBytes is the longest message that upstream's client of etcd sends.
// Source: etcd v3.6 client/v3 options.go defaultMaxCallSendMsgSize.
const messageBytes = 2 << 20

// put stores an object if there is room for it. Clients get etcd's refusal as it is, without a reason.
// Source: etcd v3.6 server/etcdserver v3_server.go processInternalRaftRequestOnce, server/storage quota.go; apiserver v0.36
// pkg/endpoints/handlers/responsewriters status.go ErrorToAPIStatus.
//
// Deviation: etcd measures requests and its file in protobuf; here an object counts as its JSON, and all of them as the
// memory they take, about. etcd refuses every write until it was compacted and told so; here a write that makes an object
// smaller, and a deletion that waits for finalizers, are never refused, and what is deleted is room at once. Pinned by
// TestQuota.
func (c *call) put(key string, o object) (stored, *failure) {
	if most := c.config.ObjectBytes; most > 0 {
		size := len(key)
		if weight := c.store.Size(o); weight > most/escapes {
			size += len(wire.Encode(nil, o, c.res.stored().kind))
		}
		switch {
		case size > messageBytes:
			return stored{}, internal("rpc error: code = ResourceExhausted desc = trying to send message larger than max (%d vs. %d)", size, messageBytes)
		case int64(size) > most:
			return stored{}, internal("etcdserver: request is too large")
		}
	}
	if most := c.config.Quota; most > 0 && !c.store.Fits(key, o, most) {
		return stored{}, noSpace()
	}
	return made(c.store.Put(key, o)), nil
}

func noSpace() *failure { return internal("etcdserver: mvcc: database space exceeded") }

// NoSpace is the answer to a write for which a backend has no room.
func NoSpace() Response {
	return Response{Status: 500, Header: []Param{{"content-type", jsonMedia}}, Body: append(wire.Encode(nil, noSpace().status(), statusType), '\n')}
}

// escapes is how many times longer the JSON of an object can be than its size: a character may be written as \u003c.
const escapes = 6

func made(e storage.Entry[object]) stored { return stored{e.Value, e.Revision} }
