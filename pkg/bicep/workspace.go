package bicep

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
)

// A Workspace keeps what the embedded compiler knows of programs between compiles, so that
// it only compiles what has changed. Every file is read again and compared by its content;
// the result is the same as without a workspace. A workspace may be used from several
// goroutines. Its zero value is ready for use.
type Workspace struct {
	mu    sync.Mutex
	kept  map[workspaceKey]*compilation
	size  int                   // of the sources of what is kept
	asked map[workspaceKey]bool // since the last Sweep
}

// workspaceKey is what a request must have in common with the one before.
type workspaceKey struct {
	file, generator, azTypes, config string
	day                              time.Time // rules of the linter depend on it
}

// maxWorkspace bounds the sources of the programs that are kept. What is known of a
// program takes about forty times as much memory.
const maxWorkspace = 8 << 20

func keyOf(r *Request) workspaceKey {
	return workspaceKey{filepath.Clean(r.File), r.GeneratorVersion, r.AzTypes, r.Config, lint.Today()}
}

// Sweep forgets the programs that were not compiled since it was last called.
func (w *Workspace) Sweep() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, c := range w.kept {
		if !w.asked[key] {
			w.remove(key, c)
		}
	}
	w.asked = nil
}

// take returns what is kept for a request, or nil, and forgets it: no other compile may use it
// at the same time, since it changes.
func (w *Workspace) take(r *Request) *compilation {
	if w == nil || r.Lenient || r.Symbolic { // Places ask models after the compile
		r.Workspace = nil
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(r)
	if w.asked == nil {
		w.asked = map[workspaceKey]bool{}
	}
	w.asked[key] = true
	c := w.kept[key]
	if c != nil {
		w.remove(key, c)
	}
	return c
}

func (w *Workspace) remove(key workspaceKey, c *compilation) {
	delete(w.kept, key)
	w.size -= c.size()
}

// put keeps a compilation for the next one. It keeps none that has used much of its budget, or
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
	if w.kept[key] != nil || w.size+size > maxWorkspace {
		return
	}
	if w.kept == nil {
		w.kept = map[workspaceKey]*compilation{}
	}
	w.kept[key] = c
	w.size += size
}

// budgetIsLow reports whether so much was evaluated that more could exceed the limits.
func (c *compilation) budgetIsLow() bool { return c.program.Budget.HalfUsed(eval.DefaultLimits) }

// size returns the size of the sources of a program.
func (c *compilation) size() (n int) {
	for _, f := range c.files.Files {
		n += len(f.Source.Text)
	}
	return n
}

// continueFrom goes on with what an earlier compilation of the program knows of the files
// that are still the same.
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
