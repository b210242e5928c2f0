package bicep

// How a program is compiled again
//
// The invariant: a compile with a workspace has the result of one without. Whatever is kept
// was computed from inputs that are all the same now, and nothing that is kept refers to
// anything that is not. Tests check it by random edits, in memory and on a disk.
//
// Three questions decide what is kept, in this order.
//
//  1. Is the content of a file the same? It is read again and compared by its content, unless
//     it has the version that was read before (source.Version): the same file on a local disk, of
//     the same size and with the same times, of which the last was not a moment ago, and below a
//     root reached without a link. Every write sets the time of the last change, and no program
//     can set it back.
//
//  2. Is the file the same? Package graph decides it for all stages (again.go). The file is the
//     same *graph.File as before if its text is the same, its configuration, the archives
//     of types, what its load functions read, and all of that for the files that it refers to. A file
//     with a reference that cannot be resolved is never the same, nor is a parameter file,
//     since it reads the environment. In a cycle no file is. If an archive of types has changed, no
//     file of the program is.
//
//  3. What is known of the file? A stage that keeps something keeps it by the *graph.File, and
//     drops what belongs to files that are no longer in the program: check the models
//     (Program.Continue), emit the templates (Texts.Retain). A model refers to files that its own
//     file refers to, which are the same by 2. What other packages have attached to models
//     (check.Memo) is dropped after each compile (Program.Trim). Everything else, such as
//     secrecy and the findings in their order, is made again.
//
// An example: main.bicep uses a.bicep and b.bicep, and b.bicep is edited. a.bicep is the same, so
// its model and its template are kept. b.bicep is not, and main.bicep is not, because it refers to
// b.bicep: both are checked and written again. main.bicep keeps its tree, which depends on its
// text alone.
//
// The order of calls: take removes the compilation from the workspace, so that no other compile
// changes it at the same time. graph.Load compares it with the files (Options.Before), and has
// config.Loader return equal configurations as the same objects (Loader.Reuse). If anything
// can be kept (graph.Program.Continues), continueFrom hands it to the new compilation; the emitter
// gets the templates by Emitter.Reuse. put gives the result back.
//
// A program that has used half of its budget is not kept, and one that goes beyond half by what it
// has kept is compiled once more from nothing: work that was done for an earlier version counts, too,
// and must not be the reason that a compile fails.

import (
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
)

// A Workspace keeps what the embedded compiler knows of programs between compiles, so that
// it only compiles what has changed. The result is the same as without a workspace. A file is
// read again and compared by its content, unless its FS can tell without reading it that it is as
// it was (source.VersionFS). A workspace may be used from several goroutines. Its zero value is
// ready for use.
type Workspace struct {
	// Most is how many programs are kept at most; 0 stands for any number.
	Most int

	mu    sync.Mutex
	kept  map[workspaceKey]*compilation
	order []workspaceKey // of kept, the one that was put first
	size  int            // of the sources of what is kept
}

// workspaceKey is what a request must have in common with the one before.
type workspaceKey struct {
	file, release, generator, azTypes, config string
	advice                                    Advice
	day                                       time.Time // rules of the linter depend on it
}

// maxWorkspace bounds the sources of the programs that are kept. A compiled program takes about
// forty times as much memory as its source, and more with Azure's types.
const maxWorkspace = 8 << 20

func keyOf(r *Request) workspaceKey {
	return workspaceKey{filepath.Clean(r.File), r.BicepVersion, r.GeneratorVersion, r.AzTypes, r.Config, r.Advice, lint.Today()}
}

// take returns what is kept for a request, or nil, and forgets it: no other compile may use it
// at the same time, since it changes. See "How a program is compiled again".
func (w *Workspace) take(r *Request) *compilation {
	if w == nil || r.Lenient || r.Unfetched || r.Symbolic { // Places ask models after the compile
		r.Workspace = nil
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(r)
	c := w.kept[key]
	if c != nil {
		w.remove(key, c)
	}
	return c
}

func (w *Workspace) remove(key workspaceKey, c *compilation) {
	delete(w.kept, key)
	w.order = slices.DeleteFunc(w.order, func(k workspaceKey) bool { return k == key })
	w.size -= c.size()
}

// put keeps a compilation for the next one, and forgets those that were compiled longest ago if
// there is no room. It keeps none that has used much of its budget, or
// that could not read types: a compile that begins with nothing may have another result.
func (w *Workspace) put(c *compilation) {
	if w == nil || c.budgetIsLow() || len(c.brokenTypes()) > 0 || c.azTypes.Err != nil {
		return
	}
	c.secret = nil
	c.program.Trim()
	size := c.size()
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(&c.request)
	if w.kept[key] != nil || size > maxWorkspace {
		return
	}
	for w.size+size > maxWorkspace || w.Most > 0 && len(w.order) >= w.Most {
		w.remove(w.order[0], w.kept[w.order[0]])
	}
	if w.kept == nil {
		w.kept = map[workspaceKey]*compilation{}
	}
	w.kept[key], w.order = c, append(w.order, key)
	w.size += size
}

// budgetIsLow reports whether so much was evaluated that more could exceed the limits.
func (c *compilation) budgetIsLow() bool { return c.program.Budget.HalfUsed(eval.DefaultLimits()) }

// size returns the size of the sources of a program.
func (c *compilation) size() (n int) {
	for _, f := range c.files.Files {
		n += len(f.Source.Text)
	}
	return n
}

// continueFrom goes on with what an earlier compilation of the program knows of the files
// that are the same: question 3 of "How a program is compiled again".
func (c *compilation) continueFrom(before *compilation) {
	c.azTypes, c.namespaces, c.program = before.azTypes, before.namespaces, before.program
	c.environment, c.texts = before.environment, before.texts
	c.environment.current = c.request.Env
	c.program.Continue(c.files)
	c.texts.Retain(c.files)
}

// environment is the environment of a program that is compiled again, which may have
// another one then. Only parameter files read it, and nothing of these is kept.
type environment struct{ current Environment }

func (e *environment) Lookup(name string) (string, bool) {
	if e.current == nil {
		return "", false
	}
	return e.current.Lookup(name)
}

func (e *environment) Hint(name string) string {
	if e.current == nil {
		return ""
	}
	return e.current.Hint(name)
}
