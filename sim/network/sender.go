package network

// Sender is the client of a node whose message an act stops.
type Sender uint8

const (
	Elector        Sender = iota
	LeaseCandidate        // the client that keeps the node's LeaseCandidate
	Controller            // the controllers of a coordinated election, inside an API server
	Kubelet               // the kubelet, which sends heartbeats
	ResourceWriter        // the leader's work: its writes bypass the API server, and nothing answers them

	AnySender = Sender(255)
)
