package scenario

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// imported reads a Deployment that has these fields in its spec.
func imported(t *testing.T, spec string) Scenario {
	t.Helper()
	s, err := Decode(Imported([]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{` +
		spec + `}}`)))
	require.NoError(t, err)
	return s
}

func TestImportedDeployment(t *testing.T) {
	s := imported(t, `"replicas":5,"minReadySeconds":4,"selector":{},"strategy":{"type":"RollingUpdate","rollingUpdate":
		{"maxSurge":"30%","maxUnavailable":1}},"template":{"spec":{"terminationGracePeriodSeconds":45,"containers":[
		{"name":"main","args":["--leader-elect","--leader-elect-lease-duration=30s","--leader-elect-renew-deadline","20s"],
		"lifecycle":{"preStop":{"exec":{"command":["sh","-c","sleep 7"]}}},
		"readinessProbe":{"initialDelaySeconds":3,"httpGet":{"path":"/leaderz"}}}]}}`)
	a := s.Actions[0]
	assert.Equal(t, Action{At: updateAt, Act: ActRollingUpdate, MaxSurge: new(2), MaxUnavailable: new(1),
		Every: Duration(7 * time.Second), Grace: Duration(45 * time.Second), PreStop: Duration(7 * time.Second),
		Readiness: ReadinessLeader}, a)
	assert.Equal(t, []Candidate{{Name: "web", Replicas: 5}}, s.Candidates)
	assert.Equal(t, [2]Duration{Duration(30 * time.Second), Duration(20 * time.Second)},
		[2]Duration{*s.Elector.LeaseDuration, *s.Elector.RenewDeadline})
	assert.Contains(t, s.Summary, "Only the leader")
	assert.True(t, strings.HasSuffix(s.Summary, "Not read: spec.selector, spec.template.spec.containers[0].name."),
		s.Summary)
	assert.NotContains(t, s.Summary, "client-go's defaults")
}

// Kubernetes' defaults fill in missing fields. The summary lists a field with an unexpected form.
func TestImportedDefaults(t *testing.T) {
	for spec, want := range map[string]struct {
		surge, unavailable int
		says, saysNot      string
	}{
		``:                            {1, 0, "client-go's defaults", "Not read"},
		`"replicas":8`:                {2, 2, "maxSurge is 2 and maxUnavailable 2 of 8", "Not read"},
		`"replicas":"8"`:              {1, 0, "Not read: spec.replicas.", "of 8"},
		`"strategy":{"type":"Other"}`: {0, 1, "Not read: spec.strategy.", "spec.strategy.type"},
		`"strategy":{"rollingUpdate":{"maxSurge":"many","maxUnavailable":1}}`: {1, 1,
			"Not read: spec.strategy.rollingUpdate.maxSurge.", "maxUnavailable,"},
		`"template":{"spec":{"containers":[{"lifecycle":{"preStop":{"httpGet":{}}}}]}}`: {1, 0,
			"Not read: spec.template", "Only the leader"},
	} {
		s := imported(t, spec)
		assert.Equal(t, [2]int{want.surge, want.unavailable},
			[2]int{*s.Actions[0].MaxSurge, *s.Actions[0].MaxUnavailable}, spec)
		assert.Contains(t, s.Summary, want.says, spec)
		assert.NotContains(t, s.Summary, want.saysNot, spec)
	}
}

// Other documents do not change. Decode refuses a Deployment that makes no valid scenario.
func TestImportedLeavesTheRest(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `{"kind":"Scenario","name":"Deployment"}`, `"Deployment"`} {
		assert.Equal(t, text, string(Imported([]byte(text))))
	}
	_, err := Decode(Imported([]byte(`{"kind":"Deployment","spec":{"replicas":100000}}`)))
	assert.ErrorContains(t, err, "candidates")
}
