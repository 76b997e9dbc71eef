// Package manifest writes a Kubernetes Indexed Job whose pods each make one shard of a study, and the recipe of their
// image.
//
// Guarantee: the objects decode strictly into the types of batch/v1 and v1, and a pod that runs again goes on from its
// file of runs. Non-guarantee: it does not create the image, the namespace or the volume claim that it names.
package manifest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// Limits of a Job.
const (
	MaxShards     = 100_000 // Indexed Jobs allow as many completions while parallelism is at most 10,000
	MaxParallel   = 10_000  // pods at a time
	maxNameLength = 63 - 7  // a pod's name adds a dash and the index
	maxConfigMap  = 1 << 20 // bytes of a ConfigMap
	resultsFolder = "/results"
)

// ScenarioFolder is where a pod finds the scenario's file, and where it runs: the arguments name the file alone.
const ScenarioFolder = "/scenario"

// Job says what to write.
type Job struct {
	Name         string // of the Job and its ConfigMap
	Namespace    string // "": that of kubectl
	Image        string
	Claim        string   // of the volume that keeps the files of runs
	CPU          string   // request of each pod, such as "1"
	Shards       int      // one pod each
	Parallel     int      // pods at a time
	Arguments    []string // of leaselab, without --shard and --resume
	ScenarioFile string   // name of the scenario's file, "" for a shipped scenario
	Scenario     []byte   // its text
}

// Dockerfile is the recipe of an image that has nothing but leaselab, linked statically.
const Dockerfile = `# An image that has nothing but leaselab. Build it where the source of leaselab is:
#   docker build -t REGISTRY/leaselab:VERSION -f Dockerfile . && docker push REGISTRY/leaselab:VERSION
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -pgo=sim/cmd/leaselab/command.pgo -ldflags='-s -w' -o /leaselab ./sim/cmd/leaselab

FROM scratch
COPY --from=build /leaselab /leaselab
USER 65532:65532
ENTRYPOINT ["/leaselab"]
`

// Name makes a name for a Job of a text: lower case letters, digits and dashes.
func Name(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), maxNameLength)], "-")
}

// quantity is what the API server accepts of a CPU request, without exponents.
var quantity = regexp.MustCompile(`^([0-9]{1,9}(\.[0-9]{1,3})?|[0-9]{1,9}m)$`)

// check returns what is wrong with a job. An error begins with the field.
func (j *Job) check() error {
	switch {
	case j.Name == "" || j.Name != Name(j.Name):
		return fmt.Errorf("name %q must be lower case letters, digits and dashes, at most %d", j.Name, maxNameLength)
	case j.Namespace != "" && len(validate.LabelName(j.Namespace, false)) > 0:
		return fmt.Errorf("namespace %q must be lower case letters, digits and dashes, at most 63", j.Namespace)
	case j.Image == "" || strings.ContainsAny(j.Image, " \t\r\n"):
		return fmt.Errorf("image %q must be the name of an image, such as registry.example/leaselab:1", j.Image)
	case len(validate.SubdomainName(j.Claim, false)) > 0:
		return fmt.Errorf("claim %q must be lower case letters, digits, dashes and dots, at most 253", j.Claim)
	case !quantity.MatchString(j.CPU) || strings.Trim(j.CPU, "0.m") == "":
		return fmt.Errorf("cpu %q must be a number of cores above 0, such as 1, 0.5 or 500m", j.CPU)
	case j.Shards < 1 || j.Shards > MaxShards:
		return fmt.Errorf("shards %d must be 1 to %d", j.Shards, MaxShards)
	case j.Parallel < 1 || j.Parallel > MaxParallel:
		return fmt.Errorf("parallel %d must be 1 to %d pods at a time", j.Parallel, MaxParallel)
	case len(j.Scenario) > maxConfigMap:
		return fmt.Errorf("image: the scenario has %d bytes; a ConfigMap holds %d: put its file into the image",
			len(j.Scenario), maxConfigMap)
	}
	return nil
}

// YAML writes the ConfigMap with the scenario, unless it is a shipped one, and the Job.
func (j *Job) YAML() (string, error) {
	if err := j.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	if j.ScenarioFile != "" {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n%sdata:\n  %s: |2\n%s---\n", j.metadata("  "),
			quoted(j.ScenarioFile), indented(string(j.Scenario), "    "))
	}
	fmt.Fprintf(&b, `apiVersion: batch/v1
kind: Job
metadata:
%sspec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 6
  template:
    metadata:
      labels: {app.kubernetes.io/name: leaselab, app.kubernetes.io/instance: %s}
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: leaselab
          image: %s
%s          args:
%s          resources:
            requests: {cpu: %s, memory: 256Mi}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
            - {name: results, mountPath: %s}
%s      volumes:
        - name: results
          persistentVolumeClaim: {claimName: %s}
%s`, j.metadata("  "), j.Shards, j.Parallel, quoted(j.Name), quoted(j.Image),
		j.ifFile("          workingDir: "+ScenarioFolder+"\n"), j.arguments(), quoted(j.CPU), resultsFolder,
		j.ifFile("            - {name: scenario, mountPath: "+ScenarioFolder+", readOnly: true}\n"), quoted(j.Claim),
		j.ifFile("        - name: scenario\n          configMap: {name: "+quoted(j.Name)+"}\n"))
	return b.String(), nil
}

func (j *Job) ifFile(text string) string {
	if j.ScenarioFile == "" {
		return ""
	}
	return text
}

func (j *Job) metadata(indent string) string {
	text := indent + "name: " + quoted(j.Name) + "\n"
	if j.Namespace != "" {
		text += indent + "namespace: " + quoted(j.Namespace) + "\n"
	}
	return text + indent + "labels: {app.kubernetes.io/name: leaselab}\n"
}

// arguments writes the arguments of a pod. Kubernetes replaces $(JOB_COMPLETION_INDEX), and $$ by $.
func (j *Job) arguments() string {
	var b strings.Builder
	for _, argument := range j.Arguments {
		fmt.Fprintf(&b, "            - %s\n", quoted(strings.ReplaceAll(argument, "$(", "$$(")))
	}
	fmt.Fprintf(&b,
		"            - --shard=$(JOB_COMPLETION_INDEX)/%d\n            - --resume=%s/$(JOB_COMPLETION_INDEX).runs\n",
		j.Shards, resultsFolder)
	return b.String()
}

// quoted writes a text as a YAML string in double quotes, whose escapes are those of JSON.
func quoted(text string) string { return strconv.QuoteToASCII(text) }

func indented(text, indent string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + line)
	}
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
	return b.String()
}
