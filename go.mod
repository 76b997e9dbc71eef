module github.com/leaselab/leaselab

go 1.26.8

require (
	github.com/benbjohnson/clock v1.3.5
	github.com/hack-pad/safejs v0.1.0
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5
)
