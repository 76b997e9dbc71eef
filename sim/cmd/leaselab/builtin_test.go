//go:build site

package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A command that was built with the page serves all of it, from any folder: `make test-page` builds both and runs this.
func TestServesThePageItWasBuiltWith(t *testing.T) {
	t.Chdir(t.TempDir())
	f := serveFlags{site: "web/dist"}
	site, err := f.page()
	require.NoError(t, err)
	require.NotNil(t, site)
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	handler := openHouse(t).handler(withPage(nil, site, "", api))
	files := 0
	require.NoError(t, fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		assert.Equal(t, http.StatusOK, answer.Code, name)
		whole, err := fs.ReadFile(site, name)
		assert.True(t, bytes.Equal(whole, answer.Body.Bytes()), name)
		return err
	}))
	assert.Greater(t, files, 30)
	version, err := leaselab("--version")
	require.NoError(t, err)
	assert.Contains(t, version, "with the page")
}
