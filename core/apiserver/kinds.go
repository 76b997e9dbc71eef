package apiserver

import (
	_ "embed"
	"strings"
)

// schemeKinds lists the kinds of the stable APIs in upstream's scheme, one apiVersion a line; a "+" marks kinds with a
// list type. The error for a body of such a kind differs from the error for an unknown kind.
//
// Deviation: the alpha and beta kinds of groups other than coordination.k8s.io are missing. Pinned by
// TestKindsOfBodies.
//
//go:embed scheme.txt
var schemeKinds string

// The constant everywhere lists the kinds that belong to every group and version.
const everywhere = "CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent"

// isRegistered reports whether upstream's scheme knows a kind.
func isRegistered(g *groupKind) bool {
	for line := range strings.Lines(schemeKinds) {
		if version, kinds, _ := strings.Cut(line, " "); version == g.apiVersion() {
			return isListed(kinds, g.kind) || isListed(everywhere, g.kind)
		}
	}
	return false
}

func isListed(kinds, kind string) bool {
	for _, k := range strings.Fields(kinds) {
		one, many := strings.CutSuffix(k, "+")
		if kind == one || (many && kind == one+"List") {
			return true
		}
	}
	return false
}

// goType returns the Go type of a registered kind, as errors print it.
func (g *groupKind) goType() string {
	if isListed(everywhere, g.kind) {
		return "v1." + g.kind
	}
	return g.version + "." + g.kind
}
