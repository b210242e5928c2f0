package manifest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/manifest"
)

// TestNamespaces: a namespace is a DNS label. What is suggested is one.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	check := func(namespace string) error { return (&manifest.Options{Name: "a", Namespace: namespace}).Check() }
	for _, good := range []string{"", "a", "0", "z9", "a-b", strings.Repeat("a", 63)} {
		assert.NoError(t, check(good), good)
		assert.NoError(t, manifest.CheckMetadata(good, nil, nil), good)
	}
	for bad, suggestion := range map[string]string{
		"a.b": "a-b", "A": "a", "-a": "a", "a-": "a", "ä": "", ".": "",
		strings.Repeat("a", 64):                                strings.Repeat("a", 63),
		strings.Repeat("a", 62) + "-b":                         strings.Repeat("a", 62),
		strings.Repeat("a", 60) + "_.b":                        strings.Repeat("a", 60) + "-b",
		strings.Repeat("a", 61) + "-" + strings.Repeat("b", 9): strings.Repeat("a", 61) + "-b",
	} {
		var wrong *manifest.OptionError
		require.ErrorAs(t, check(bad), &wrong, bad)
		assert.Equal(t, manifest.OptionError{Option: manifest.OptionNamespace, Suggestion: suggestion,
			Problem: `"` + bad + `" is not a namespace: it takes lower-case letters, digits and -, begins and ends with a letter or digit, and has at most 63 characters`}, *wrong)
		require.EqualError(t, manifest.CheckMetadata(bad, nil, nil), wrong.Problem)
		if suggestion != "" {
			assert.NoError(t, check(suggestion))
		}
	}
}

// TestNamesOfObjects: what Kubernetes takes for a name, and what is suggested for one that it does not take.
func TestNamesOfObjects(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("a", 63)
	for name, want := range map[string]bool{
		"a": true, "0": true, "z": true, "9": true, "a.b-c.0": true, label + "." + label + "." + label + "." + label[:61]: true, strings.Repeat("a", 253): true,
		"": false, ".": false, "a.": false, ".a": false, "a..b": false, "a-.b": false, "a.-b": false, "A": false, "a_b": false, "a/b": false, "a`": false, "a{": false, "a:": false,
		strings.Repeat("a", 254): false,
	} {
		assert.Equal(t, want, manifest.IsSubdomain(name), "%q", name)
		err := (&manifest.Options{Name: name}).Check()
		if want {
			assert.NoError(t, err)
			continue
		}
		var wrong *manifest.OptionError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, `"`+name+`" is not a name for a Kubernetes object: it takes lower-case letters, digits, - and ., begins and ends with a letter or digit, and has at most 253 characters`, wrong.Problem)
		assert.Equal(t, wrong.Problem, wrong.Error())
	}
	for bad, suggestion := range map[string]string{
		"A B": "a-b", "a__b": "a-b", "a._b": "a.b", "a_.b": "a.b", "..a": "a", "__a": "a", "a..": "a", "a--b c": "a-b-c", "Z09": "z09", "a.b.": "a.b", "x.Y_z": "x.y-z", "a-_b": "a-b",
		"Größe.bicep": "gr-e.bicep", "日本": "", "a..b": "a.b", "a.-b": "a.b",
		strings.Repeat("ab_", 100): strings.Repeat("ab-", 84) + "a",
		strings.Repeat("a.", 150):  strings.TrimSuffix(strings.Repeat("a.", 127), "."),
	} {
		var wrong *manifest.OptionError
		require.ErrorAs(t, (&manifest.Options{Name: bad}).Check(), &wrong, bad)
		assert.Equal(t, strings.TrimSuffix(suggestion, "-"), wrong.Suggestion, bad)
	}
}

// TestLabelsAndAnnotations: which keys and values Kubernetes takes, and what is said of others, sorted by key.
func TestLabelsAndAnnotations(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("a", 63)
	for key, want := range map[string]bool{
		"a": true, "A": true, "0": true, "a-b_c.D": true, word: true, "example.com/" + word: true, "x/A": true, strings.Repeat("a", 253) + "/b": true,
		"": false, "/": false, "a/": false, "/a": false, "-a": false, "a-": false, ".a": false, "a.": false, "_a": false, "a_": false, "a b": false, "a/b/c": false, "X/a": false, "a_b/c": false,
		word + "a": false, "x/" + word + "a": false, strings.Repeat("a", 254) + "/b": false, "ä": false, "a@b": false, "a[b": false, "a`b": false, "a{b": false, "a:b": false,
	} {
		label := manifest.CheckMetadata("", map[string]string{key: ""}, nil)
		annotation := manifest.CheckMetadata("", nil, map[string]string{key: "any text: é"})
		assert.Equal(t, want, label == nil, "label %q", key)
		assert.Equal(t, want || key == "X/a", annotation == nil, "annotation %q", key) // their case does not count
		if !want {
			assert.EqualError(t, label, `label "`+key+`": no valid key; want name or domain/name of letters, digits, -, _ and ., at most 63 of them`)
		}
		if annotation != nil {
			assert.EqualError(t, annotation, `annotation "`+key+`": no valid key; want name or domain/name of letters, digits, -, _ and ., at most 63 of them`)
		}
	}
	for value, want := range map[string]bool{"": true, "a": true, word: true, "1.0-rc_1": true, word + "a": false, "a b": false, "-": false, "a/b": false, "é": false} {
		err := manifest.CheckMetadata("", map[string]string{"k": value}, nil)
		assert.Equal(t, want, err == nil, value)
		if err != nil {
			assert.EqualError(t, err, `label k: "`+value+`" is not a valid value; want at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit`)
		}
	}
	err := (&manifest.Options{Name: "a", Labels: map[string]string{"c ": "x", "b": "y z", "a ": "-"}, Annotations: map[string]string{"e ": "", "d ": ""}}).Check()
	require.Error(t, err)
	var starts []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		start, _, _ := strings.Cut(line, ": ")
		starts = append(starts, start)
	}
	assert.Equal(t, []string{`label "a "`, `label a `, `label b`, `label "c "`, `annotation "d "`, `annotation "e "`}, starts)

	const most = 256 << 10
	for size, want := range map[int]string{most: "", most + 1: "the annotations have 257 KiB; a cluster takes at most 256 KiB", 3 << 19: "the annotations have 1.5 MiB; a cluster takes at most 256 KiB"} {
		half := size/2 - 1
		err := manifest.CheckMetadata("", nil, map[string]string{"a": strings.Repeat("x", half), "b": strings.Repeat("x", size-half-2)})
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// TestScopes: where a deployment may go, in the forms that Radius takes.
func TestScopes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("g", 90)
	for scope, want := range map[string]bool{
		"": true, "/subscriptions/s/resourceGroups/g": true, "/Subscriptions/s/RESOURCEGROUPS/g": true, "/subscriptions/s/resourceGroups/" + long: true, "/subscriptions/s/resourceGroups/a-_.(1)": true,
		"/": false, "subscriptions/s/resourceGroups/g": false, "/subscriptions/s/resourceGroups/g/": false, "/subscriptions//resourceGroups/g": false, "/subscriptions/s/resourceGroups/": false,
		"/subscriptions/s/resourceGroups/g.": false, "/subscriptions/s/resourceGroups/" + long + "g": false, "/subscription/s/resourceGroups/g": false, "/subscriptions/s/resourceGroup/g": false,
		"/subscriptions/s": false, "/subscriptions/a b/resourceGroups/g": false, "x/subscriptions/s/resourceGroups/g": false, "/subscriptions/s/resourceGroups/g/x": false, "/subscriptions/s/resourceGroups/a*": false,
	} {
		err := (&manifest.Options{Name: "a", AzureScope: scope}).Check()
		if want {
			assert.NoError(t, err, scope)
			continue
		}
		var wrong *manifest.OptionError
		require.ErrorAs(t, err, &wrong, scope)
		assert.Equal(t, manifest.OptionError{Option: manifest.OptionAzureScope, Problem: `"` + scope + `": want /subscriptions/ID/resourceGroups/NAME`}, *wrong)
	}
	for scope, want := range map[string]bool{
		"": true, "/planes/aws/aws/accounts/1/regions/eu-1": true, "/Planes/AWS/other/Accounts/1/Regions/eu-1": true,
		"planes/aws/aws/accounts/1/regions/eu-1": false, "/planes/azure/aws/accounts/1/regions/r": false, "/planes/aws/aws/account/1/regions/r": false, "/planes/aws/aws/accounts/1/region/r": false,
		"/planes/aws//accounts/1/regions/r": false, "/planes/aws/aws/accounts//regions/r": false, "/planes/aws/aws/accounts/1/regions/": false, "/plane/aws/aws/accounts/1/regions/r": false,
		"/planes/aws/aws/accounts/1": false, "/planes/aws/aws/accounts/1/regions/r/": false, "x/planes/aws/aws/accounts/1/regions/r": false,
	} {
		err := (&manifest.Options{Name: "a", AWSScope: scope}).Check()
		if want {
			assert.NoError(t, err, scope)
			continue
		}
		var wrong *manifest.OptionError
		require.ErrorAs(t, err, &wrong, scope)
		assert.Equal(t, manifest.OptionError{Option: manifest.OptionAWSScope, Problem: `"` + scope + `": want /planes/aws/aws/accounts/ID/regions/NAME`}, *wrong)
	}
	for group, want := range map[string]bool{"": true, "g": true, "Z": true, "a9": true, "a-b": true, "A-1": true, strings.Repeat("g", 63): true, strings.Repeat("g", 64): false, "1g": false, "g-": false, "g.h": false, "a/b": false,
		"@": false, "[": false, "`": false, "{": false, "9": false, "-": false, "a_": false} {
		err := (&manifest.Options{Name: "a", Group: group}).Check()
		if want {
			assert.NoError(t, err, group)
			continue
		}
		var wrong *manifest.OptionError
		require.ErrorAs(t, err, &wrong, group)
		assert.Equal(t, manifest.OptionError{Option: manifest.OptionGroup, Problem: `"` + group + `": want the name of a resource group of Radius: letters, digits and -, at most 63, the first a letter and the last no -`}, *wrong)
	}
}

// TestOptionsAreAllChecked: what is wrong is told at once, in the order of the options.
func TestOptionsAreAllChecked(t *testing.T) {
	t.Parallel()
	err := (&manifest.Options{Name: "A", Namespace: "B", Labels: map[string]string{"c ": ""}, Annotations: map[string]string{"d ": ""}, Group: "1", AzureScope: "x", AWSScope: "y", Target: "z"}).Check()
	var wrong []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		var o *manifest.OptionError
		if errors.As(one, &o) {
			wrong = append(wrong, string(o.Option))
		} else { // labels and annotations are maps
			first, _, _ := strings.Cut(one.Error(), " ")
			wrong = append(wrong, first)
		}
	}
	assert.Equal(t, []string{"Name", "Namespace", "label", "annotation", "Group", "AzureScope", "AWSScope", "Target"}, wrong)
	err = (&manifest.Options{Name: "a", Target: manifest.Radius}).Check()
	require.ErrorIs(t, err, manifest.ErrNoGroup)
	require.EqualError(t, err, "a manifest for Radius 0.43 to 0.60 needs a resource group: its controllers deploy nothing without one")
	require.NoError(t, (&manifest.Options{Name: "a", Target: manifest.Radius, Group: "g"}).Check())
	require.NoError(t, (&manifest.Options{Name: "a", Target: manifest.Design}).Check())
}
