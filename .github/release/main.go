// Command release makes the parts of a release that contain the checksums or the files of its archives: the OCI image,
// the krew manifest, the Homebrew formula, and the entry in SchemaStore's catalog.
//
//	go run . -version v1.2.3 -created 1700000000 -image OUT FOLDER
//
// FOLDER has the archives, as .ci/release writes them. The command writes the filled-in templates there, and the layout
// of the image to OUT. It needs no container engine and no network.
//
// Guarantee: the same archives, version and time give the same bytes, and a missing archive is an error. Non-guarantee:
// the command publishes nothing.
package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"
)

// templates are the files for the catalogs of others.
//
//go:embed templates
var templates embed.FS

// address is where the project lives.
const address = "https://github.com/leaselab/leaselab"

// systems have an archive each: GOOS-GOARCH.
var systems = []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"}

// release is a version and its archives by their systems, for the templates.
type release struct {
	Version  string
	Archives map[string]archive
}

// archive is the program for one system. Name is the folder in the archive, and the file's name without its ending.
type archive struct {
	OS, Arch, Name, Program, URL, SHA256 string
	data                                 []byte
}

// readRelease reads the archives of a version from a folder.
func readRelease(version, folder string) (release, error) {
	r := release{Version: version, Archives: map[string]archive{}}
	for _, system := range systems {
		goos, arch, _ := strings.Cut(system, "-")
		a := archive{OS: goos, Arch: arch, Name: "leaselab-" + version + "-" + system, Program: "leaselab"}
		file := a.Name + ".tar.gz"
		if goos == "windows" {
			a.Program, file = "leaselab.exe", a.Name+".zip"
		}
		var err error
		if a.data, err = os.ReadFile(filepath.Join(folder, file)); err != nil {
			return r, err
		}
		a.SHA256, a.URL = fmt.Sprintf("%x", sha256.Sum256(a.data)), address+"/releases/download/"+version+"/"+file
		r.Archives[system] = a
	}
	return r, nil
}

// fillIn writes each template to a folder.
func (r release) fillIn(folder string) error {
	all, err := template.ParseFS(templates, "templates/*")
	if err != nil {
		return err
	}
	for _, one := range all.Templates() {
		var text bytes.Buffer
		if err := one.Execute(&text, r); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, one.Name()), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run() error {
	version := flag.String("version", "", "version of the release, such as v1.2.3")
	created := flag.Int64("created", 0, "time of the image in Unix seconds")
	image := flag.String("image", "", "folder for the layout of the image")
	flag.Parse()
	if *version == "" || *image == "" || flag.NArg() != 1 {
		return fmt.Errorf("give -version, -image and the folder with the archives")
	}
	r, err := readRelease(*version, flag.Arg(0))
	if err != nil {
		return err
	}
	if err := r.fillIn(flag.Arg(0)); err != nil {
		return err
	}
	return r.writeImage(*image, time.Unix(*created, 0).UTC())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}
