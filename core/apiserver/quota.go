package apiserver

import (
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// messageBytes is the maximum message size of upstream's etcd client.
// Source: etcd v3.6 client/v3 options.go defaultMaxCallSendMsgSize.
const messageBytes = 2 << 20

// put stores an object if it fits within the quota. Otherwise clients get etcd's error, which has no reason. Source:
// etcd v3.6 server/etcdserver v3_server.go processInternalRaftRequestOnce, server/storage quota.go; apiserver v0.36
// pkg/endpoints/handlers/responsewriters status.go ErrorToAPIStatus.
//
// Deviation: etcd measures protobuf requests and the size of its file; this server measures the JSON of an object and
// the approximate memory of all objects. Once its file is full, etcd refuses every write until an operator compacts
// the file and clears the alarm. This server always accepts a write that makes an object smaller, and a deletion that
// waits for finalizers. A deletion frees space at once. TestQuota pins this.
func (c *call) put(key string, o object) (storedObject, *failure) {
	if most := c.config.ObjectBytes; most > 0 {
		size := len(key)
		if weight := wire.Bytes(o); weight > most/escapes {
			size += len(wire.Encode(nil, o, c.res.storageVersion().kind))
		}
		switch {
		case size > messageBytes:
			return storedObject{},
				internal(
					"rpc error: code = ResourceExhausted desc = trying to send message larger than max (%d vs. %d)",
					size, messageBytes)
		case int64(size) > most:
			return storedObject{}, internal("etcdserver: request is too large")
		}
	}
	if most := c.config.Quota; most > 0 && !c.store.Fits(key, &objectVersion{tree: o}, most) {
		return storedObject{}, noSpace()
	}
	return storedOf(c.store.Put(key, &objectVersion{tree: o})), nil
}

func noSpace() *failure { return internal("etcdserver: mvcc: database space exceeded") }

// NoSpace returns the answer to a write that exceeds the backend's quota.
func NoSpace() Response {
	return Response{Status: 500, Header: []Param{{"content-type", jsonMedia}},
		Body: append(wire.Encode(nil, noSpace().status(), statusType), '\n')}
}

// escapes is the factor by which an object's JSON can be longer than the object's size: \u003c stands for one
// character.
const escapes = 6

func storedOf(e storage.Entry[*objectVersion]) storedObject {
	return storedObject{e.Value.tree, e.Revision, e.Value}
}
