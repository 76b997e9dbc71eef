package serve

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
)

// Nodes attributes requests to nodes by their bearer tokens. A program may claim in a header to be another node, but
// it cannot have another node's token.
//
// Guarantee: a request with a node's token belongs to that node, whatever else it says. Non-guarantee: Nodes refuses
// nothing; a request with another token or without one belongs to no node.
type Nodes struct {
	byToken map[[sha256.Size]byte]string
}

// NewNodes returns Nodes that use the map tokens, from bearer tokens to names of nodes.
func NewNodes(tokens map[string]string) *Nodes {
	n := &Nodes{byToken: map[[sha256.Size]byte]string{}}
	for token, name := range tokens {
		n.byToken[sha256.Sum256([]byte(token))] = name
	}
	return n
}

// Attribute wraps a handler. In that handler, NodeOf returns the node of a request.
func (n *Nodes) Attribute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The keys of the map are hashes, so the time of a lookup reveals nothing about the tokens.
		if name, known := n.byToken[sha256.Sum256([]byte(bearer(r)))]; known {
			r = r.WithContext(context.WithValue(r.Context(), nodeKey{}, name))
		}
		next.ServeHTTP(w, r)
	})
}

type nodeKey struct{}

// NodeOf returns the node that sent a request, or "" if unknown.
func NodeOf(r *http.Request) string {
	name, _ := r.Context().Value(nodeKey{}).(string)
	return name
}

// bearer returns the token of a request's Authorization header, or "".
// Source: apiserver v0.36 pkg/authentication/request/bearertoken bearertoken.go.
func bearer(r *http.Request) string {
	parts := strings.SplitN(strings.TrimSpace(r.Header.Get("Authorization")), " ", 3)
	if len(parts) < 2 || !strings.EqualFold(parts[0], "bearer") {
		return ""
	}
	return parts[1]
}
