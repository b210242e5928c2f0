package deliver

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// manyManifests is from how many manifests on they are not named one by one.
const manyManifests = 10

// Brief reports whether what went well is told in one line: where it goes to a log and not to somebody
// who waits for it, and by --watch.
func (g *Delivery) Brief() bool {
	return g.Options.Watch || cli.InCI() || !cli.IsTerminal(g.Console.Stderr)
}

// sayWritten says what became of the manifests. What a cluster will refuse is named in any case, and so
// is what was written where that is a failure.
func (g *Delivery) sayWritten(outcomes []*run.Outcome) {
	one := func(r *run.Outcome) {
		state := r.Verb() + " up to date at"
		if r.Written() {
			state = "generated at"
		}
		g.Reporter.Say("%s%s %s %s%s", g.now(), r.What(), state, r.Target.Outfile, r.Refused())
	}
	switch {
	case len(outcomes) == 1:
		one(outcomes[0])
	case g.Options.FailOnChange && slices.ContainsFunc(outcomes, (*run.Outcome).Written):
		for _, r := range outcomes {
			if r.Written() || r.Refused() != "" {
				one(r)
			}
		}
	case g.Brief():
		for _, r := range outcomes {
			if r.Refused() != "" {
				one(r)
			}
		}
		g.Reporter.Say("%s%s", g.now(), summary(outcomes))
	case len(outcomes) > manyManifests:
		for _, r := range outcomes {
			if r.Refused() != "" {
				one(r)
			}
		}
		for _, f := range g.folders(outcomes) {
			g.Reporter.Say("%s: %s", f.shown, summary(f.outcomes))
		}
	default:
		for _, r := range outcomes {
			one(r)
		}
	}
}

// sayOverrides says which of the files that the settings list were written as only this run asks.
func (g *Delivery) sayOverrides(outcomes []*run.Outcome) {
	files := map[string][]string{} // by what the run says
	for _, r := range outcomes {
		if said := r.Target.Overrides(); r.Written() && len(said) > 0 {
			key := cli.OrAnd(said)
			files[key] = append(files[key], r.Target.Outfile)
		}
	}
	for _, said := range slices.Sorted(maps.Keys(files)) {
		what := strings.Join(files[said], ", ")
		if n := len(files[said]); n > 3 {
			what = cli.Plural(n, "manifest")
		}
		g.Reporter.Notice(fmt.Sprintf("%s: written with %s, unlike what the settings say; "+
			"without that, --check will call it stale. --outdir writes elsewhere", what, said))
	}
}

// now is how a line of --watch begins.
func (g *Delivery) now() string {
	if !g.Options.Watch {
		return ""
	}
	return cli.Clock()
}

// summary says in one line how many manifests were written, and names them if they are few.
func summary(outcomes []*run.Outcome) string {
	var written []string
	for _, r := range outcomes {
		if r.Written() {
			written = append(written, r.Target.Outfile)
		}
	}
	same := len(outcomes) - len(written)
	text := fmt.Sprintf("%s generated, %d up to date", cli.Plural(len(written), "manifest"), same)
	switch {
	case len(written) == 0:
		return cli.Plural(same, "manifest") + " up to date"
	case same == 0:
		text = cli.Plural(len(written), "manifest") + " generated"
	}
	if len(written) <= 3 {
		text += ": " + strings.Join(written, ", ")
	}
	return text
}

// sayFollow says how many findings are not shown, since they follow from others, and what cannot be read.
func (g *Delivery) sayFollow(seen map[report.Finding]bool, n int) {
	counted := map[string]bool{}
	count := map[string]int{}
	for f := range seen {
		what := "file"
		switch f.Code {
		case "BCP091":
		case "BCP190", "BCP192":
			if what = "module"; strings.HasPrefix(strings.TrimSpace(f.Line), "extension") {
				what = "extension"
			}
		default:
			continue
		}
		if !counted[f.Message] { // several places may name one
			counted[f.Message] = true
			count[what]++
		}
	}
	var unread []string
	for _, what := range []string{"file", "module", "extension"} {
		if count[what] > 0 {
			unread = append(unread, cli.Plural(count[what], what))
		}
	}
	begin := ""
	if len(unread) > 0 {
		begin = cli.OrAnd(unread) + " cannot be read; "
	}
	verb := "follow are"
	if n == 1 {
		verb = "follows is"
	}
	g.Reporter.Note(fmt.Sprintf("%s%s that %s not shown", begin, cli.Plural(n, "finding"), verb))
}

// folder is a folder that manifests go to.
type folder struct {
	shown    string
	outcomes []*run.Outcome
}

// folders returns the folders of the manifests, in their order.
func (g *Delivery) folders(outcomes []*run.Outcome) (list []*folder) {
	for _, r := range outcomes {
		dir := filepath.Dir(r.Target.Outfile)
		if r.Folder != "" {
			dir = g.Shown(r.Folder)
		}
		i := slices.IndexFunc(list, func(f *folder) bool { return f.shown == dir })
		if i < 0 {
			i, list = len(list), append(list, &folder{shown: dir})
		}
		list[i].outcomes = append(list[i].outcomes, r)
	}
	return list
}

// sayApply says how the manifests get into a cluster, but for those that it will refuse.
func (g *Delivery) sayApply(outcomes []*run.Outcome) {
	outcomes = slices.DeleteFunc(slices.Clone(outcomes), func(r *run.Outcome) bool { return r.Refused() != "" })
	if len(outcomes) == 0 {
		return
	}
	resource, apply := "the DeploymentTemplate resource", "kubectl apply"
	if slices.ContainsFunc(outcomes, func(r *run.Outcome) bool { return r.Manifest != nil && r.Manifest.Large() }) {
		apply = "kubectl apply --server-side"
	}
	if len(outcomes) > 1 {
		resource += "s"
	}
	if outcomes[0].Kind != nil {
		resource = "the " + outcomes[0].Kind.What
	}
	g.Reporter.Say("\nTo apply %s onto your cluster, run:", resource)
	for _, f := range g.folders(outcomes) {
		line := apply
		if slices.ContainsFunc(f.outcomes, func(r *run.Outcome) bool { return filepath.Base(r.Target.Outfile) == targets.Kustomization }) {
			line += " -k " + cli.ShellQuote(cli.AsArgument(f.shown))
		} else if f.outcomes[0].Folder != "" || len(f.outcomes) > 1 && g.isAlone(f) {
			line += " -f " + cli.ShellQuote(cli.AsArgument(f.shown))
		} else {
			for _, r := range f.outcomes {
				line += " -f " + cli.ShellQuote(cli.AsArgument(r.Target.Outfile))
			}
		}
		g.Reporter.Say("%s", line)
	}
}

// isAlone reports whether a folder holds nothing else that kubectl would apply.
func (g *Delivery) isAlone(f *folder) bool {
	entries, err := g.Bounds.Entries(f.shown)
	if err != nil {
		return false
	}
	n := 0
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" || ext == ".json" {
			n++
		}
	}
	return n == len(f.outcomes)
}
