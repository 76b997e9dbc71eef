package scenario

import "strings"

// ActRequest sends any request, byte for byte, to the simulated API. To change only the Lease, ActWrite is shorter.
const ActRequest = "request"

// checkRequest checks the path, and that each header has a name. It cannot check what the API will answer, and a 404
// may be the point of the scenario.
func checkRequest(v *validator, a Action, path string) {
	if !strings.HasPrefix(a.Path, "/") {
		v.add(refuse(join(path, "path"), a.Path,
			`must begin with "/", as in "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo"`))
	}
	for i, h := range a.Headers {
		if name, _, found := strings.Cut(h, ":"); !found || strings.TrimSpace(name) == "" {
			v.add(refuse(index(join(path, "headers"), i), h, `must look like "Content-Type: application/json"`))
		}
	}
}
