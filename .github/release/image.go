package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	anonymous  = "65532:65532" // the user of images that need no name for it
	temporary  = 0o1777        // permissions of /tmp: leaselab serve keeps its records there
	executable = 0o755
)

// architectures of the image. The programs in their archives need no libraries.
var architectures = []string{"amd64", "arm64"}

// inImage are the files of an archive that the image contains, each in its root, with their permissions.
var inImage = map[string]int64{"leaselab": executable, "LICENSE": 0o644, "licenses.txt": 0o644}

// runnable is an image whose entry in an index has no artifactType. The library would write the type of the config there,
// but that field is for what is not an image.
type runnable struct{ v1.Image }

// ArtifactType tells the library what to write.
func (runnable) ArtifactType() (string, error) { return "", nil }

// writeImage writes the layout of an image that contains only leaselab. The layout has one index of all architectures.
func (r release) writeImage(to string, created time.Time) error {
	all := v1.ImageIndex(mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	for _, arch := range architectures {
		one, err := r.image(arch, created)
		if err != nil {
			return err
		}
		image := runnable{one}
		platform := v1.Platform{OS: "linux", Architecture: arch}
		all = mutate.AppendManifests(all, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	at, err := layout.Write(to, empty.Index)
	if err != nil {
		return err
	}
	return at.AppendIndex(all, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.Version}))
}

// image returns the image of one architecture.
func (r release) image(arch string, created time.Time) (v1.Image, error) {
	content, err := r.layer(arch, created)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
		mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: created}, CreatedBy: address}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", arch, v1.Time{Time: created}
	config.Config = v1.Config{Entrypoint: []string{"/leaselab"}, User: anonymous, Labels: map[string]string{
		"org.opencontainers.image.source": address, "org.opencontainers.image.version": r.Version,
		"org.opencontainers.image.licenses": "Apache-2.0",
	}}
	image, err = mutate.ConfigFile(image, config)
	return mutate.ConfigMediaType(image, types.OCIConfigJSON), err
}

// layer returns the files of the image as a tar, from the archive of its architecture.
func (r release) layer(arch string, created time.Time) ([]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(r.Archives["linux-"+arch].data))
	if err != nil {
		return nil, err
	}
	var layer bytes.Buffer
	files, out, found := tar.NewReader(unzipped), tar.NewWriter(&layer), 0
	if err := out.WriteHeader(&tar.Header{Name: "tmp/", Mode: temporary, ModTime: created}); err != nil {
		return nil, err
	}
	for {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		name := path.Base(file.Name)
		mode, wanted := inImage[name]
		if !wanted {
			continue
		}
		found++
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: file.Size, ModTime: created}); err != nil {
			return nil, err
		}
		if _, err := io.Copy(out, files); err != nil {
			return nil, err
		}
	}
	if found != len(inImage) {
		return nil, fmt.Errorf("the archive for %s has %d of the %d files of the image", arch, found, len(inImage))
	}
	return layer.Bytes(), out.Close()
}
