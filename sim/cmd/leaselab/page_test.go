package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The service worker stores every file of the site by its name, so each must answer under its own name, including an
// index.html in a folder.
func TestEveryFileOfTheSiteIsServedByItsName(t *testing.T) {
	site := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(site, "docs"), 0o755))
	for _, name := range []string{"index.html", "docs/index.html", "docs/acts.html"} {
		require.NoError(t, os.WriteFile(filepath.Join(site, name), []byte("<title>"+name+"</title>"), 0o644))
	}
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	handler := besidePage(api, compressed(http.FileServerFS(os.DirFS(site))), os.DirFS(site))
	for _, name := range []string{"index.html", "docs/index.html", "docs/acts.html"} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+name, nil))
		assert.Equal(t, http.StatusOK, answer.Code, name)
		assert.Contains(t, answer.Body.String(), name)
	}
}

// The page comes from --site if it is given, else from the command itself, else from the default folder; without any there is none.
func TestWhereThePageComesFrom(t *testing.T) {
	built := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(built, "index.html"), nil, 0o644))
	given := serveFlags{site: built, siteGiven: true}
	site, err := given.page()
	require.NoError(t, err)
	assert.NotNil(t, site)
	missing := serveFlags{site: t.TempDir(), siteGiven: true}
	_, err = missing.page()
	assert.ErrorContains(t, err, "make site")
	for _, f := range []serveFlags{{site: ""}, {site: "", siteGiven: true}} {
		site, err = f.page()
		require.NoError(t, err)
		assert.Nil(t, site)
	}
	byDefault := serveFlags{site: t.TempDir()}
	site, err = byDefault.page()
	require.NoError(t, err)
	assert.Equal(t, builtIn() != nil, site != nil)
}
