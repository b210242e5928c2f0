package config

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// linter refuses settings of the linter that do not have the type that the linter and its rules read. What
// stands under the names of no rules is not read, so it may be anything, such as a comment.
func (b *binder) linter(a Analyzers) {
	isObject := func(v armjson.Value) bool { _, ok := v.(*armjson.Object); return ok }
	isBool := func(v armjson.Value) bool { _, ok := v.(armjson.Bool); return ok }
	isText := func(v armjson.Value) bool { _, ok := v.(armjson.String); return ok }
	must := func(is func(armjson.Value) bool, what string, path ...string) {
		if v, ok := a.Value(path...); ok && !is(v) {
			b.fail("%q must be %s", "analyzers."+strings.Join(path, "."), what)
		}
	}
	must(isObject, "an object", "core")
	must(isBool, "true or false", "core", "enabled")
	must(isBool, "true or false", "core", "verbose")
	must(isObject, "an object", "core", "rules")
	for kind := range diag.Kinds() {
		must(isObject, `an object, such as { "level": "off" }`, "core", "rules", kind.Code())
		must(isText, "a string: off, info, warning or error", "core", "rules", kind.Code(), "level")
	}
}
