package bicep

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/secret"
)

// analyze reads a program as the embedded compiler does, to find out what in it is
// secret. It returns nil if that cannot be done.
func analyze(ctx context.Context, r Request, env []string) (c *compilation) {
	defer func() {
		if recover() != nil { // what is made of the program here is not a result of its own
			c = nil
		}
	}()
	r.NoRestore, r.Env, r.HideEnvironment = true, inherited(env), false
	c, err := load(ctx, r, nil)
	if err != nil {
		return nil
	}
	c.secrets()
	return c
}

// environment returns the environment of the compiler.
func (x *External) environment(r Request) []string {
	var env []string
	switch {
	case r.Env == nil:
		for _, name := range []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"} { // the last four are for Windows and macOS
			if value, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+value)
			}
		}
	case x.Env == nil:
		env = os.Environ()
	}
	return append(env, x.Env...)
}

// inherited is the environment that an external compiler gets.
type inherited []string

func (e inherited) Lookup(name string) (string, bool) {
	for _, one := range slices.Backward(e) {
		if key, value, _ := strings.Cut(one, "="); key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

func (inherited) Hint(string) string { return "" }

// redactor removes secret texts from the words of an external compiler. They carry no
// marks, so nothing else tells which values are secret.
type redactor struct {
	long  *strings.Replacer
	short []string
}

// maxChance is the length up to which a text may occur in others by chance: such a secret
// is removed only where it is a word.
const maxChance = 3

// redactor returns what removes the secrets of the program, and those of the parameters
// that were made of it.
func (c *compilation) redactor(parameters []Assigned) redactor {
	if c == nil {
		return redactor{}
	}
	var list []string
	add := func(text string) {
		list = append(list, text)
		for line := range strings.Lines(text) { // a message is a line each
			list = append(list, strings.TrimSpace(line))
		}
		quoted := types.QuoteString(text)
		list = append(list, quoted[1:len(quoted)-1])
		asJSON := string(armjson.AppendString(nil, text))
		list = append(list, asJSON[1:len(asJSON)-1])
	}
	for _, text := range c.secrets().Texts() {
		add(text)
	}
	parameters = slices.Clone(parameters)
	c.locateAll(parameters)
	for _, p := range parameters {
		if !p.Mark.Shown() {
			eachText(p.Value, add)
			add(p.Expression)
		}
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	var r redactor
	var pairs []string
	for _, text := range slices.Compact(list) {
		if len(text) > maxChance {
			pairs = append(pairs, text, secret.Text)
		} else {
			r.short = append(r.short, text)
		}
	}
	r.long = strings.NewReplacer(pairs...)
	return r
}

// eachText calls f for every text and number in a value.
func eachText(v armjson.Value, f func(string)) {
	switch v := v.(type) {
	case armjson.String:
		f(string(v))
	case armjson.Number:
		f(string(v))
	case armjson.Array:
		for _, x := range v {
			eachText(x, f)
		}
	case *armjson.Object:
		for _, x := range v.All() {
			eachText(x, f)
		}
	}
}

// text returns a text without the secrets.
func (r redactor) text(s string) string {
	if r.long != nil {
		s = r.long.Replace(s)
	}
	for _, text := range r.short {
		s = replaceWord(s, text)
	}
	return s
}

// replaceWord hides a short secret where no letter or digit is beside it.
func replaceWord(s, short string) string {
	isWord := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= 0x80 || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9')
	}
	var b strings.Builder
	from := 0
	for {
		i := strings.Index(s[from:], short)
		if i < 0 {
			break
		}
		i += from
		end := i + len(short)
		b.WriteString(s[from:i])
		if isWord(i-1) || isWord(end) {
			b.WriteString(short)
		} else {
			b.WriteString(secret.Text)
		}
		from = end
	}
	return b.String() + s[from:]
}

// hide removes the secrets from what a result tells people.
func (r redactor) hide(result *Result) {
	for i := range result.Findings {
		f := &result.Findings[i]
		f.Message, f.Line = r.text(f.Message), r.text(f.Line)
	}
	for i := range result.Notices {
		result.Notices[i] = r.text(result.Notices[i])
	}
}
