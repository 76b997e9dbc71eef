package scenario

import (
	"math"
)

var actionFields = []Field{
	{Key: "Action", Help: "Something that happens to the world at an instant."},
	{Key: "Action.at", Help: "The instant, counted from the start of the run.",
		missing: `an action needs its instant, "20s" for example`},
	{Key: "Action.within",
		Help: "The seed draws the instant: at, or up to this much later. Without it, the act hits the leader's " +
			"renewals in the same phase with every seed."},
	{Key: "Action.act", Help: "The kind of action.", missing: "an action says what happens, crash for example"},
	{Key: "Action.binaryVersion",
		Help: "Upgrade: the version of the target's next start; of an API server, its version."},
	{Key: "Action.emulationVersion", Help: "Upgrade: the version that the target's next start emulates."},
	{Key: "Action.target",
		Help: "The node: a name, holder (the node that holds the Lease at that instant) or * (every node)."},
	{Key: "Action.for", Help: "How long it lasts; left out, until another act ends it. A crash ends with a restart."},
	{
		Key: "Action.direction", Help: "Cut: both (the default), up (requests are lost) or down (answers are lost).",
		words: []string{DirectionBoth, DirectionUp, DirectionDown},
	},
	{
		Key: "Action.mode",
		Help: "Cut: drop (the default) loses messages. refuse fails at once. hold delivers messages when the cut " +
			"ends, if the client still waits. late delivers them in any case. connection loses messages on " +
			"connections that exist by then; a new connection works, see network.deadPeerTime. A cut of an API " +
			"server concerns every client connected to it. Two cuts of one target and direction must have the same " +
			"mode.",
		words: []string{ModeDrop, ModeRefuse, ModeHold, ModeLate, ModeConnection},
	},
	{
		Key: "Action.error",
		Help: "Fail: what the client sees. The server has stored the write with http504Applied, dropResponse, broken " +
			"(half a body comes back) and empty (200 without a body). dropRequest gives no answer either. refused, " +
			"reset and eof: the connection is refused, reset or closed before an answer. hang: the request waits at " +
			"the server and gets 504 after server.requestTimeout, unserved. stall: it waits at the server, which " +
			"serves it when the fail ends. conflict: 409, although nobody wrote.",
		words: []string{
			"http401", "http403", "http429", "http500", "http502", "http503", "http504", "conflict", "http504Applied",
			"dropRequest", "dropResponse",
			"refused", "reset", "eof", "broken", "empty", "hang", ErrorStall,
		},
	},
	{
		Key: "Action.verb",
		Help: "Only requests of this verb: get, create, update, reads (get) or writes (create and update); left " +
			"out, all.",
		words: []string{"get", "create", "update", "reads", "writes"},
	},
	{
		Key: "Action.resource",
		Help: "Only requests about this resource: leases, leasecandidates or configmaps; left out, all. Heartbeats " +
			"renew leases.",
		words: []string{ResourceLeases, ResourceLeaseCandidates, ResourceConfigMaps},
	},
	{
		Key: "Action.count",
		Help: "Fail: only this many requests, the first ones; left out, all. Burst: how many requests the process " +
			"sends besides its elector's.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.request", Help: "Latency: the new time to the server."},
	{Key: "Action.response", Help: "Latency: the new time back."},
	{Key: "Action.offset", Help: "Clock: its new offset; negative means behind.", signed: true},
	{
		Key: "Action.ratePpm", Help: "Clock: its new rate in parts per million; left out, unchanged.",
		whole: &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"},
	},
	{Key: "Action.method", Help: "Request: POST, PUT, PATCH or DELETE; reads are not acts.",
		words: []string{"POST", "PUT", "PATCH", "DELETE"}},
	{Key: "Action.path", Help: "Request: the path with its query."},
	{Key: "Action.headers",
		Help: "Request: its headers, each as Name: value. Without a User-Agent it is kubectl-edit's."},
	{Key: "Action.body", Help: "Request: its body.", Lines: true},
	{
		Key:   "Action.op",
		Help:  "Write: put (replace spec), patch (change fields), delete, or touch (change metadata only).",
		words: []string{OpPut, OpPatch, OpDelete, OpTouch},
	},
	{
		Key:     "Action.object",
		Help:    "Write: lease, or configmap, which locks of kind configmaps and configmapsleases use.",
		Default: "lease", words: []string{ObjectLease, ObjectConfigMap},
	},
	{Key: "Action.spec", Help: "Write: the values."},
	{Key: "Action.clear", Help: "Write with op patch: the fields of spec to remove.", words: leaseSpecFields},
	{Key: "Action.renewNow", Help: "Write: renewTime becomes the server's current time."},
	{Key: "Action.candidate", Help: "Add: the candidate that joins."},
	{Key: "Action.elector", Help: "Set: the new elector settings, in effect from the node's next start."},
	{Key: "Action.network", Help: "Set: the new network settings, in effect at once."},
	{Key: "Action.requestDistribution", Help: "Latency: draws the time of each request, in place of request."},
	{Key: "Action.responseDistribution", Help: "Latency: draws the time of each answer, in place of response."},
	{Key: "Action.every",
		Help: "Latency and fail: repeats the act at this interval until the end of the run, each time for the length " +
			"of for. Rolling update: the time after which a new pod is ready, and the next one starts; left out, 10s."},
	{Key: "Action.server", Help: "Server: how it copes with load from now on."},
	{Key: "Action.to",
		Help: "Rollback: the store becomes what it was after this instant, resourceVersions included; later writes " +
			"are lost. Must be earlier than at."},
	{
		Key: "Action.retryAfter",
		Help: "Fail with an HTTP error 429 or 5xx: the header Retry-After of the answer, in whole seconds. client-go " +
			"asks again after that time, inside the same call and at most ten times.",
	},
	{Key: "Action.grace",
		Help: "Stop and rolling update: after this time SIGKILL ends a process that has not ended, as " +
			"terminationGracePeriodSeconds does (30s in Kubernetes). Left out of a stop: no SIGKILL; of a rolling " +
			"update: 30s."},
	{
		Key: "Action.probability",
		Help: "Fail and cut: the share of the messages that it concerns, more than 0 and at most 1; left out, all " +
			"of them. The seed draws once for each message: fail for each request when it is sent, cut for each " +
			"request and for each answer or watch event. count counts the requests that were drawn. Other acts and " +
			"nodes do not change the draws.",
		decimal: &[2]float64{0, 1},
	},
	{
		Key: "Action.effect",
		Help: "Intercept: drop loses the message; if it is an answer, the server has stored the write. dropResponse " +
			"lets a request through and loses its answer. hold keeps the message until deliver, or for the length of " +
			"for; it goes on only if the client still waits. late lets it go on in any case.",
		words: []string{EffectDrop, EffectDropResponse, EffectHold, EffectLate},
	},
	{
		Key: "Action.message",
		Help: "Intercept and deliver: the client of the target whose message it is. elector (a node that sends " +
			"heartbeats has none, and its heartbeat is meant), heartbeat, leaseCandidate (the client that keeps it), " +
			"controller (of coordinated election, in an API server) or resource (the leader's writes to it). Left " +
			"out: the elector's; deliver delivers all.",
		words: []string{MessageElector, MessageHeartbeat, MessageLeaseCandidate, MessageController, MessageResource},
	},
	{
		Key: "Action.nth",
		Help: "Intercept and deliver: only this request of the target's client, counted " +
			"from 1 since the start of the run; left out, the newest one on the way.",
		whole: &bounds{max: math.MaxInt32},
	},
	{Key: "Action.jump",
		Help:   "Clock: how far its wall clock jumps ahead; negative means back. Its monotonic clock does not jump.",
		signed: true},

	{Key: "LeaseSpec", Help: "What an administrator writes into the Lease."},
	{Key: "LeaseSpec.holderIdentity", Help: "The holder; empty means nobody."},
	{Key: "LeaseSpec.leaseDurationSeconds", Help: "How long the Lease stays valid without a change, in whole seconds."},
	{Key: "LeaseSpec.acquireTime",
		Help: "When the holder acquired it, relative to the start of the run; negative means before.", signed: true},
	{Key: "LeaseSpec.renewTime",
		Help:   "When the holder last renewed it, relative to the start of the run; negative means before.",
		signed: true},
	{Key: "LeaseSpec.leaseTransitions", Help: "How often the Lease changed hands."},
	{Key: "LeaseSpec.strategy", Help: "How the control plane picks a leader (coordinated leader election)."},
	{Key: "LeaseSpec.preferredHolder", Help: "The candidate that should lead next (coordinated leader election)."},
}
