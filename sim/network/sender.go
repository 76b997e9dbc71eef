package network

// Sender is one of the clients in a node. An act that stops a message says which client sent it.
type Sender uint8

const (
	Elector        Sender = iota
	LeaseCandidate        // the client that keeps the node's LeaseCandidate
	Controller            // the controllers of a coordinated election, inside an API server
	Kubelet               // the kubelet, which sends heartbeats
	ResourceWriter        // the leader's work: its writes bypass the API server, and nothing answers them

	AnySender = Sender(255)
)
