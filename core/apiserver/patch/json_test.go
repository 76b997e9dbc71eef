package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// copies returns a patch that copies /a n times into the list /b.
func copies(n int) []byte {
	return []byte("[" + strings.Repeat(`{"op":"copy","from":"/a","path":"/b/-"},`, n-1) + `{"op":"copy","from":"/a","path":"/b/-"}]`)
}

// JSON counts the bytes of every copy, into lists and objects, independently of the library's own limit.
func TestCopiesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it copies 30 MiB: runs without -short")
	}
	const size = 512 << 10
	object := fmt.Appendf(nil, `{"a":"%s","b":[]}`, strings.Repeat("x", size-2)) // the quotes count
	fine, err := JSON(object, copies(MaxCopyBytes/size), 0)
	require.NoError(t, err)
	require.Greater(t, len(fine), MaxCopyBytes)
	_, err = JSON(object, copies(MaxCopyBytes/size+1), 0)
	require.Equal(t, errCopied, err)

	doubling := []byte("[" + strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 40) + `{"op":"test","path":"/c","value":1}]`)
	_, err = JSON([]byte(`{"a":[1],"c":1}`), doubling, 0)
	tooLarge := TooLarge("the copies of the patch read more than 3145728 bytes")
	require.Equal(t, tooLarge, err)

	// JSON counts copies of unpatched values in advance, however large the object is, and copies of patched values one
	// by one.
	wide := fmt.Appendf(nil, `{"a":1,"b":[1],"c":"%s"}`, strings.Repeat("x", 1<<20))
	_, err = JSON(wide, copies(20), 0)
	require.NoError(t, err)
	_, err = JSON(wide, []byte(strings.ReplaceAll(string(copies(20)), `"/a"`, `"/b/0"`)), 0)
	require.Equal(t, tooLarge, err)
}

// Going from copy to copy gives the same result as one call of the library.
func TestCopiesOneByOne(t *testing.T) {
	patch := []byte(`[{"op":"add","path":"/c","value":{"<d>":1.50}},` + strings.Repeat(`{"op":"copy","from":"/c","path":"/b/0"},`, 14) +
		`{"op":"remove","path":"/b/1"},{"op":"copy","from":"/b","path":"/e"},{"op":"test","path":"/e/0","value":{"<d>":1.50}}]`)
	for _, padding := range []int{0, 1 << 10} {
		object := fmt.Appendf(nil, `{"a":"%s","b":["é"]}`, strings.Repeat("x", padding))
		got, err := JSON(object, patch, 0)
		require.NoError(t, err)
		list := strings.Repeat(`{"\u003cd\u003e":1.50},`, 13) + `"é"`
		want := fmt.Sprintf(`{"a":"%s","b":[%s],"c":{"\u003cd\u003e":1.50},"e":[%s]}`, strings.Repeat("x", padding), list, list)
		require.Equal(t, want, string(got))
	}
}

func TestErrors(t *testing.T) {
	for patch, want := range map[string]error{
		`{}`: Malformed("json: cannot unmarshal object into Go value of type jsonpatch.Patch"),
		`[{"op":"copy","from":"/none","path":"y/z"},{"op":"test","path":""}]`: ErrCrash,
		`[{"op":"add","path":"/a","value":[[[]]]}]`:                           ErrTooDeep,
		`[{"op":"test","path":"/a","value":2}]`:                               Rejected("testing value /a failed: test failed"),
	} {
		_, err := JSON([]byte(`{"a":1}`), []byte(patch), 3)
		require.Equal(t, want, err, patch)
	}
	_, err := JSON([]byte(`{}`), copies(MaxOperations+1), 0)
	require.Equal(t, TooLarge("The allowed maximum operations in a JSON patch is 10000, got 10001"), err)
}

// boundCopies never allows more than the library really adds.
func TestCopiedBytesHaveAnUpperBound(t *testing.T) {
	object := []byte(`{"a":"text","b":["x",{"y":1}],"c":{"d/e":[1,2,3],"~":"t"}}`)
	for _, patch := range []string{
		`[{"op":"copy","from":"/a","path":"/z"}]`,
		`[{"op":"copy","from":"/c/d~1e","path":"/b/0"},{"op":"copy","from":"/b/1","path":"/b/0"}]`,
		`[{"op":"copy","from":"/b/0","path":"/b/-"},{"op":"copy","from":"/b","path":"/b/-"},{"op":"copy","from":"/b","path":"/b/-"}]`,
		`[{"op":"add","path":"/c/~0","value":{"long":"value, longer than before"}},{"op":"copy","from":"/c","path":"/e"}]`,
		`[{"op":"move","from":"/c","path":"/a"},{"op":"copy","from":"/a","path":"/e"}]`,
		`[{"op":"remove","path":"/b/0"},{"op":"copy","from":"/b/0","path":"/e"}]`,
		`[{"op":"copy","from":"","path":"/e"}]`,
	} {
		operations, err := jsonpatch.DecodePatch([]byte(patch))
		require.NoError(t, err)
		after, err := operations.Apply(object)
		if err != nil {
			continue // the library cannot copy the whole object
		}
		added := len(after) - len(object) - len(patch) // includes names, commas and values of the patch
		within, _ := boundCopies(operations, object, len(patch), added-1)
		require.Less(t, within, len(operations), patch)
	}
}

// JSON soon refuses a patch with many copies of a large value. An earlier failure counts first.
func TestManyCopiesOfALargeValue(t *testing.T) {
	object := []byte(`{"a":"` + strings.Repeat("x", 1<<20) + `","b":1}`)
	many := func(before string) []byte {
		return []byte("[" + before + strings.Repeat(`{"op":"copy","from":"/a","path":"/c"},`, 5000) + `{"op":"test","path":"/b","value":1}]`)
	}
	_, err := JSON(object, many(""), 0)
	require.Equal(t, errCopied, err)
	_, err = JSON(object, many(`{"op":"test","path":"/b","value":2},`), 0)
	require.Equal(t, Rejected("testing value /b failed: test failed"), err)
}
