package scenario

import (
	"math"
)

var actionFields = []Field{
	{Key: "Action", Help: "Something that happens at one instant of the run, such as a crash or a cut."},
	{Key: "Action.at", Help: "The instant, counted from the start of the run.",
		missing: `an act needs a time, for example "20s"`},
	{Key: "Action.within",
		Help: "Delays the act by a random time, from 0 up to this length. The seed determines the delay. Without " +
			"within, the act comes at the same point between two of the leader's renewals with every seed."},
	{Key: "Action.act", Help: "The kind of action.", missing: "an act needs a kind, for example crash"},
	{Key: "Action.binaryVersion",
		Help: "For upgrade: the target's version from its next start on. For a candidate, this is its binaryVersion."},
	{Key: "Action.emulationVersion", Help: "For upgrade: the version that the target emulates from its next start on."},
	{Key: "Action.target",
		Help: "The node that the act affects: a name, holder (the Lease's holder then), or * (every node)."},
	{Key: "Action.for", Help: "How long the act lasts. Left out: until another act ends it. A restart ends a crash."},
	{Key: "Action.direction", Help: "For cut: both (the default), up (requests are lost), down (answers are lost).",
		words: []string{DirectionBoth, DirectionUp, DirectionDown}},
	{
		Key: "Action.mode",
		Help: "For cut: drop (the default) loses messages. refuse fails requests at once. hold delivers messages " +
			"when the cut ends, if the client still waits. late delivers them in any case. connection loses messages " +
			"on existing connections; a new connection works: see network.deadPeerTime. A cut of an API server " +
			"affects every client connected to it. Cuts with the same target and direction must have the same mode.",
		words: []string{ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection},
	},
	{
		Key: "Action.error",
		Help: "For fail: what the client sees. With http504Applied, dropResponse, broken (half of the body arrives), " +
			"and empty (200 without a body), the server has stored the write. With dropRequest and dropResponse, no " +
			"answer arrives. refused, reset, and eof: the connection is refused, reset, or closed before an answer. " +
			"hang: the server never serves the request, and answers 504 after server.requestTimeout. stall: the " +
			"server serves the request when the fail act ends. conflict: 409, although nobody else wrote.",
		words: []string{
			"http401", "http403", "http429", "http500", "http502", "http503", "http504", "conflict", "http504Applied",
			"dropRequest", "dropResponse",
			"refused", "reset", "eof", "broken", "empty", "hang", ErrorStall,
		},
	},
	{
		Key: "Action.verb",
		Help: "The act affects only requests with this verb: get, create, update, reads (get), or writes (create and " +
			"update). Left out: all requests.",
		words: []string{"get", "create", "update", "reads", "writes"},
	},
	{
		Key: "Action.resource",
		Help: "The act affects only requests for this resource: leases, leasecandidates, or configmaps. Left out: " +
			"all requests. Heartbeats are requests for leases.",
		words: []string{ResourceLeases, ResourceLeaseCandidates, ResourceConfigMaps},
	},
	{
		Key: "Action.count",
		Help: "For fail: how many requests fail, beginning with the first. Left out: all requests. For burst: how " +
			"many requests the process sends in addition to its elector's.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.request", Help: "For latency: how long requests take from now on."},
	{Key: "Action.response", Help: "For latency: how long answers take from now on."},
	{Key: "Action.offset", Help: "For clock: the new offset. If it is negative, the clock is behind.", signed: true},
	{Key: "Action.ratePpm", Help: "For clock: the new rate in parts per million. Left out: the rate stays.",
		whole: &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"}},
	{Key: "Action.method", Help: "For request: POST, PUT, PATCH, or DELETE. An act cannot be a read.",
		words: []string{"POST", "PUT", "PATCH", "DELETE"}},
	{Key: "Action.path", Help: "For request: the path, including the query."},
	{Key: "Action.headers",
		Help: "For request: the headers, each as Name: value. The default User-Agent is that of kubectl edit."},
	{Key: "Action.body", Help: "For request: the body.", Lines: true},
	{
		Key:   "Action.op",
		Help:  "For write: put (replace spec), patch (change fields), delete, or touch (change metadata only).",
		words: []string{OpPut, OpPatch, OpDelete, OpTouch},
	},
	{
		Key:     "Action.object",
		Help:    "For write: lease or configmap. Electors with lock configmaps or configmapsleases use the ConfigMap.",
		Default: "lease", words: []string{ObjectLease, ObjectConfigMap},
	},
	{Key: "Action.spec", Help: "For write: the new values of the fields."},
	{Key: "Action.clear", Help: "For write with op patch: the fields of spec to remove.", words: leaseSpecFields},
	{Key: "Action.renewNow", Help: "For write: sets renewTime to the server's current time."},
	{Key: "Action.candidate", Help: "For add: the candidate that joins."},
	{Key: "Action.elector", Help: "For set: the new elector settings, in effect from the node's next start."},
	{Key: "Action.network", Help: "For set: the new network settings, in effect at once."},
	{Key: "Action.requestDistribution", Help: "For latency: how to draw each request's latency. Replaces request."},
	{Key: "Action.responseDistribution", Help: "For latency: how to draw each answer's latency. Replaces response."},
	{Key: "Action.every",
		Help: "For latency and fail: repeats the act at this interval until the end of the run, each time for the " +
			"length in for. For rollingUpdate: the time until a new pod is ready and the next starts. Left out: 10s."},
	{Key: "Action.server", Help: "For server: how the API server copes with load from now on."},
	{Key: "Action.to",
		Help: "For rollback: the store returns to its state right after this instant, including resourceVersions, " +
			"and loses later writes. Must be earlier than at."},
	{
		Key: "Action.retryAfter",
		Help: "For fail with an HTTP error 429 or 5xx: the answer's Retry-After header, in whole seconds. client-go " +
			"tries again after that time, within the same call and at most ten times.",
	},
	{Key: "Action.grace",
		Help: "For stop and rollingUpdate: after this time, SIGKILL ends a process that is still running, like " +
			"terminationGracePeriodSeconds (30s by default in Kubernetes). Left out: a stop never leads to SIGKILL, " +
			"and a rolling update uses 30s."},
	{
		Key: "Action.probability",
		Help: "For fail and cut: the probability that the act affects a message, more than 0 and at most 1. Left " +
			"out: the act affects every message. A fail makes one random draw for each request, when the client " +
			"sends it. A cut makes one for each request, answer, and watch event. count counts only affected " +
			"requests. Other acts and nodes do not change the draws.",
		decimal: &[2]float64{0, 1},
	},
	{
		Key: "Action.effect",
		Help: "For intercept: drop loses the message; if it is an answer, the server has stored the write. " +
			"dropResponse lets a request through and loses its answer. hold keeps the message until a deliver act, " +
			"or for the length in for, and then delivers it if the client still waits. late delivers it in any case.",
		words: []string{EffectDrop, EffectDropResponse, EffectHold, EffectLate},
	},
	{
		Key: "Action.message",
		Help: "For intercept and deliver: which of the target's clients sent the request. On a node without an " +
			"elector, elector means heartbeat. leaseCandidate renews the LeaseCandidate. controller is that of " +
			"coordinated election, in an API server. resource sends the leader's writes to the resource. Left out: " +
			"intercept uses elector, and deliver uses every client.",
		words: []string{MessageElector, MessageHeartbeat, MessageLeaseCandidate, MessageController, MessageResource},
	},
	{
		Key: "Action.nth",
		Help: "For intercept and deliver: only the client's nth request, counted from 1 since the start of the run. " +
			"Left out: the newest request in flight.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.jump",
		Help:   "For clock: how far the wall clock jumps ahead. Negative: back. The monotonic clock does not jump.",
		signed: true},

	{Key: "LeaseSpec", Help: "The values that an administrator writes into the Lease."},
	{Key: "LeaseSpec.holderIdentity", Help: "The holder's identity. If it is empty, nobody holds the Lease."},
	{Key: "LeaseSpec.leaseDurationSeconds", Help: "How long the Lease stays valid without a change, in whole seconds."},
	{Key: "LeaseSpec.acquireTime",
		Help: "When the holder acquired the Lease, counted from the run's start. Negative: earlier.", signed: true},
	{Key: "LeaseSpec.renewTime",
		Help: "When the holder last renewed the Lease, counted from the run's start. Negative: earlier.", signed: true},
	{Key: "LeaseSpec.leaseTransitions", Help: "How many times the Lease has changed hands."},
	{Key: "LeaseSpec.strategy", Help: "How the control plane picks a leader (coordinated leader election)."},
	{Key: "LeaseSpec.preferredHolder", Help: "The candidate that should lead next (coordinated leader election)."},
}
