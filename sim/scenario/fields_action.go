package scenario

import (
	"math"
)

var actionFields = []Field{
	{Key: "Action", Help: "Something that happens to the world at an instant."},
	{Key: "Action.at", Help: "The instant, counted from the start of the run.",
		missing: `an action needs its instant, "20s" for example`},
	{Key: "Action.within",
		Help: "The act happens up to this much later than at: the seed draws how much. Without within, every seed " +
			"hits the same phase of the leader's renewals."},
	{Key: "Action.act", Help: "The kind of action.", missing: "an action says what happens, crash for example"},
	{Key: "Action.binaryVersion",
		Help: "Upgrade: the target's version from its next start on. For a candidate it is the binaryVersion."},
	{Key: "Action.emulationVersion", Help: "Upgrade: the version that the target emulates from its next start on."},
	{Key: "Action.target",
		Help: "The node: a name, holder (the node that holds the Lease at that instant) or * (every node)."},
	{Key: "Action.for", Help: "How long it lasts. Left out: until another act ends it. A crash ends with a restart."},
	{
		Key: "Action.direction", Help: "Cut: both (the default), up (requests are lost) or down (answers are lost).",
		words: []string{DirectionBoth, DirectionUp, DirectionDown},
	},
	{
		Key: "Action.mode",
		Help: "Cut: drop (the default) loses messages. refuse fails requests at once. hold delivers messages when " +
			"the cut ends, if the client still waits. late delivers them in any case. connection loses messages on " +
			"the existing connections, and a new connection works: see network.deadPeerTime. A cut of an API server " +
			"affects every client connected to it. Cuts with the same target and direction must have the same mode.",
		words: []string{ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection},
	},
	{
		Key: "Action.error",
		Help: "Fail: what the client sees. With http504Applied, dropResponse, broken (half a body comes back) and " +
			"empty (200 without a body), the server has stored the write. With dropRequest and dropResponse, no " +
			"answer comes. refused, reset and eof: the connection is refused, reset or closed before an answer. " +
			"hang: the server never serves the request, and answers 504 after server.requestTimeout. stall: the " +
			"server serves the request when the fail ends. conflict: 409, although nobody wrote.",
		words: []string{
			"http401", "http403", "http429", "http500", "http502", "http503", "http504", "conflict", "http504Applied",
			"dropRequest", "dropResponse",
			"refused", "reset", "eof", "broken", "empty", "hang", ErrorStall,
		},
	},
	{
		Key: "Action.verb",
		Help: "Only requests with this verb: get, create, update, reads (get) or writes (create and update). Left " +
			"out: all requests.",
		words: []string{"get", "create", "update", "reads", "writes"},
	},
	{
		Key: "Action.resource",
		Help: "Only requests for this resource: leases, leasecandidates or configmaps. Left out: all requests. " +
			"Heartbeats are requests for leases.",
		words: []string{ResourceLeases, ResourceLeaseCandidates, ResourceConfigMaps},
	},
	{
		Key: "Action.count",
		Help: "Fail: how many requests fail, beginning with the first. Left out: all requests. Burst: how many " +
			"requests the process sends besides its elector's.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.request", Help: "Latency: how long requests take from now on."},
	{Key: "Action.response", Help: "Latency: how long answers take from now on."},
	{Key: "Action.offset", Help: "Clock: its new offset. Negative: the clock is behind.", signed: true},
	{
		Key: "Action.ratePpm", Help: "Clock: its new rate in parts per million. Left out: the rate stays.",
		whole: &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"},
	},
	{Key: "Action.method", Help: "Request: POST, PUT, PATCH or DELETE; reads are not acts.",
		words: []string{"POST", "PUT", "PATCH", "DELETE"}},
	{Key: "Action.path", Help: "Request: the path with its query."},
	{Key: "Action.headers",
		Help: "Request: its headers, each as Name: value. The default User-Agent is kubectl-edit's."},
	{Key: "Action.body", Help: "Request: its body.", Lines: true},
	{
		Key:   "Action.op",
		Help:  "Write: put (replace spec), patch (change fields), delete, or touch (change metadata only).",
		words: []string{OpPut, OpPatch, OpDelete, OpTouch},
	},
	{
		Key:     "Action.object",
		Help:    "Write: lease or configmap. Electors with the lock configmaps or configmapsleases use the ConfigMap.",
		Default: "lease", words: []string{ObjectLease, ObjectConfigMap},
	},
	{Key: "Action.spec", Help: "Write: the values."},
	{Key: "Action.clear", Help: "Write with op patch: the fields of spec to remove.", words: leaseSpecFields},
	{Key: "Action.renewNow", Help: "Write: renewTime becomes the server's current time."},
	{Key: "Action.candidate", Help: "Add: the candidate that joins."},
	{Key: "Action.elector", Help: "Set: the new elector settings, in effect from the node's next start."},
	{Key: "Action.network", Help: "Set: the new network settings, in effect at once."},
	{Key: "Action.requestDistribution", Help: "Latency: how to draw the time of each request. Replaces request."},
	{Key: "Action.responseDistribution", Help: "Latency: how to draw the time of each answer. Replaces response."},
	{Key: "Action.every",
		Help: "Latency and fail: repeats the act at this interval until the end of the run, each time for the length " +
			"of for. Rolling update: the time until a new pod is ready and the next one starts. Left out: 10s."},
	{Key: "Action.server", Help: "Server: how it copes with load from now on."},
	{Key: "Action.to",
		Help: "Rollback: the store returns to its state after this instant, resourceVersions included, and loses " +
			"later writes. Must be earlier than at."},
	{
		Key: "Action.retryAfter",
		Help: "Fail with an HTTP error 429 or 5xx: the header Retry-After of the answer, in whole seconds. client-go " +
			"asks again after that time, inside the same call and at most ten times.",
	},
	{Key: "Action.grace",
		Help: "Stop and rolling update: after this time, SIGKILL ends a process that is still running, as after " +
			"terminationGracePeriodSeconds (30s by default in Kubernetes). Left out: no SIGKILL for a stop, 30s for " +
			"a rolling update."},
	{
		Key: "Action.probability",
		Help: "Fail and cut: the probability that a message is affected, more than 0 and at most 1. Left out: every " +
			"message is affected. A fail draws once for each request, when the client sends it. A cut draws once for " +
			"each request, answer and watch event. count counts only affected requests. Other acts and nodes do not " +
			"change the draws.",
		decimal: &[2]float64{0, 1},
	},
	{
		Key: "Action.effect",
		Help: "Intercept: drop loses the message; if it is an answer, the server has stored the write. dropResponse " +
			"lets a request through and loses its answer. hold keeps the message until a deliver, or for the length " +
			"of for, and then delivers it if the client still waits. late delivers it in any case.",
		words: []string{EffectDrop, EffectDropResponse, EffectHold, EffectLate},
	},
	{
		Key: "Action.message",
		Help: "Intercept and deliver: which of the target's clients sent the request: elector (on a node without " +
			"one, heartbeat), heartbeat, leaseCandidate (the client that renews it), controller (of coordinated " +
			"election, in an API server) or resource (the leader's writes to it). Left out: intercept takes elector, " +
			"and deliver takes every client.",
		words: []string{MessageElector, MessageHeartbeat, MessageLeaseCandidate, MessageController, MessageResource},
	},
	{
		Key: "Action.nth",
		Help: "Intercept and deliver: only this request of the client, counted from 1 since the start of the run. " +
			"Left out: the newest request on its way.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.jump",
		Help:   "Clock: how far its wall clock jumps ahead. Negative: back. Its monotonic clock does not jump.",
		signed: true},

	{Key: "LeaseSpec", Help: "What an administrator writes into the Lease."},
	{Key: "LeaseSpec.holderIdentity", Help: "The holder; empty means nobody."},
	{Key: "LeaseSpec.leaseDurationSeconds", Help: "How long the Lease stays valid without a change, in whole seconds."},
	{Key: "LeaseSpec.acquireTime",
		Help: "When the holder acquired it, after the start of the run. Negative: before the start.", signed: true},
	{Key: "LeaseSpec.renewTime",
		Help:   "When the holder last renewed it, after the start of the run. Negative: before the start.",
		signed: true},
	{Key: "LeaseSpec.leaseTransitions", Help: "How many times the Lease has changed hands."},
	{Key: "LeaseSpec.strategy", Help: "How the control plane picks a leader (coordinated leader election)."},
	{Key: "LeaseSpec.preferredHolder", Help: "The candidate that should lead next (coordinated leader election)."},
}
