package serve

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// Access says who gets answers. A server on a developer's machine can be reached by every page that is open in a browser
// there, under the machine's addresses and under names that were made to lead there (DNS rebinding).
//
// Guarantee: what a page of another origin sends, in whatever way, reaches neither the API nor what is stored. Programs
// that are no browsers send neither Origin nor Sec-Fetch headers, and only their Host is looked at.
type Access struct {
	addr   string // host that the server listens on, "" for every address of the machine
	accept []*regexp.Regexp
	frames string // the directive frame-ancestors of the page
	alone  bool   // nobody may frame the page
}

// NewAccess lets in requests whose Host is loopback, the host of addr, or one of accept: host names, or regular expressions
// for a whole host name as `kubectl proxy --accept-hosts` has them. Pages of the origins in embedFrom may show the page in a
// frame.
func NewAccess(addr string, accept, embedFrom []string) (*Access, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q must be HOST:PORT, as 127.0.0.1:8001: %w", addr, err)
	}
	a := &Access{addr: plain(host), frames: "frame-ancestors 'none'", alone: true}
	if ip, err := netip.ParseAddr(a.addr); err == nil && ip.IsUnspecified() {
		a.addr = ""
	}
	for _, one := range accept {
		expression := "(?i)^(?:" + one + ")$"
		if name.MatchString(one) {
			expression = "(?i)^" + regexp.QuoteMeta(plain(one)) + "$"
		}
		compiled, err := regexp.Compile(expression)
		if err != nil {
			return nil, fmt.Errorf("--accept-hosts %q must be a host name or a regular expression for one: %w", one, err)
		}
		a.accept = append(a.accept, compiled)
	}
	for i, origin := range embedFrom {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || origin != u.Scheme+"://"+u.Host || strings.ContainsAny(u.Host, " ;,'\"*") {
			return nil, fmt.Errorf("--embed-from %q must be an origin, as https://docs.example.com: scheme, host and port, nothing else", origin)
		}
		if i == 0 {
			a.frames, a.alone = "frame-ancestors", false
		}
		a.frames += " " + origin
	}
	return a, nil
}

// name is a host name or an address without any wildcard: its dots are dots.
var name = regexp.MustCompile(`^[0-9A-Za-z._:\[\]-]+$`)

// plain is a host in the form that is compared: without brackets and the dot at the end.
func plain(host string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(host), "["), "]"), ".")
}

// API answers requests to the API for those who may send them.
func (a *Access) API(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !a.known(r.Host):
			a.refuseHost(w, r)
		case foreign(r):
			refuse(w, http.StatusForbidden, "Forbidden", "a page of another origin sent this request; only pages of this server and programs that are no browsers get answers")
		case untyped(r):
			// Deviation: upstream reads a body without a media type as JSON. From a browser it may come from any page, without
			// a preflight. Pinned by TestAccessOfBodiesWithoutAType.
			refuse(w, http.StatusUnsupportedMediaType, "UnsupportedMediaType", "a body that a browser sends must name its media type: set the header Content-Type, as to application/json")
		default:
			api.ServeHTTP(w, r)
		}
	})
}

// Page answers requests for the files of the page: its own, and links and frames on pages elsewhere.
func (a *Access) Page(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		// The rest of the page's policy stands in the page. Here it would be the worker's, too, which compiles WebAssembly.
		header.Set("Content-Security-Policy", a.frames+"; base-uri 'none'; form-action 'none'")
		if a.alone {
			header.Set("X-Frame-Options", "DENY")
		}
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !a.known(r.Host):
			a.refuseHost(w, r)
		case foreign(r) && !navigates(r):
			refuse(w, http.StatusForbidden, "Forbidden", "a page of another origin asked for this file; from elsewhere only links and frames are answered")
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// known reports whether the Host of a request is one of this server's.
func (a *Access) known(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = hostPort
	}
	host = plain(host)
	if host == "localhost" || (host != "" && host == a.addr) {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil && (ip.IsLoopback() || a.addr == "") {
		return true // nobody but the server itself can have a page at its address
	}
	for _, one := range a.accept {
		if one.MatchString(host) {
			return true
		}
	}
	return false
}

// foreign reports whether a page of another origin sent a request.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return true
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return false
	}
	u, err := url.Parse(origins[0])
	return err != nil || len(origins) > 1 || u.Host == "" || !strings.EqualFold(u.Host, r.Host)
}

// navigates reports whether a browser opens a page, in a tab or in a frame.
func navigates(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// untyped reports whether a browser sent a body without saying what it is.
func untyped(r *http.Request) bool {
	if r.ContentLength == 0 || r.Header.Get("Content-Type") != "" {
		return false
	}
	for name := range r.Header {
		if name == "Origin" || strings.HasPrefix(name, "Sec-Fetch-") {
			return true
		}
	}
	return false
}

func (a *Access) refuseHost(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	refuse(w, http.StatusForbidden, "Forbidden", fmt.Sprintf("the host %q is not one of this server's; if it should be, start it with --accept-hosts=%s", host, host))
}

// refuse answers with a Status.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	type status struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   struct{} `json:"metadata"`
		Status     string   `json:"status"`
		Message    string   `json:"message"`
		Reason     string   `json:"reason"`
		Code       int      `json:"code"`
	}
	body, err := json.Marshal(status{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: message, Reason: reason, Code: code})
	if err != nil {
		panic(err) // texts and a number
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(code)
	_, _ = w.Write(append(body, '\n')) // the client has gone: nothing to tell it
}
