package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// Access decides which requests the server answers. Any web page in a developer's browser can reach a server on the
// same machine: through the machine's addresses, or through host names that an attacker resolves to these addresses
// (DNS rebinding).
//
// Guarantee: no request from a page of another origin reaches the API or its objects. Non-guarantee: other programs
// send neither Origin nor Sec-Fetch headers, so Access checks only their Host.
type Access struct {
	addr   string // the host that the server listens on; "" for all addresses of the machine
	accept []*regexp.Regexp
	frames string // the page's frame-ancestors directive
}

// NewAccess returns an Access that accepts requests whose Host is loopback, the host of addr ("host:port"), or a host
// that the list accept allows. The list has host names, and regular expressions that match a whole host name, as in
// `kubectl proxy --accept-hosts`. The site's own documentation, pages that this machine serves, and pages of the
// origins in embedFrom may embed the page in a frame. An error names the flag and the malformed value.
func NewAccess(addr string, accept, embedFrom []string) (*Access, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q must be HOST:PORT, such as 127.0.0.1:8765: %w", addr, err)
	}
	a := &Access{addr: plain(host), frames: "frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"}
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
			return nil, fmt.Errorf("--accept-hosts %q must be a host name or a regular expression: %w", one, err)
		}
		a.accept = append(a.accept, compiled)
	}
	for _, origin := range embedFrom {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || origin != u.Scheme+"://"+
			u.Host || strings.ContainsAny(u.Host, " ;,'\"*") {
			return nil,
				fmt.Errorf(
					"--embed-from %q must be an origin, such as https://docs.example.com: scheme, host and optional "+
						"port only", origin)
		}
		a.frames += " " + origin
	}
	return a, nil
}

// `name` matches a host name or an address, whose dots are literal. NewAccess takes any other text as a regular
// expression.
var name = regexp.MustCompile(`^[0-9A-Za-z._:\[\]-]+$`)

// NamesIn returns the host names in a list of --accept-hosts, without the regular expressions.
func NamesIn(accept []string) []string {
	var names []string
	for _, one := range accept {
		if name.MatchString(one) {
			names = append(names, plain(one))
		}
	}
	return names
}

// `plain` returns a host name in lower case, without brackets and without a dot at the end.
func plain(host string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(host), "["), "]"), ".")
}

// API wraps the handler of the API. To a request that a foreign page may have sent, it answers 403 or 415.
func (a *Access) API(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !a.isOwnHost(r.Host):
			a.refuseHost(w, r)
		case foreign(r):
			refuse(w, http.StatusForbidden, "Forbidden",
				"the request comes from a page of another origin; the API answers only this server's own page and "+
					"programs other than browsers")
		case isUntyped(r):
			// Deviation: upstream reads a body without a media type as JSON. Any page can make a browser send such a
			// body without a preflight request. Pinned by TestAccessOfBodiesWithoutAType.
			refuse(w, http.StatusUnsupportedMediaType, "UnsupportedMediaType",
				"browsers must send the media type of a body; set the header Content-Type, for example to "+
					"application/json")
		default:
			api.ServeHTTP(w, r)
		}
	})
}

// Page wraps the handler of the page's files. To pages of other origins it answers 403, except for links and frames.
func (a *Access) Page(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		// The page itself contains the rest of its policy. In this header, that rest would also apply to the page's
		// worker, which compiles WebAssembly.
		header.Set("Content-Security-Policy", a.frames+"; base-uri 'none'; form-action 'none'")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !a.isOwnHost(r.Host):
			a.refuseHost(w, r)
		case foreign(r) && !navigates(r):
			refuse(w, http.StatusForbidden, "Forbidden",
				"the request comes from a page of another origin; other origins may only link to this page or embed "+
					"it in a frame")
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// Guarded asks a guard about each request before it passes the request on. The guard sees the path without its node. A
// browser cannot set a bearer token by itself. So a request without valid credentials gets the challenge Basic, and the
// password that the user then types counts as the token (BasicToken). The API itself ignores Basic, as upstream does.
func Guarded(guard func(*http.Request) apiserver.Guard, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := incoming.Request(incoming.WithoutNode(r), nil)
		_, refused := guard(r)(sent, sent.Attributes())
		if refused == nil {
			next.ServeHTTP(w, r)
			return
		}
		if refused.Code == http.StatusUnauthorized || r.Header.Get("Authorization") == "" {
			w.Header().Set("WWW-Authenticate", `Basic realm="any name, and a token of leaselab serve as the password"`)
			refused.Code, refused.Reason = http.StatusUnauthorized, "Unauthorized"
		}
		refuse(w, refused.Code, refused.Reason, refused.Message)
	})
}

// BasicToken makes the password of Basic credentials the bearer token of a request.
func BasicToken(r *http.Request) *http.Request {
	_, password, is := r.BasicAuth()
	if !is {
		return r
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+password)
	return r
}

// isOwnHost reports whether the Host of a request names this server. An attacker's page at http://evil.example can
// make that name resolve to 127.0.0.1. Then the browser sees a single origin, but it still sends Host:
// evil.example.
func (a *Access) isOwnHost(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = hostPort
	}
	host = plain(host)
	if host == "localhost" || (host != "" && host == a.addr) {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil && (ip.IsLoopback() || a.addr == "") {
		return true // only this server can serve a page at its own address
	}
	return slices.ContainsFunc(a.accept, func(one *regexp.Regexp) bool { return one.MatchString(host) })
}

// `foreign` reports whether a page of another origin sent a request. New browsers say so in Sec-Fetch-Site; older ones
// send an Origin with requests that may change something. Two Origins, or an Origin that is not a URL, count as
// foreign.
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

// `navigates` reports whether a browser sent a request to show a page in a tab or a frame.
func navigates(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// isUntyped reports whether a browser sent a body without a Content-Type.
func isUntyped(r *http.Request) bool {
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
	refuse(w, http.StatusForbidden, "Forbidden",
		fmt.Sprintf("this server does not accept the host %q; to accept it, start the server with --accept-hosts=%s",
			host, host))
}

// `refuse` answers with a Status.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%s,"reason":%q,`+
		`"code":%d}`+"\n", wire.Quote(nil, message), reason, code)
}
