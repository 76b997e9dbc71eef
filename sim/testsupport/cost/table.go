package cost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Cases returns all kinds of requests that could keep a server busy.
func Cases() []Case {
	return slices.Concat(metadataBodies(), otherBodies(), strategicPatches(), mergePatches(), jsonPatches(), applies(), reads())
}

// metadataBodies returns create requests with a lot of metadata.
func metadataBodies() []Case {
	return []Case{
		{Name: "create, labels", Full: 160_000, Request: func(n int) apiserver.Request { return create(labels(n)) }},
		{Name: "create, refused label keys", Full: 160_000, Request: func(n int) apiserver.Request {
			return create(`"labels":{` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"-%d":"-"`, i) }) + `}`)
		}},
		{Name: "create, annotations", Full: 160_000, Request: func(n int) apiserver.Request {
			return create(`"annotations":{` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"l%d":""`, i) }) + `}`)
		}},
		{Name: "create, finalizers", Full: 240_000, Request: func(n int) apiserver.Request { return create(finalizers(n)) }},
		{Name: "create, refused finalizers", Full: 200_000, Request: func(n int) apiserver.Request {
			return create(`"finalizers":[` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"-/%d-"`, i) }) + `]`)
		}},
		{Name: "create, the same finalizer", Full: 1_000_000, Request: func(n int) apiserver.Request {
			return create(`"finalizers":[` + joinTexts(n, func(int) string { return `""` }) + `]`)
		}},
		{Name: "create, owners", Full: 45_000, Request: func(n int) apiserver.Request { return create(owners(n)) }},
		{Name: "create, owners with one uid", Full: 45_000, Request: func(n int) apiserver.Request {
			return create(`"ownerReferences":[` + joinTexts(n, func(i int) string {
				return fmt.Sprintf(`{"apiVersion":"v1","kind":"P","name":"%d","uid":"u"}`, i)
			}) + `]`)
		}},
		{Name: "create, owners that are controllers", Full: 30_000, Request: func(n int) apiserver.Request {
			return create(`"ownerReferences":[` + joinTexts(n, func(i int) string {
				return fmt.Sprintf(`{"apiVersion":"v1","kind":"P","name":"%d","uid":"%d","controller":true}`, i, i)
			}) + `]`)
		}},
		{Name: "create, owners without members", Full: 1_000_000, Request: func(n int) apiserver.Request {
			return create(`"ownerReferences":[` + joinTexts(n, func(int) string { return `{}` }) + `]`)
		}},
		{Name: "create, managedFields", Full: 45_000, Request: func(n int) apiserver.Request {
			return create(`"managedFields":[` + joinTexts(n, func(i int) string {
				return fmt.Sprintf(`{"manager":"%d","operation":"Update","fieldsV1":{}}`, i)
			}) + `]`)
		}},
		{Name: "create, one entry of managedFields", Full: 170_000, Request: func(n int) apiserver.Request {
			return create(`"managedFields":[{"manager":"m","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2026-10-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{` +
				joinTexts(n, func(i int) string { return fmt.Sprintf(`"f:l%d":{}`, i) }) + `}}}}]`)
		}},
		{Name: "create, refused managedFields", Full: 1_000_000, Request: func(n int) apiserver.Request {
			return create(`"managedFields":[` + joinTexts(n, func(int) string { return `{}` }) + `]`)
		}},
	}
}

// otherBodies returns create requests with repeated, deep or YAML members.
func otherBodies() []Case {
	return []Case{
		{Name: "create, unknown fields", Full: 200_000, Request: func(n int) apiserver.Request {
			return create(joinTexts(n, func(i int) string { return fmt.Sprintf(`"u%d":1`, i) }))
		}},
		{Name: "create, repeated fields", Full: 200_000, Request: func(n int) apiserver.Request {
			return create(joinTexts(n, func(int) string { return `"name":"x"` }))
		}},
		{Name: "create, a list of numbers", Full: 1_500_000, Request: func(n int) apiserver.Request {
			return create(`"u":[` + joinTexts(n, func(int) string { return `1` }) + `]`)
		}},
		{Name: "create, deep", Full: 9_000, Request: func(n int) apiserver.Request { return create(`"a":` + nest(n, "1")) }},
		{Name: "create, deep managedFields", Full: 9_000, Request: func(n int) apiserver.Request {
			return create(`"managedFields":[{"manager":"m","operation":"Update","fieldsV1":` + strings.ReplaceAll(nest(n, "{}"), `"a"`, `"f:a"`) + `}]`)
		}},
		{Name: "create, wide YAML", Full: 280_000, Request: func(n int) apiserver.Request {
			var b strings.Builder
			b.WriteString("metadata:\n  name: x\n  labels:\n")
			for i := range n {
				fmt.Fprintf(&b, "   a%d: \n", i)
			}
			return request("POST", leases, asYAML, b.String())
		}},
		{Name: "create, deep YAML", Full: 9_000, Request: func(n int) apiserver.Request {
			return request("POST", leases, asYAML, "metadata: {name: x, a: "+strings.Repeat("[", n)+strings.Repeat("]", n)+"}\n")
		}},
		{Name: "create, YAML with anchors", Full: 100_000, Request: func(n int) apiserver.Request {
			return request("POST", leases, asYAML, "metadata: {name: x}\na: &a [1,1,1,1,1,1,1,1]\nb: ["+joinTexts(n, func(int) string { return " *a" })+"]\n")
		}},
	}
}

// strategicPatches returns strategic merge patches.
func strategicPatches() []Case {
	strategicList := func(list, name string) func(n int) apiserver.Request {
		return func(n int) apiserver.Request {
			return patch(asStrategic, fmt.Sprintf(`{"metadata":{"$%s/finalizers":[%s]}}`, list, joinTexts(n, func(i int) string { return fmt.Sprintf(name, i) })))
		}
	}
	return []Case{
		{Name: "strategic, owners onto owners", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{`+owners(n)+`}}`)
		}},
		{Name: "strategic, new owners onto owners", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"ownerReferences":[`+joinTexts(n, func(i int) string { return owner(1_000_000 + i) })+`]}}`)
		}},
		{Name: "strategic, a hundred owners onto owners", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"ownerReferences":[`+joinTexts(100, func(i int) string { return owner(1_000_000 + i) })+`]}}`)
		}},
		{Name: "strategic, owners deleted", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"ownerReferences":[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`{"$patch":"delete","uid":"%d"}`, i) })+`]}}`)
		}},
		{Name: "strategic, owners in an order", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"$setElementOrder/ownerReferences":[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`{"uid":"%d"}`, n-i) })+`]}}`)
		}},
		{Name: "strategic, finalizers onto finalizers", Full: 240_000, Prepare: with(finalizers), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{`+finalizers(n)+`}}`)
		}},
		{Name: "strategic, new finalizers onto finalizers", Full: 200_000, Prepare: with(finalizers), Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"finalizers":[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`"b/%d"`, i) })+`]}}`)
		}},
		{Name: "strategic, each finalizer twice", Full: 200_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"finalizers":[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`"a/%d"`, i%(n/2+1)) })+`]}}`)
		}},
		{Name: "strategic, finalizers deleted", Full: 240_000, Prepare: with(finalizers), Request: strategicList("deleteFromPrimitiveList", `"a/%d"`)},
		{Name: "strategic, finalizers in an order", Full: 240_000, Prepare: with(finalizers), Request: strategicList("setElementOrder", `"a/%d"`)},
		{Name: "strategic, keys retained", Full: 200_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"metadata":{"$retainKeys":[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`"k%d"`, i) })+`]}}`)
		}},
		{Name: "strategic, deep", Full: 9_000, Prepare: empty, Request: func(n int) apiserver.Request { return patch(asStrategic, `{"a":`+nest(n, "1")+`}`) }},
		{Name: "strategic, deep and refused", Full: 3_000_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asStrategic, `{"a":[`+joinTexts(n/8, func(i int) string { return fmt.Sprintf(`%d,"s"`, i%10) })+`]}`)
		}},
	}
}

// mergePatches returns merge patches as in RFC 7386.
func mergePatches() []Case {
	return []Case{
		{Name: "merge, deep", Full: 9_000, Prepare: empty, Request: func(n int) apiserver.Request { return patch(asMerge, nest(n, "1")) }},
		{Name: "merge, deep and long", Full: 900, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asMerge, nest(n, `"`+strings.Repeat("x", 3200*n)+`"`))
		}},
		{Name: "merge, wide", Full: 200_000, Prepare: with(labels160), Request: func(n int) apiserver.Request { return patch(asMerge, `{"metadata":{`+labels(n)+`}}`) }},
		{Name: "merge, owners", Full: 45_000, Prepare: with(owners), Request: func(n int) apiserver.Request { return patch(asMerge, `{"metadata":{`+owners(n)+`}}`) }},
		{Name: "merge, lists of objects", Full: 400_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asMerge, `{"a":[`+joinTexts(n, func(int) string { return `{"a":1}` })[:min(8*n-1, 3_100_000/8*8-1)]+`]}`)
		}},
	}
}

// jsonPatches returns patches as in RFC 6902.
func jsonPatches() []Case {
	return []Case{
		{Name: "JSON patch, deep value", Full: 9_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[{"op":"add","path":"/a","value":`+nest(n, "1")+`}]`)
		}},
		{Name: "JSON patch, items put first", Full: 10_000, Prepare: with(func(n int) string { return finalizers(n * 20) }), Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[`+joinTexts(n, func(i int) string {
				return fmt.Sprintf(`{"op":"add","path":"/metadata/finalizers/0","value":"b/%d"}`, i)
			})+`]`)
		}},
		{Name: "JSON patch, items removed first", Full: 10_000, Prepare: with(func(n int) string { return finalizers(n * 20) }), Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[`+joinTexts(n, func(int) string { return `{"op":"remove","path":"/metadata/finalizers/0"}` })+`]`)
		}},
		{Name: "JSON patch, tests of the whole", Full: 10_000, Prepare: with(func(n int) string { return finalizers(n * 20) }), Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[`+joinTexts(n, func(int) string { return `{"op":"test","path":"/metadata/finalizers","value":[]}` })+`]`)
		}},
		{Name: "JSON patch, tests that hold", Full: 9_900, Prepare: with(func(n int) string { return finalizers(n) }), Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[{"op":"add","path":"/a","value":{}},`+joinTexts(n, func(int) string { return `{"op":"test","path":"/metadata","value":null}` })+`]`)
		}},
		{Name: "JSON patch, copies", Full: 10_000, Prepare: with(func(n int) string { return finalizers(n * 20) }), Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[`+joinTexts(n, func(i int) string { return fmt.Sprintf(`{"op":"copy","from":"/metadata/name","path":"/c%d"}`, i) })+`]`)
		}},
		{Name: "JSON patch, a long path", Full: 1_400_000, Prepare: empty, Request: func(n int) apiserver.Request {
			return patch(asJSONPatch, `[{"op":"add","path":"`+strings.Repeat("/a", n)+`","value":1}]`)
		}},
	}
}

func labels160(n int) string { return labels(n * 4 / 5) }

// applies returns requests for a server-side apply.
func applies() []Case {
	apply := func(metadata func(n int) string) func(n int) apiserver.Request {
		return func(n int) apiserver.Request { return patch(asApply, applyOf(metadata(n))) }
	}
	return []Case{
		{Name: "apply, labels", Full: 100_000, Prepare: empty, Request: apply(labels)},
		{Name: "apply, labels that conflict", Full: 100_000, Prepare: applyRequests(labels), Request: apply(func(n int) string {
			return `"labels":{` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"l%d":"x"`, i) }) + `}`
		})},
		{Name: "apply, finalizers", Full: 100_000, Prepare: empty, Request: apply(finalizers)},
		{Name: "apply, finalizers onto finalizers", Full: 100_000, Prepare: applyRequests(finalizers), Request: apply(finalizers)},
		{Name: "apply, each finalizer twice", Full: 100_000, Prepare: empty, Request: apply(func(n int) string {
			return `"finalizers":[` + joinTexts(n, func(i int) string { return fmt.Sprintf(`"a/%d"`, i%(n/2+1)) }) + `]`
		})},
		{Name: "apply, owners", Full: 30_000, Prepare: empty, Request: apply(owners)},
		{Name: "apply, owners onto owners", Full: 30_000, Prepare: applyRequests(owners), Request: apply(owners)},
		{Name: "apply, deep", Full: 9_000, Prepare: empty, Request: apply(func(n int) string { return `"a":` + nest(n, "1") })},
		{Name: "apply, unknown fields", Full: 150_000, Prepare: empty, Request: apply(func(n int) string {
			return joinTexts(n, func(i int) string { return fmt.Sprintf(`"u%d":1`, i) })
		})},
		{Name: "update, another object", Full: 150_000, Prepare: with(labels), Request: func(n int) apiserver.Request {
			return request("PUT", one, asJSON, `{"metadata":{"name":"x","labels":{`+joinTexts(n, func(i int) string { return fmt.Sprintf(`"m%d":""`, i) })+`}},"spec":{}}`)
		}},
	}
}

// reads returns requests without a body that read many objects or have a long query.
func reads() []Case {
	many := func(n int) []apiserver.Request {
		made := make([]apiserver.Request, n)
		for i := range made {
			made[i] = request("POST", leases, asJSON, fmt.Sprintf(`{"metadata":{"name":"x%d","labels":{"a":"b"}},"spec":{}}`, i))
		}
		return made
	}
	few := func(int) []apiserver.Request { return many(500) }
	return []Case{
		{Name: "list, a label of many values", Full: 300_000, Prepare: few, Request: func(n int) apiserver.Request {
			return request("GET", leases+"?labelSelector="+"a+in+("+joinTexts(n, func(i int) string { return fmt.Sprint(i) })+")", "", "")
		}},
		{Name: "list, many labels", Full: 200_000, Prepare: few, Request: func(n int) apiserver.Request {
			return request("GET", leases+"?labelSelector="+joinTexts(n, func(i int) string { return fmt.Sprintf("!l%d", i) }), "", "")
		}},
		{Name: "list, many fields", Full: 100_000, Prepare: few, Request: func(n int) apiserver.Request {
			return request("GET", leases+"?fieldSelector="+joinTexts(n, func(i int) string { return fmt.Sprintf("metadata.name!=%d", i) }), "", "")
		}},
		{Name: "list, many parameters", Full: 300_000, Request: func(n int) apiserver.Request {
			return request("GET", leases+"?"+strings.Repeat("a=1&", n), "", "")
		}},
		{Name: "list, five thousand Leases", Full: 5_000, Prepare: many, Request: func(int) apiserver.Request { return request("GET", leases, "", "") }},
		{Name: "table of five thousand Leases", Full: 5_000, Prepare: many, Request: func(int) apiserver.Request {
			r := request("GET", leases, "", "")
			r.Header["accept"] = "application/json;as=Table;g=meta.k8s.io;v=v1"
			return r
		}},
		{Name: "delete of five thousand Leases", Full: 5_000, Prepare: many, Request: func(int) apiserver.Request { return request("DELETE", leases, "", "") }},
		{Name: "delete, deep options", Full: 9_000, Prepare: empty, Request: func(n int) apiserver.Request { return request("DELETE", one, asJSON, `{"a":`+nest(n, "1")+`}`) }},
		{Name: "accept of many types", Full: 200_000, Prepare: empty, Request: func(n int) apiserver.Request {
			r := request("GET", one, "", "")
			r.Header["accept"] = strings.Repeat("a/b;q=0.1,", n)
			return r
		}},
		{Name: "a long path", Full: 400_000, Request: func(n int) apiserver.Request { return request("GET", strings.Repeat("/a", n), "", "") }},
	}
}
