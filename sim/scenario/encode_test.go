package scenario

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEncodeIsCanonical(t *testing.T) {
	assert.Equal(t, `{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":7,"duration":"2m0s",`+
		`"elector":{"leaseDuration":"15s","renewDeadline":"10s","retryPeriod":"2s"},`+
		`"candidates":[{"name":"a"},{"name":"b","startAt":"50ms","elector":{"retryPeriod":"1s"}},{"name":"w","replicas":2,"spreadStart":"1s"}],`+
		`"actions":[{"at":"20s","act":"crash","target":"a"}]}`, string(Encode(small(t))))
}

// What means the same is written the same: empty lists and groups are left out, text is not escaped for HTML.
func TestEncodeLeavesOutWhatIsEmpty(t *testing.T) {
	s := small(t)
	plain := string(Encode(s))
	s.Expect = []Expect{}
	s.Candidates[0].Clock = &Clock{}
	s.Candidates[0].Elector = &Elector{}
	assert.Equal(t, plain, string(Encode(s)))
	s.Title = "a < b & c"
	assert.Contains(t, string(Encode(s)), `"title":"a < b & c"`)
}

func TestEncodeIndentDecodesToTheSame(t *testing.T) {
	s := small(t)
	again, err := Decode(EncodeIndent(s))
	require.NoError(t, err)
	assert.Equal(t, s, again)
}

func TestDurationIsTextWithAUnit(t *testing.T) {
	text, err := json.Marshal(Duration(9_999_999_999))
	require.NoError(t, err)
	assert.Equal(t, `"9.999999999s"`, string(text))
	var d Duration
	require.NoError(t, json.Unmarshal([]byte(`"1m30s"`), &d))
	assert.Equal(t, Duration(90*time.Second), d)
	assert.ErrorContains(t, json.Unmarshal([]byte(`15`), &d), `a duration is text with a unit, such as "15s"`)
	assert.Error(t, json.Unmarshal([]byte(`"15"`), &d))
}

func TestCloneSharesNothing(t *testing.T) {
	s := small(t)
	c := s.Clone()
	*c.Elector.LeaseDuration = 1
	c.Candidates[0].Name = "z"
	*c.Candidates[1].Elector.RetryPeriod = 1
	c.Actions[0].Act = ActStop
	assert.Equal(t, small(t), s)
}
