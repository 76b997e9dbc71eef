package programs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// impersonates returns the user that a request asks to impersonate, and whether it asks for a resource as anyone else.
//
// Discovery is the same for all users. kubectl words a refusal there as "unknown"; the request that follows gets the sentence.
func impersonates(r *http.Request) (user string, asks bool) {
	for name := range r.Header {
		asks = asks || strings.HasPrefix(name, "Impersonate-")
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	onResource := (parts[0] == "api" && len(parts) > 2) || (parts[0] == "apis" && len(parts) > 3)
	return r.Header.Get("Impersonate-User"), asks && onResource
}

// forbid answers a request that impersonates a user with the Status that package rbac sends without roles.
//
// Deviation: upstream impersonates without RBAC, too. Pinned by TestImpersonationIsRefused.
func forbid(w http.ResponseWriter, user string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(map[string]any{ // the client is gone
		"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Failure", "reason": "Forbidden", "code": http.StatusForbidden,
		"message": fmt.Sprintf("users %q is forbidden: nobody may impersonate here, where every client is an administrator: leaselab serve --rbac FILE, without --faults, has users and roles", user),
		"details": map[string]any{"name": user, "kind": "users"},
	})
}
