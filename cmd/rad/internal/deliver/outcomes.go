package deliver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
)

// Report prints what was found, in the order of the targets. It fails if one of them did.
func (g *Delivery) Report(outcomes []*run.Outcome) error {
	seen := map[report.Finding]bool{}
	var broken []error
	status, follow := 0, 0
	for _, r := range outcomes {
		follow += r.Follow
		for _, n := range r.Notices {
			g.Reporter.Notice(n)
		}
		r.Findings, r.Missing = append(r.Findings, r.Missing...), nil
		g.Reporter.Judge(r.Findings, r.Making)
		var fresh []report.Finding
		for _, f := range r.Findings {
			key := f
			if f.Code == manifest.CodeScope { // it is about the run's settings, and not about one template
				cloud, _, _ := strings.Cut(f.Message, ",")
				key = report.Finding{Code: f.Code, Message: cloud}
			}
			if !seen[key] {
				seen[key] = true
				fresh = append(fresh, f)
			}
		}
		if err := g.Reporter.Add(fresh); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		if len(r.Explain) > 0 {
			g.Reporter.Say("Parameters:")
		}
		for _, one := range r.Explain {
			g.Reporter.Say("  %s", one)
		}
		if r.Err != nil {
			broken = append(broken, r.Err)
			if f, ok := errors.AsType[*cli.Failure](r.Err); ok {
				status = max(status, f.Status)
			} else {
				status = max(status, cli.ExitIO)
			}
		} else if report.AnyError(r.Findings) {
			status = max(status, cli.ExitSource)
		}
	}
	if follow > 0 {
		g.sayFollow(seen, follow)
	}
	if len(broken) > 0 {
		return &cli.Failure{Status: status, Err: errors.Join(broken...)}
	}
	if status != 0 {
		return cli.Silent(status)
	}
	return nil
}

// Stopped returns why a run was stopped, if it was. Where its limit of time was met, it reports what was found until then.
func (g *Delivery) Stopped(ctx context.Context, outcomes []*run.Outcome) error {
	if _, ok := errors.AsType[*cli.TimeLimitError](context.Cause(ctx)); ok {
		done := slices.DeleteFunc(slices.Clone(outcomes), func(r *run.Outcome) bool { return r.Err != nil })
		if err := g.Report(done); err != nil && err.Error() != "" {
			return err
		}
	}
	return ctx.Err()
}

// CheckCollisions refuses manifests that would replace each other in the cluster.
func CheckCollisions(outcomes []*run.Outcome) error {
	type made struct {
		*targets.Target
		key run.ObjectKey
	}
	seen := map[string]made{}
	for _, r := range outcomes {
		for _, id := range r.Identities() {
			other, ok := seen[id.Key]
			both := ""
			if ok {
				both = other.And(r.Target)
			}
			switch {
			case ok && id.Shared(other.key):
			case ok && r.Manifest != nil && other.ListedAt != "" && r.Target.ListedAt != "":
				return cli.Fail(cli.ExitUsage, "%s give manifests of one name, %s, in one namespace; give one of them a name",
					both, id.Shown)
			case ok && other.ListedAt != "" && r.Target.ListedAt != "":
				return cli.Fail(cli.ExitUsage, "%s both give the object %s; give one of them another namespace", both, id.Shown)
			case ok && r.Manifest != nil:
				return cli.Fail(cli.ExitUsage, "%s give manifests of one name, %s, in one namespace; make one of them in a run of "+
					"its own with --name, or name both in the targets of %s", both, id.Shown, settings.FileName)
			case ok:
				return cli.Fail(cli.ExitUsage, "%s both give the object %s; give one of them another --namespace "+
					"in a run of its own, or in the targets of %s", both, id.Shown, settings.FileName)
			}
			seen[id.Key] = made{r.Target, id}
		}
	}
	return nil
}

// Spread makes one outcome for each object where objects go to a folder, and one for the list of them that kustomize reads.
func (g *Delivery) Spread(outcomes []*run.Outcome) ([]*run.Outcome, error) {
	dir := g.Outdir
	format := manifest.Format(g.OutputFormat)
	var out []*run.Outcome
	var listed armjson.Array
	var last *run.Outcome
	seen := map[string]*run.Outcome{}
	for _, r := range outcomes {
		for _, s := range r.Secrets {
			g.secrets = append(g.secrets,
				run.Secret{Input: workdir.Slashed(r.Target.Arg), Name: s.Name, Namespace: s.Namespace, Keys: s.Keys, More: len(s.More) > 0})
		}
		for _, l := range r.LeftOut {
			g.leftOut = append(g.leftOut, run.Left{Input: workdir.Slashed(r.Target.Arg), Resource: strings.Trim(l.What, `"`), Why: l.Why})
		}
		if r.Kind == nil || dir == "" || r.Target.Outfiled {
			out = append(out, r)
			continue
		}
		if len(r.Objects) == 0 { // what an earlier run made is left over all the same
			t := *r.Target
			t.Outfile = filepath.Join(g.Shown(dir), "none")
			g.empty = append(g.empty, &run.Outcome{Target: &t, Kind: r.Kind, Folder: dir})
		}
		for i, file := range fileNames(r.Objects) {
			t := *r.Target
			t.Outfile = filepath.Join(g.Shown(dir), file+"."+string(format))
			one := &run.Outcome{Target: &t, Kind: r.Kind, Header: r.Header,
				Objects: r.Objects[i : i+1], Files: r.Files, Reads: r.Reads, Folder: dir}
			if other, ok := seen[strings.ToLower(t.Outfile)]; ok {
				if other.Identities()[0].Shared(one.Identities()[0]) {
					continue
				}
				return nil, cli.Fail(cli.ExitUsage, "%s would both write %s; give one of them another folder",
					other.Target.And(&t), t.Outfile)
			}
			seen[strings.ToLower(t.Outfile)] = one
			var err error
			if one.Content, err = manifest.RenderObjects(one.Objects, r.Header, format); err != nil {
				return nil, cli.Fail(cli.ExitSource, "%s: %w", t.Arg, err)
			}
			if out = append(out, one); r.Kind.OfAnyKind() {
				listed, last = append(listed, armjson.String(filepath.Base(t.Outfile))), one
			}
		}
	}
	if last == nil {
		return out, nil
	}
	list, err := kustomization(last, listed)
	return append(out, list), err
}

// kustomization returns the file that lists others of a folder, for kustomize; other is one of them.
func kustomization(other *run.Outcome, files armjson.Array) (*run.Outcome, error) {
	t := *other.Target
	t.Outfile = filepath.Join(filepath.Dir(t.Outfile), targets.Kustomization)
	one := *other
	one.Target, one.Header = &t, t.Header()[:1] // the files may have several sources
	one.Objects = []*manifest.Object{{APIVersion: "kustomize.config.k8s.io/v1beta1", Kind: "Kustomization",
		Metadata: armjson.NewObject(), Fields: []armjson.Member{{Key: "resources", Value: files}}}}
	var err error
	one.Content, err = manifest.RenderObjects(one.Objects, one.Header, manifest.YAML)
	return &one, err
}

// fileNames names a file for each object: by its kind and its name, and where names meet by its group and its namespace, too. Names
// that differ in letter case alone, or in what no file is called by, get a part of their hashes.
func fileNames(list []*manifest.Object) []string {
	names := make([]string, len(list))
	for _, more := range []func(o *manifest.Object) string{
		func(o *manifest.Object) string { return o.Kind },
		func(o *manifest.Object) string { return o.Kind + "." + o.Group() },
		func(o *manifest.Object) string { return o.Kind + "." + o.Group() + "-" + o.CalledIn() },
		func(o *manifest.Object) string {
			return fmt.Sprintf("%s-%.4x", o.Kind, sha256.Sum256([]byte(o.Called())))
		},
	} {
		alike := map[string]int{}
		for _, name := range names {
			alike[strings.ToLower(name)]++
		}
		for i, o := range list {
			if names[i] == "" || alike[strings.ToLower(names[i])] > 1 {
				names[i] = strings.Map(inFileName, more(o)+"-"+o.Called())
			}
		}
	}
	return names
}

// inFileName replaces what not every system takes in the name of a file.
func inFileName(r rune) rune {
	if r < 0x20 || strings.ContainsRune(`<>:"/\|?*`, r) {
		return '-'
	}
	return r
}
