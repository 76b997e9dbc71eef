package apiserver

import (
	_ "embed"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

//go:embed types.txt
var typesText string

// types has the types of requests and answers that are not stored objects.
var types = wire.ParseTypes(typesText, coordination.Types)

var (
	deleteOptionsType = types["v1.DeleteOptions"]
	statusType        = types["v1.Status"]
	listMetaType      = types["v1.ListMeta"]
	frameType         = types["v1.WatchEvent"]
	rowType           = types["v1.TableRow"]
	tableType         = types["v1.Table"]
	partialListType   = types["v1.PartialObjectMetadataList"]
	groupType         = types["v1.APIGroup"]
	groupListType     = types["v1.APIGroupList"]
	coreType          = types["v1.APIVersions"]
	resourceListType  = types["v1.APIResourceList"]
	versionType       = types["version.Info"]
	aggregateType     = types["v2.APIGroupDiscoveryList"]
	scaleType         = types["v1.Scale"]
)

// versionInfo is the answer of /version: the release that this server reproduces.
// Source: kubernetes v1.36.2.
var versionInfo = wire.Map{
	"major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36", "minCompatibilityMajor": "1",
	"minCompatibilityMinor": "35",
	"gitVersion":            "v1.36.2", "gitCommit": "98b35193b2ac7a23a673325f5e9b830ecd5ba406",
	"gitTreeState": "clean",
	"buildDate":    "2026-06-01T00:00:00Z",
	"goVersion":    "go1.26.8", "compiler": "gc", "platform": "linux/amd64",
}
