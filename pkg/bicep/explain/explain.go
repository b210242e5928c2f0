// Package explain has the catalogue of the compiler's diagnostics: what each code means, how to
// repair it, and a program in which it is found. Begin with All.
package explain

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/examples"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Explanation is what the catalogue of diagnostics says of a code.
type Explanation struct {
	Code    string          // BCP057, RAD001, or the name of a rule of the linter
	Level   report.Severity // by default
	Linter  bool            // bicepconfig.json can set the level, since it is a rule
	Text    string          // the message, with a verb of package fmt for each value of a place
	Message string          // the message without the values of a place
	Repair  string          // why it is reported, and how to repair it
	Hint    report.Hint     // what Text, Message and Repair leave to the program that shows them
	Page    string          // the page that explains the code, or ""
}

// All returns the whole catalogue, in its order.
func All() []Explanation {
	var list []Explanation
	for k := range diag.Kinds() {
		list = append(list, Explanation{
			Code: k.Code(), Level: k.Level(), Linter: k.FromLinter(), Text: k.Text(),
			Message: k.Summary(), Repair: k.Repair(), Hint: k.Hint(), Page: k.Page(),
		})
	}
	return list
}

// Example is a program in which a code is found.
type Example struct {
	Files    []File           // the entry file first
	Findings []report.Finding // what the compiler reports of it, with names of Files as paths
	Fix      report.Certainty // of the fix that the compiler knows; 0 if there is none
	Fixed    string           // the entry file with the fix
}

// File is a file of an Example.
type File struct{ Name, Text string }

// exampleFolder is where the files of an example are, as the compiler sees it.
const exampleFolder = "/example"

// Example compiles the program that goes with the explanation, in memory.
func (e Explanation) Example(ctx context.Context) (*Example, error) {
	program, ok := examples.Find(e.Code)
	if !ok {
		return nil, nil
	}
	files, err := program.FS(exampleFolder)
	if err != nil {
		return nil, err
	}
	build := bicep.Embedded{}.Build
	if strings.HasSuffix(program.Main, ".bicepparam") {
		build = bicep.Embedded{}.BuildParams
	}
	main := path.Join(exampleFolder, program.Main)
	result, err := build(ctx, bicep.Request{
		File: main, FS: files, NoRestore: true, Options: bicep.Options{
			AzTypes: bicep.NoAzTypes, Fixes: true, Advice: bicep.AdviceToAuthor, TrustedClouds: program.TrustedClouds(),
			Artifacts: bicep.Artifacts{Cache: path.Join(exampleFolder, "cache")}, // which is empty
		},
	})
	if err != nil {
		return nil, err
	}
	x := &Example{Findings: result.Findings}
	for _, f := range program.Files {
		x.Files = append(x.Files, File(f))
	}
	for i := range x.Findings {
		f := &x.Findings[i]
		if f.Code == e.Code && f.Fix != nil && x.Fix == 0 && f.Fix.Certainty != report.NeedsPerson && filepath.ToSlash(f.Path) == main {
			x.Fix = f.Fix.Certainty
			x.Fixed, _ = report.ApplyFixes(program.Files[0].Text, []*report.Fix{f.Fix})
		}
		f.Path = strings.TrimPrefix(filepath.ToSlash(f.Path), exampleFolder+"/")
		f.Message = strings.ReplaceAll(f.Message, filepath.FromSlash(exampleFolder+"/"), "")
	}
	return x, nil
}
