// Package heartbeat holds the two machines behind node readiness: a Kubelet, which renews its own Lease, and a
// Monitor, which watches those Leases and decides which nodes are ready. Times are nanoseconds.
//
// Guarantee: whether a monitor counts a node as ready depends on when it last saw a renewal, on its own monotonic
// clock, and never on what the node wrote. Non-guarantee: the machines keep no clock and send nothing; the caller
// carries out their outputs. Source: kubernetes v1.36 component-helpers apimachinery/lease controller.go,
// pkg/controller/nodelifecycle monitorNodeHealth.
package heartbeat

// Tries is how many times a kubelet tries to renew before it waits for its next heartbeat. Source:
// component-helpers apimachinery/lease controller.go maxUpdateRetries.
const Tries = 5

// Kubelet sends the heartbeats of one node. The zero value has not started.
type Kubelet struct {
	tries   int8
	waiting bool // the kubelet waits for an answer
}

// KubeletInput is something that happens to a kubelet.
type KubeletInput uint8

const (
	Start  KubeletInput = iota // the process starts
	Due                        // the kubelet's interval is over
	Stored                     // the API server has stored the kubelet's renewal
	Failed                     // the kubelet got an error, or no answer in time
)

// KubeletOutput is what a kubelet does next.
type KubeletOutput uint8

const (
	Nothing KubeletOutput = iota
	Renew                 // send a renewal
	Wait                  // wait for the interval plus a jitter of up to 1/JitterShare of that interval
)

// JitterShare limits a kubelet's jitter: the kubelet waits up to 1/25 of its interval longer, which is 4 %.
const JitterShare = 25

// Step passes an input to a kubelet and returns its output. An answer changes nothing if the kubelet is not waiting
// for it.
func (k *Kubelet) Step(in KubeletInput) KubeletOutput {
	switch in {
	case Start, Due:
		*k = Kubelet{waiting: true}
		return Renew
	}
	if !k.waiting {
		return Nothing
	}
	if k.tries++; in == Failed && k.tries < Tries {
		return Renew
	}
	*k = Kubelet{}
	return Wait
}
