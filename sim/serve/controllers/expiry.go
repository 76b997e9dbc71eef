package controllers

import (
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// eventsKept is how long an Event stays after its last write.
// Source: kubernetes v1.36 pkg/controlplane/apiserver/options options.go EventTTL.
const eventsKept = time.Hour

// expiry deletes Events after an hour. Upstream leaves that to etcd.
//
// Deviation: for an Event that is older than the controller, the hour counts from the Event's creation. Pinned by
// TestEvents.
type expiry struct {
	cluster Cluster
	begins  bool
	seen    []apiserver.Change // since the last call of act
	queue   []expiring         // in the order of their writes
}

type expiring struct {
	at       time.Time
	key      string
	revision int64
}

func (e *expiry) begin(time.Time) { e.begins, e.seen, e.queue = true, nil, nil }

func (e *expiry) see(c *apiserver.Change) {
	if c.Object != nil && placeOf(c.Key).resource == "events" {
		e.seen = append(e.seen, *c)
	}
}

func (e *expiry) act(now time.Time) time.Time {
	for i := range e.seen {
		from := now
		if made, err := time.Parse(wire.TimeLayout,
			wire.Text(e.seen[i].Object, "metadata", "creationTimestamp")); e.begins && err == nil && made.Before(now) {
			from = made
		}
		e.queue = append(e.queue, expiring{from.Add(eventsKept), e.seen[i].Key, e.seen[i].Revision})
	}
	e.begins, e.seen = false, nil
	for n := 0; n < mostAtOnce && len(e.queue) > 0 && !e.queue[0].at.After(now); n++ {
		one := e.queue[0]
		e.queue = e.queue[1:]
		if live, has := e.cluster.Objects().ObjectAt(one.key); has && live.Revision == one.revision {
			p := placeOf(one.key)
			e.cluster.Do(now, request(agent, "DELETE", objectPath("v1", p.namespace, p.resource, p.name), nil))
		}
	}
	if len(e.queue) == 0 {
		return time.Time{}
	}
	return e.queue[0].at
}
