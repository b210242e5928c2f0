package manifest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkName holds a manifest's name to what Kubernetes takes: a DNS subdomain.
func checkName(name string) error {
	if isSubdomain(name) {
		return nil
	}
	return &OptionError{Option: OptionName, Suggestion: suggestName(name),
		Problem: fmt.Sprintf("%q is not a name for a Kubernetes object: "+
			"it takes lower-case letters, digits, - and ., begins and ends with a letter or digit, and has at most 253 characters", name)}
}

// checkReference compares a reference with what an object of Kubernetes can be called.
func checkReference(r Reference) error {
	group, version, grouped := strings.Cut(r.APIVersion, "/")
	if !grouped {
		group, version = "core", group
	}
	switch {
	case !isSubdomain(group) || !isSubdomain(version):
		return fmt.Errorf("dependsOn: %q is not an apiVersion, such as %s", r.APIVersion, APIVersion)
	case !isSubdomain(strings.ToLower(r.Kind)) || r.Kind[0] < 'A' || r.Kind[0] > 'Z':
		return fmt.Errorf("dependsOn: %q is not a kind, such as %s", r.Kind, Kind)
	case !isSubdomain(r.Name):
		return fmt.Errorf("dependsOn: %q is not the name of an object", r.Name)
	}
	return nil
}

func optionError(o Option, format string, args ...any) error {
	return &OptionError{Option: o, Problem: fmt.Sprintf(format, args...)}
}

func checkNamespace(name string) error {
	if isLabel(name) {
		return nil
	}
	what := fmt.Sprintf("%q is not a namespace: it takes lower-case letters, "+
		"digits and -, begins and ends with a letter or digit, and has at most 63 characters", name)
	s := strings.ReplaceAll(suggestName(name), ".", "-")
	if len(s) > 63 {
		s = strings.TrimRight(s[:63], "-")
	}
	return &OptionError{Option: OptionNamespace, Problem: what, Suggestion: s}
}

// suggestName returns a valid name that is like the given one, or "".
func suggestName(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '.':
			s := strings.TrimRight(b.String(), "-.")
			b.Reset()
			b.WriteString(s)
			if s != "" {
				b.WriteByte('.')
			}
		default:
			if s := b.String(); s != "" && !strings.HasSuffix(s, "-") && !strings.HasSuffix(s, ".") {
				b.WriteByte('-')
			}
		}
		if b.Len() >= 253 {
			break
		}
	}
	s := b.String()
	if len(s) > 253 {
		s = s[:253]
	}
	s = strings.TrimRight(s, "-.")
	if !isSubdomain(s) {
		return ""
	}
	return s
}

func isSubdomain(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if !isDNS(part) {
			return false
		}
	}
	return true
}

func isLabel(s string) bool { return len(s) <= 63 && isDNS(s) }

// isDNS reports whether s is made of lower-case letters, digits and inner hyphens.
func isDNS(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' && i > 0 && i < len(s)-1 {
			continue
		}
		return false
	}
	return s != ""
}

// isQualified reports whether s is [prefix/]name as labels and annotations take it.
func isQualified(s string) bool {
	prefix, name, ok := strings.Cut(s, "/")
	if !ok {
		name = prefix
	} else if !isSubdomain(prefix) {
		return false
	}
	return name != "" && isWord(name)
}

// isWord reports whether s is a name or value as labels take it.
func isWord(s string) bool {
	if len(s) > 63 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isAlnum(c) || (c == '-' || c == '_' || c == '.') && i > 0 && i < len(s)-1 {
			continue
		}
		return false
	}
	return true
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func checkLabels(labels map[string]string) error {
	var wrong []error
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		if why := LabelKeyProblem(k); why != "" {
			wrong = append(wrong, fmt.Errorf("label %q: no valid key; %s", k, why))
		}
		if why := LabelProblem(labels[k]); why != "" {
			wrong = append(wrong, fmt.Errorf("label %s: %q is not a valid value; %s", k, labels[k], why))
		}
	}
	return errors.Join(wrong...)
}

// LabelKeyProblem says what a key of a label has to be, if it is not.
func LabelKeyProblem(key string) string {
	if isQualified(key) {
		return ""
	}
	return "want name or domain/name of letters, digits, -, _ and ., at most 63 of them"
}

// LabelProblem says what the value of a label has to be, if it is not.
func LabelProblem(value string) string {
	if isWord(value) {
		return ""
	}
	return "want at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit"
}

// maxAnnotations is what all annotations of an object may hold together.
const maxAnnotations = 256 << 10

func checkAnnotations(annotations map[string]string) error {
	var wrong []error
	size := 0
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		size += len(k) + len(annotations[k])
		if !isQualified(strings.ToLower(k)) {
			wrong = append(wrong,
				fmt.Errorf("annotation %q: no valid key; want name or domain/name of letters, digits, -, _ and ., at most 63 of them", k))
		}
	}
	if size > maxAnnotations {
		wrong = append(wrong, fmt.Errorf("the annotations have %s; a cluster takes at most 256 KiB", human(size)))
	}
	return errors.Join(wrong...)
}

// CheckGroup holds the name of a resource group to what Radius takes. None is a group, too.
func CheckGroup(s string) error {
	if s == "" || isResourceName(s) {
		return nil
	}
	return optionError(OptionGroup,
		"%q: want the name of a resource group of Radius: letters, digits and -, at most 63, the first a letter and the last no -", s)
}

func isGroup(s string) bool {
	if s == "" || len(s) > 90 || strings.HasSuffix(s, ".") {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isAlnum(c) && c != '-' && c != '_' && c != '.' && c != '(' && c != ')' {
			return false
		}
	}
	return true
}

func checkAzureScope(s string) error {
	if s == "" {
		return nil
	}
	parts := strings.Split(s, "/")
	ok := len(parts) == 5 && parts[0] == "" && strings.EqualFold(parts[1], "subscriptions") &&
		isGroup(parts[2]) && strings.EqualFold(parts[3], "resourceGroups") && isGroup(parts[4])
	if !ok {
		return optionError(OptionAzureScope, "%q: want /subscriptions/ID/resourceGroups/NAME", s)
	}
	return nil
}

func checkAWSScope(s string) error {
	if s == "" {
		return nil
	}
	parts := strings.Split(s, "/")
	ok := len(parts) == 8 && parts[0] == "" && strings.EqualFold(parts[1], "planes") && strings.EqualFold(parts[2], "aws") &&
		isGroup(parts[3]) && strings.EqualFold(parts[4], "accounts") && isGroup(parts[5]) &&
		strings.EqualFold(parts[6], "regions") && isGroup(parts[7])
	if !ok {
		return optionError(OptionAWSScope, "%q: want /planes/aws/aws/accounts/ID/regions/NAME", s)
	}
	return nil
}
