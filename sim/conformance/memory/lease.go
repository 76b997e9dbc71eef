// Package memory provides the minimum that real electors need to compete: one Lease in memory, without JSON, schemas or
// watchers.
//
// Guarantee: get, create and update answer as the API does: found, not found, already exists or conflict.
// Non-guarantee: every other verb panics, and the Lease ignores names.
package memory

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
)

// Lease is one Lease with its revision. It ignores the name in a request.
type Lease struct {
	coordinationclient.LeaseInterface // for the verbs that an elector does not use

	Delay time.Duration // before an answer

	mu       sync.Mutex
	lease    *coordinationv1.Lease
	revision int
	requests int64
}

// Leases returns the Lease, whatever the namespace.
func (l *Lease) Leases(string) coordinationclient.LeaseInterface { return l }

// Get returns the Lease, or a NotFound error.
func (l *Lease) Get(_ context.Context, name string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	l.arrives()
	defer l.mu.Unlock()
	if l.lease == nil {
		return nil, apierrors.NewNotFound(coordinationv1.Resource("leases"), name)
	}
	lease := *l.lease
	return &lease, nil
}

// Create creates the Lease, unless it exists.
func (l *Lease) Create(_ context.Context, lease *coordinationv1.Lease, _ metav1.CreateOptions) (*coordinationv1.Lease, error) {
	l.arrives()
	defer l.mu.Unlock()
	if l.lease != nil {
		return nil, apierrors.NewAlreadyExists(coordinationv1.Resource("leases"), lease.Name)
	}
	return l.keep(lease), nil
}

// Update replaces the Lease if the resourceVersion matches.
func (l *Lease) Update(_ context.Context, lease *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	l.arrives()
	defer l.mu.Unlock()
	if lease.ResourceVersion != l.lease.ResourceVersion {
		return nil, apierrors.NewConflict(coordinationv1.Resource("leases"), lease.Name, errors.New("the object has been modified"))
	}
	return l.keep(lease), nil
}

// arrives counts a request and waits for the delay.
func (l *Lease) arrives() {
	if l.Delay > 0 {
		time.Sleep(l.Delay)
	}
	l.mu.Lock()
	l.requests++
}

func (l *Lease) keep(lease *coordinationv1.Lease) *coordinationv1.Lease {
	kept := *lease
	l.revision++
	kept.ResourceVersion = strconv.Itoa(l.revision)
	l.lease = &kept
	given := kept
	return &given
}

// Requests returns the number of requests so far.
func (l *Lease) Requests() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests
}
