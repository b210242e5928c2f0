package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// What a resource declares as a text, a number or true is known where another asks for it. All else stays a call, and
// the order of the resources makes no difference, with symbolic names and without.
func TestWhatResourcesDeclare(t *testing.T) {
	t.Parallel()
	const a = "'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'location': 'north', 'properties': {'text': 'x', 'number': 2, 'yes': true, 'no': false, 'none': null, 'list': [{'k': 'v'}], 'own': '[reference(`A`).text]', 'secret': '[parameters(`pw`)]'}"
	const id = "/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a"
	const call = "reference('" + id + "', '1')"
	for _, c := range []struct{ expression, want string }{
		{"A.text", `"x"`},
		{"A.number", `2`},
		{"A.yes", `true`},
		{"A.list[0].k", `"v"`},
		{"A.no", `"[` + call + `.no]"`},
		{"A.none", `"[` + call + `.none]"`},
		{"A.missing", `"[` + call + `.missing]"`},
		{"A.text.more", `"[` + call + `.text.more]"`},
		{"A.list", `"[` + call + `.list]"`},
		{"A.secret", `"[` + call + `.secret]"`},
		{"tryGet(A, `number`)", `2`},
		{"tryGet(tryGet(A, `list`), 0, `k`)", `"v"`},
		{"tryGet(A.list[0], `k`)", `"v"`},
		{"tryGet(A, `no`)", `"[tryGet(` + call + `, 'no')]"`},
		{"tryGet(A, `missing`)", `"[tryGet(` + call + `, 'missing')]"`},
		{"contains(A, `missing`)", `"[contains(` + call + `, 'missing')]"`},
		{"empty(A.no)", `"[empty(` + call + `.no)]"`},
		{"if(equals(A.text, `x`), A.number, 0)", `2`},
		{"reference(`a`, `1`, `full`).location", `"north"`},
		{"reference(`a`, `0`).text", `"[reference('` + id + `', '0').text]"`},
	} {
		for _, symbolic := range []bool{true, false} {
			reads := strings.ReplaceAll(strings.ReplaceAll(c.expression, "A", "reference(`a`)"), "reference(`a`)", "reference(`a`, `1`)")
			b := "'type': 'T.S/b', 'apiVersion': '1', 'name': 'b', 'properties': {'v': '[" + reads + "]'}"
			first, second, head := "'a': {"+a+"}", "'b': {"+b+"}", groupSchema
			open, shut := "{", "}"
			if !symbolic {
				first, second, head = "{"+a+"}", "{"+b+"}", strings.ReplaceAll(groupSchema, ", 'languageVersion': '2.0'", "")
				open, shut = "[", "]"
				second = strings.ReplaceAll(second, "reference(`a`,", "reference(resourceId(`T.S/a`, `a`),")
			}
			first = strings.ReplaceAll(first, "reference(`A`)", "reference(resourceId(`T.S/a`, `a`), `1`)")
			for _, resources := range []string{first + ", " + second, second + ", " + first} {
				result, err := expand.Expand(parse(t, "{"+head+", 'parameters': {'pw': {'type': 'securestring'}}, 'resources': "+open+resources+shut+"}"), expand.Options{
					Context: inGroup, Declared: true, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String("CANARY")}}})
				require.NoError(t, err, c.expression)
				for _, r := range result.Resources {
					if r.Type == "T.S/b" {
						properties, _ := r.Body.Get("properties")
						require.Equal(t, `{"v":`+c.want+`}`, armjson.Text(expand.Printable(properties)), "%s: %s", c.expression, resources)
					}
				}
			}
		}
	}
}
