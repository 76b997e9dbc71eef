package incoming

import (
	"net/http"
	"strings"
)

// NodesPath begins the path of a node's requests if nothing else in the request names the node: the server in the
// node's kubeconfig is http://HOST:PORT/leaselab/nodes/NAME. No Kubernetes API has this path.
const NodesPath = "/leaselab/nodes/"

// NodeHeader names the node that sends a request.
const NodeHeader = "X-Leaselab-Node"

// nodeToken precedes the name of a node in a bearer token, and in a field of a user agent.
const nodeToken = "node-"

// NodeOf returns the name of the node that a request claims to come from, or "". It looks at the path (NodesPath),
// the header NodeHeader, the bearer token node-NAME, and a field node-NAME in the user agent, in this order.
// client-go sends no token over plain HTTP, so a kubeconfig without TLS needs the path.
//
// Non-guarantee: a client can claim to be any node.
func NodeOf(r *http.Request) string {
	if name, _, ok := nodePath(r.URL.Path); ok {
		return name
	}
	if name := r.Header.Get(NodeHeader); name != "" {
		return name
	}
	if token, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); is {
		if name, is := strings.CutPrefix(strings.TrimSpace(token), nodeToken); is {
			return name
		}
	}
	for _, field := range strings.FieldsFunc(r.UserAgent(), func(c rune) bool { return c == ' ' || c == '/' }) {
		if name, is := strings.CutPrefix(field, nodeToken); is {
			return name
		}
	}
	return ""
}

// WithoutNode returns the request for the API, without the node's path and header.
func WithoutNode(r *http.Request) *http.Request {
	plain := r.Clone(r.Context())
	if path := PathOf(r); path != r.URL.Path {
		plain.URL.Path, plain.URL.RawPath = path, ""
	}
	plain.Header.Del(NodeHeader)
	return plain
}

// PathOf returns the path of a request without the node's path before it.
func PathOf(r *http.Request) string {
	if _, rest, ok := nodePath(r.URL.Path); ok {
		return rest
	}
	return r.URL.Path
}

// nodePath splits a path under NodesPath into the node's name and the rest, which begins with a slash.
func nodePath(path string) (name, rest string, ok bool) {
	after, is := strings.CutPrefix(path, NodesPath)
	if !is {
		return "", "", false
	}
	name, rest, _ = strings.Cut(after, "/")
	return name, "/" + rest, name != ""
}
