package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Today is the day that versions are compared with.
func Today() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }

// recentAPIVersions compares versions with those in Azure's library. Without the library it checks
// its own settings and, in calls of reference() and list…(), whether Azure has the provider of the
// type: no other rule looks at types there.
func (l *linter) recentAPIVersions() {
	p := apiPolicy{
		maxAge: l.days("maxAgeInDays", 2*365), grace: l.days("gracePeriodInDays", 90),
		today: Today(),
	}
	if v, ok := l.setting("test-today"); ok {
		if s, ok := v.(armjson.String); ok {
			if day, err := time.Parse(time.DateOnly, string(s)); err == nil {
				p.today = day
			}
		}
	}
	v, _ := l.setting("test-warn-not-found")
	l.recentResources(p, v == armjson.Bool(true))
	l.recentCalls(p)
}

// recentResources looks at the versions of resources. A type that is not in the library is reported
// elsewhere.
func (l *linter) recentResources(p apiPolicy, notFound bool) {
	for _, r := range l.analysis.Resources.Declared() {
		ref := r.TypeRef()
		version, ok := parseAPIVersion(ref.Version)
		if !r.IsAz() || !ok {
			continue
		}
		at := r.Symbol.Stmt.Type.Span()
		start := at.Start + int32(strings.Index(strings.ToLower(l.m.File().Source.Text[at.Start:at.End]), strings.ToLower(ref.Version)))
		if problem := p.judge(ref.Type, version, l.versionsOf(ref.Type), notFound); problem != "" {
			l.add(source.Span{Start: start, End: start + int32(len(ref.Version))}, problem)
		}
	}
}

// recentCalls looks at the versions that calls of reference() and list…() name.
func (l *linter) recentCalls(p apiPolicy) {
	azure := l.azure()
	for _, c := range l.readingCalls() {
		_, args, _ := syntax.CallName(c)
		if len(args) < 2 {
			continue
		}
		text, ok := l.literal(args[1])
		version, isVersion := parseAPIVersion(text)
		if !ok || !isVersion {
			continue
		}
		typ := l.typeRead(args[0])
		if azure.Library() == nil {
			if provider, _, _ := strings.Cut(typ, "/"); typ != "" && !azure.HasProvider(provider) {
				l.add(c.Span(), unknownType(typ))
			}
			continue
		}
		if typ = l.ownType(args[0], typ); typ == "" {
			continue
		}
		if problem := p.judge(typ, version, l.versionsOf(typ), true); problem != "" {
			l.add(c.Span(), problem)
		}
	}
}

// ownType returns the resource type that an ID names. The arguments after the type are the parts of
// a name.
func (l *linter) ownType(x syntax.Expr, typ string) string {
	if name, args, ok := syntax.CallName(x); ok && name.Name == "resourceId" {
		for i, a := range args {
			text, ok := l.literal(a)
			if text = strings.TrimRight(text, "/"); !ok || !looksLikeType(text) {
				continue
			}
			typ = text
			for _, a := range args[i+1:] {
				part, ok := l.literal(a)
				if !ok {
					break
				}
				typ += "/" + part
			}
			break
		}
	}
	shortest := typ
	for t := typ; looksLikeType(t); t = t[:strings.LastIndexByte(t, '/')] {
		if len(l.versionsOf(t)) > 0 {
			return t
		}
		shortest = t
	}
	return shortest
}

func unknownType(typ string) string { return fmt.Sprintf("there is no resource type %q in Azure", typ) }

// days reads a setting that is a number of days.
func (l *linter) days(name string, normal int) int {
	v, ok := l.setting(name)
	if !ok {
		return normal
	}
	if n, ok := v.(armjson.Number); ok {
		if days, ok := n.Int64(); ok && days >= 0 {
			return int(min(days, 1<<20))
		}
	}
	l.add(source.Span{}, fmt.Sprintf("the setting %s must be a number of days, and is %s; %d is taken instead",
		name, armjson.Text(v), normal))
	return normal
}

// versionsOf returns the versions of a resource type that the library has.
func (l *linter) versionsOf(typ string) (list []apiVersion) {
	lib := l.azure().Library()
	if lib == nil {
		return nil
	}
	t, ok := lib.FindType(typ)
	if !ok {
		return nil
	}
	for r := range lib.Versions(t) {
		if v, ok := parseAPIVersion(r.Version); ok {
			list = append(list, v)
		}
	}
	return list
}

// apiVersion is the version of a resource type: a day, and a suffix such as -preview.
type apiVersion struct {
	day    time.Time
	suffix string // in lower case; "" for a stable version
}

func (v apiVersion) String() string { return v.day.Format(time.DateOnly) + v.suffix }
func (v apiVersion) stable() bool   { return v.suffix == "" }

func parseAPIVersion(s string) (v apiVersion, ok bool) {
	if len(s) < len(time.DateOnly) {
		return v, false
	}
	v.suffix = strings.ToLower(s[len(time.DateOnly):])
	switch v.suffix {
	case "", "-preview", "-alpha", "-beta", "-rc", "-privatepreview":
		day, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
		v.day = day
		return v, err == nil
	}
	return v, false
}

// apiPolicy says which versions may be used.
type apiPolicy struct {
	today         time.Time
	maxAge, grace int // in days
}

func (p apiPolicy) recent(v apiVersion) bool { return !v.day.Before(p.today.AddDate(0, 0, -p.maxAge)) }

// fresh reports whether a version is so new that it is not recommended yet. It may be used.
func (p apiPolicy) fresh(v apiVersion) bool {
	return p.grace > 0 && v.day.After(p.today.AddDate(0, 0, -p.grace))
}

// judge returns what is wrong with version v of a type that has the versions all; "" if nothing is.
func (p apiPolicy) judge(typ string, v apiVersion, all []apiVersion, notFound bool) string {
	if len(all) == 0 {
		if notFound {
			return unknownType(typ)
		}
		return ""
	}
	good := p.acceptable(all)
	names := make([]string, len(good))
	for i, g := range good {
		names[i] = g.String()
	}
	instead := "; it has " + strings.Join(names, ", ")
	switch {
	case slices.Contains(good, v):
		return ""
	case !slices.Contains(all, v):
		if notFound {
			return fmt.Sprintf("%s has no version %s%s", typ, v, instead)
		}
		return ""
	case p.fresh(v):
		return ""
	case !v.stable() && p.recent(v):
		if newest, ok := newest(filter(all, apiVersion.stable)); ok && !newest.Before(v.day) {
			return fmt.Sprintf("%s of %s is a preview, and there is a stable version that is as new%s", v, typ, instead)
		}
	}
	age := int(p.today.Sub(v.day).Hours() / 24)
	return fmt.Sprintf("%s of %s is %d days old, which is more than %d%s", v, typ, age, p.maxAge, instead)
}

// acceptable returns the versions that may be used, the newest first: the stable ones that are
// recent, or else the newest stable one, and recent previews that are newer than all stable
// versions.
func (p apiPolicy) acceptable(all []apiVersion) []apiVersion {
	known := filter(all, func(v apiVersion) bool { return !p.fresh(v) })
	if len(known) == 0 {
		known = all
	}
	stable := filter(known, apiVersion.stable)
	others := filter(known, func(v apiVersion) bool { return !v.stable() })
	list := filter(stable, p.recent)
	last, found := newest(stable)
	if len(list) == 0 && found {
		list = filter(stable, func(v apiVersion) bool { return v.day.Equal(last) })
	}
	for _, v := range others {
		if p.recent(v) && (!found || v.day.After(last)) {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		last, _ := newest(others)
		list = filter(others, func(v apiVersion) bool { return v.day.Equal(last) })
	}
	slices.SortStableFunc(list, func(a, b apiVersion) int {
		return cmp.Or(b.day.Compare(a.day), cmp.Compare(len(a.suffix), 0)-cmp.Compare(len(b.suffix), 0), cmp.Compare(a.suffix, b.suffix))
	})
	return list
}

func newest(list []apiVersion) (day time.Time, ok bool) {
	for _, v := range list {
		if v.day.After(day) {
			day = v.day
		}
	}
	return day, len(list) > 0
}

func filter(list []apiVersion, keep func(apiVersion) bool) (out []apiVersion) {
	for _, v := range list {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}
