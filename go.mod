module github.com/leaselab/leaselab

go 1.26.8

require (
	github.com/benbjohnson/clock v1.3.5
	github.com/blang/semver/v4 v4.0.0
	github.com/google/jsonschema-go v0.4.2
	github.com/hack-pad/safejs v0.1.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.10
	github.com/stretchr/testify v1.12.1
	go.etcd.io/bbolt v1.5.0
	go.yaml.in/yaml/v3 v3.0.5
	golang.org/x/sys v0.47.0
	gopkg.in/evanphx/json-patch.v4 v4.13.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	go.yaml.in/yaml/v2 v2.4.4 // indirect
)
