// Package incoming reads the requests of Kubernetes clients for core/apiserver.
//
// Guarantee: parameters keep their order, and protobuf bodies of the served kinds become JSON. Non-guarantee: it checks nothing; the
// server refuses what it does not take.
package incoming

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Request converts an HTTP request for core/apiserver. body is what it sends; protobuf becomes JSON.
func Request(r *http.Request, body []byte) *apiserver.Request {
	q := &apiserver.Request{Method: r.Method, Path: r.URL.Path, Query: query(r.URL.RawQuery), Header: map[string]string{}}
	for name, values := range r.Header {
		q.Header[strings.ToLower(name)] = strings.Join(values, ",")
	}
	q.Body = body
	unprotobuf(q)
	return q
}

// query parses the parameters in their order, which url.Values loses.
func query(raw string) []apiserver.Param {
	var params []apiserver.Param
	for _, pair := range strings.Split(raw, "&") {
		if pair == "" || strings.Contains(pair, ";") {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		if value, err = url.QueryUnescape(value); err != nil {
			continue
		}
		params = append(params, apiserver.Param{Name: name, Value: value})
	}
	return params
}
