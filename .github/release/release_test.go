package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// program takes the place of leaselab in a small release: it prints its version and its arguments.
const program = "#!/bin/sh\necho \"leaselab version v9.8.7\"\nfor one; do echo \"<$one>\"; done\n"

// small writes the archives of a small release and its checksums, and returns the folder.
func small(t *testing.T) string {
	t.Helper()
	folder, sums := t.TempDir(), ""
	for _, system := range systems {
		name := "leaselab-v9.8.7-" + system
		var data bytes.Buffer
		if strings.HasPrefix(system, "windows") {
			zipped, file := zip.NewWriter(&data), name+".zip"
			inside, err := zipped.Create(name + "/leaselab.exe")
			require.NoError(t, err)
			_, err = io.WriteString(inside, program)
			require.NoError(t, errors.Join(err, zipped.Close()))
			name = file
		} else {
			compressed := gzip.NewWriter(&data)
			out := tar.NewWriter(compressed)
			for _, file := range []string{"leaselab", "LICENSE", "README.md", "licenses.txt"} {
				require.NoError(t, out.WriteHeader(&tar.Header{Name: name + "/" + file, Mode: 0o755, Size: int64(len(program))}))
				_, err := io.WriteString(out, program)
				require.NoError(t, err)
			}
			require.NoError(t, errors.Join(out.Close(), compressed.Close()))
			name += ".tar.gz"
		}
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), data.Bytes(), 0o644))
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(data.Bytes()), name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums), 0o644))
	return folder
}

// released returns the release under test: what `make release` made, if LEASELAB_RELEASE names its folder, or a small one
// with the command's part filled in.
func released(t *testing.T) (r release, folder, image string) {
	t.Helper()
	image, version := t.TempDir(), "v9.8.7"
	if folder = os.Getenv("LEASELAB_RELEASE"); folder == "" {
		folder = small(t)
	} else {
		images, err := filepath.Glob(filepath.Join(folder, "leaselab-v*-image.tar"))
		require.NoError(t, err)
		require.Len(t, images, 1)
		version = regexp.MustCompile(`leaselab-(v.*)-image\.tar$`).FindStringSubmatch(images[0])[1]
		out, err := exec.Command("tar", "-xf", images[0], "-C", image).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	r, err := readRelease(version, folder)
	require.NoError(t, err)
	if version == "v9.8.7" {
		require.NoError(t, r.fillIn(folder))
		require.NoError(t, r.writeImage(image, time.Unix(1e9, 0).UTC()))
	}
	return r, folder, image
}

// The image of each architecture is valid, has only leaselab, and runs it as an ordinary user. Unpacked, the program of
// this machine's architecture runs.
func TestImage(t *testing.T) {
	r, _, at := released(t)
	all, err := layout.ImageIndexFromPath(at)
	require.NoError(t, err)
	outer, err := all.IndexManifest()
	require.NoError(t, err)
	require.Len(t, outer.Manifests, 1)
	index, err := all.ImageIndex(outer.Manifests[0].Digest)
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	var platforms []string
	for i := range manifest.Manifests {
		one := &manifest.Manifests[i]
		platforms = append(platforms, one.Platform.String())
		assert.Empty(t, one.ArtifactType)
		image, err := index.Image(one.Digest)
		require.NoError(t, err)
		checkImage(t, r, image, one.Platform.Architecture)
	}
	assert.Equal(t, []string{"linux/amd64", "linux/arm64"}, platforms)
}

func checkImage(t *testing.T, r release, image v1.Image, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	require.NoError(t, err)
	assert.Equal(t, arch, config.Architecture)
	assert.Equal(t, []string{"/leaselab"}, config.Config.Entrypoint)
	assert.Equal(t, "65532:65532", config.Config.User)
	assert.Equal(t, r.Version, config.Config.Labels["org.opencontainers.image.version"])
	root, content := t.TempDir(), mutate.Extract(image)
	defer content.Close()
	var names []string
	for files := tar.NewReader(content); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		names = append(names, fmt.Sprintf("%s %o", file.Name, file.Mode))
		data, err := io.ReadAll(files)
		require.NoError(t, err)
		if file.Name != "tmp/" && file.Name != "tmp" {
			require.NoError(t, os.WriteFile(filepath.Join(root, file.Name), data, os.FileMode(file.Mode)))
		}
	}
	slices.Sort(names)
	assert.Equal(t, []string{"LICENSE 644", "leaselab 755", "licenses.txt 644", "tmp 1777"},
		strings.Split(strings.ReplaceAll(strings.Join(names, "\n"), "tmp/", "tmp"), "\n"))
	if arch != runtime.GOARCH {
		return
	}
	said, err := exec.Command(filepath.Join(root, "leaselab"), "--version").CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(said), "leaselab version "+r.Version)
}

// The same archives give the same image, and an archive without its license gives none.
func TestImageIsReproducible(t *testing.T) {
	folder := small(t)
	r, err := readRelease("v9.8.7", folder)
	require.NoError(t, err)
	var layouts [2]string
	for i := range layouts {
		to := t.TempDir()
		require.NoError(t, r.writeImage(to, time.Unix(1e9, 0).UTC()))
		index, err := os.ReadFile(filepath.Join(to, "index.json"))
		require.NoError(t, err)
		layouts[i] = string(index)
	}
	assert.Equal(t, layouts[0], layouts[1])
	arm := r.Archives["linux-arm64"]
	var empty bytes.Buffer
	require.NoError(t, gzip.NewWriter(&empty).Close())
	arm.data = empty.Bytes()
	r.Archives["linux-arm64"] = arm
	assert.ErrorContains(t, r.writeImage(t.TempDir(), time.Unix(1e9, 0)), "the archive for arm64 has 0 of the 3 files")
	require.NoError(t, os.Remove(filepath.Join(folder, "leaselab-v9.8.7-darwin-arm64.tar.gz")))
	_, err = readRelease("v9.8.7", folder)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// sumOf returns the checksum of the release's file at an address, and checks that the address is of this release.
func sumOf(t *testing.T, r release, folder, url string) string {
	t.Helper()
	assert.Equal(t, address+"/releases/download/"+r.Version, strings.TrimSuffix(url, "/"+path.Base(url)))
	data, err := os.ReadFile(filepath.Join(folder, path.Base(url)))
	require.NoError(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// The manifest for krew names every archive with its checksum, and the program and the license in it.
func TestKrew(t *testing.T) {
	r, folder, _ := released(t)
	data, err := os.ReadFile(filepath.Join(folder, "leaselab.yaml"))
	require.NoError(t, err)
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, ShortDescription string
			Platforms                 []struct {
				Selector         struct{ MatchLabels map[string]string }
				URI, SHA256, Bin string
				Files            []struct{ From, To string }
			}
		}
	}
	// krew's names are in camel case, and yaml reads lower case.
	require.NoError(t, yaml.Unmarshal(bytes.NewBuffer(regexp.MustCompile(`(apiVersion|shortDescription|matchLabels):`).
		ReplaceAllFunc(data, bytes.ToLower)).Bytes(), &plugin))
	assert.Equal(t, []string{"krew.googlecontainertools.github.io/v1alpha2", "Plugin", "leaselab"},
		[]string{plugin.APIVersion, plugin.Kind, plugin.Metadata.Name})
	assert.Equal(t, r.Version, plugin.Spec.Version)
	assert.Less(t, len(plugin.Spec.ShortDescription), 50)
	require.Len(t, plugin.Spec.Platforms, len(systems))
	for _, one := range plugin.Spec.Platforms {
		assert.Equal(t, sumOf(t, r, folder, one.URI), one.SHA256)
		system := one.Selector.MatchLabels["os"] + "-" + one.Selector.MatchLabels["arch"]
		assert.Equal(t, r.Archives[system].URL, one.URI)
		assert.Equal(t, r.Archives[system].Name+"/*", one.Files[0].From)
		assert.Equal(t, strings.HasPrefix(system, "windows"), one.Bin == "leaselab.exe")
	}
}

// Homebrew's formula names the archives of macOS and Linux with their checksums. If ruby is here, it reads the formula.
func TestFormula(t *testing.T) {
	r, folder, _ := released(t)
	file := filepath.Join(folder, "leaselab.rb")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	pairs := regexp.MustCompile(`url "([^"]+)"\n +sha256 "([0-9a-f]{64})"`).FindAllStringSubmatch(string(data), -1)
	require.Len(t, pairs, 4)
	for i, system := range []string{"darwin-arm64", "darwin-amd64", "linux-arm64", "linux-amd64"} {
		assert.Equal(t, r.Archives[system].URL, pairs[i][1])
		assert.Equal(t, sumOf(t, r, folder, pairs[i][1]), pairs[i][2])
	}
	assert.Contains(t, string(data), "\n  version \""+r.Version[1:]+"\"\n")
	if ruby, err := exec.LookPath("ruby"); err == nil {
		said, err := exec.Command(ruby, "-c", file).CombinedOutput()
		require.NoError(t, err, "%s", said)
	} else {
		fmt.Println("not run: the syntax of Homebrew's formula: ruby is missing")
	}
}

// The entry for SchemaStore has the fields of its catalog, and a file of every release as its address.
func TestSchemaStore(t *testing.T) {
	_, folder, _ := released(t)
	data, err := os.ReadFile(filepath.Join(folder, "schemastore.json"))
	require.NoError(t, err)
	var entry struct {
		Name, Description, URL string
		FileMatch              []string
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&entry))
	assert.NotEmpty(t, entry.Name)
	assert.NotEmpty(t, entry.Description)
	assert.NotEmpty(t, entry.FileMatch)
	assert.Equal(t, address+"/releases/latest/download/scenario.schema.json", entry.URL)
	if os.Getenv("LEASELAB_RELEASE") != "" {
		schema, err := os.ReadFile(filepath.Join(folder, "scenario.schema.json"))
		require.NoError(t, err)
		assert.True(t, json.Valid(schema))
	}
}
