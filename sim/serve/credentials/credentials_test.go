//go:build !js

package credentials_test

import (
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/serve/credentials"
)

// A made certificate is valid for the names that a client may use, by its authority only, now and for a year.
func TestMake(t *testing.T) {
	now := time.Now()
	made, err := credentials.Make([]string{"lab.example", "10.1.2.3", "127.0.0.1", "localhost"}, now)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(made.TLS.Certificate[0])
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(made.Authority))
	for host, fine := range map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "lab.example": true, "10.1.2.3": true, "other.example": false, "10.1.2.4": false} {
		_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host, CurrentTime: now})
		assert.Equal(t, fine, err == nil, "%s: %v", host, err)
	}
	for age, fine := range map[time.Duration]bool{-59 * time.Minute: true, -2 * time.Hour: false, 364 * 24 * time.Hour: true, 366 * 24 * time.Hour: false} {
		_, err := leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now.Add(age)})
		assert.Equal(t, fine, err == nil, "%s: %v", age, err)
	}
	assert.Len(t, leaf.IPAddresses, 3, "no address twice")
	assert.Equal(t, []string{"localhost", "lab.example"}, leaf.DNSNames)

	everywhere, err := credentials.Make([]string{"0.0.0.0"}, now)
	require.NoError(t, err)
	leaf, err = x509.ParseCertificate(everywhere.TLS.Certificate[0])
	require.NoError(t, err)
	own, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, one := range own {
		assert.NoError(t, leaf.VerifyHostname(one.(*net.IPNet).IP.String()))
	}
	second, err := credentials.Make(nil, now)
	require.NoError(t, err)
	assert.NotEqual(t, made.Authority, second.Authority)
}

// pemFiles writes a new certificate and its key.
func pemFiles(t *testing.T, now time.Time) (certificate, key string) {
	t.Helper()
	made, err := credentials.Make(nil, now)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(made.TLS.PrivateKey)
	require.NoError(t, err)
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.TLS.Certificate[0]})
	certificate, key = filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	require.NoError(t, os.WriteFile(certificate, append(chain, made.Authority...), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600))
	return certificate, key
}

// Load takes what Make has made, and says of every other file what is wrong with it.
func TestLoad(t *testing.T) {
	now := time.Now()
	certificate, key := pemFiles(t, now)
	got, err := credentials.Load(certificate, key, now)
	require.NoError(t, err)
	assert.Len(t, got.TLS.Certificate, 2)
	data, err := os.ReadFile(certificate)
	require.NoError(t, err)
	assert.Contains(t, string(data), string(got.Authority))

	_, other := pemFiles(t, now)
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, c := range []struct {
		certificate, key string
		at               time.Time
		says             string
	}{
		{certificate, "", now, "belong together"},
		{"", key, now, "belong together"},
		{"/none", key, now, "--tls-cert-file: open /none"},
		{certificate, "/none", now, "--tls-private-key-file: open /none"},
		{empty, key, now, "must contain certificates as PEM"},
		{key, key, now, "must contain certificates as PEM"},
		{certificate, empty, now, "must contain an unencrypted private key"},
		{certificate, certificate, now, "must contain an unencrypted private key"},
		{certificate, other, now, "is not the key of --tls-cert-file"},
		{certificate, key, now.Add(366 * 24 * time.Hour), "expired on"},
	} {
		_, err := credentials.Load(c.certificate, c.key, c.at)
		require.ErrorContains(t, err, c.says)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A kubeconfig file is for its owner only, keeps its token over restarts, and replaces no file of others.
func TestKubeconfig(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "lab.yaml")
	token := credentials.TokenAt(path)
	assert.Len(t, token, 32)
	assert.NotEqual(t, token, credentials.TokenAt(path), "there is no file yet")
	k := credentials.Kubeconfig{Server: "https://127.0.0.1:1", User: "admin", Token: token, Authority: []byte("x")}
	require.NoError(t, k.Write(path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	assert.Equal(t, token, credentials.TokenAt(path))
	k.Server = "https://127.0.0.1:2"
	require.NoError(t, k.Write(path), "it replaces its own file")
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(written), "https://127.0.0.1:2")
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file stays")

	for name, content := range map[string]string{
		"another tool's": "apiVersion: v1\nkind: Config\nclusters: [{name: prod}]\nusers: [{name: me}]\ncontexts: [{name: prod}]\n",
		"added to":       strings.Replace(string(written), "users:\n", "users:\n- name: mine\n", 1),
		"not YAML":       "\t{",
		"empty":          "",
	} {
		path := filepath.Join(t.TempDir(), "config")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		assert.ErrorContains(t, k.Write(path), "so leaselab left it alone", name)
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, content, string(kept), name)
	}
	link := filepath.Join(folder, "link")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, k.Write(link))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, path, to, "the link stays")
	require.NoError(t, os.Remove(path))
	assert.ErrorContains(t, k.Write(link), "which is missing; name that file")
	assert.ErrorContains(t, k.Write(folder), "not a regular file")
	assert.ErrorContains(t, k.Write(filepath.Join(folder, "none", "lab.yaml")), "create the folder first")
	assert.Equal(t, "x/lab-a.yaml", credentials.PathOf("x/lab.yaml", "a"))
	assert.Equal(t, "x.d/lab-a", credentials.PathOf("x.d/lab", "a"))
}
