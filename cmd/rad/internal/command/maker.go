package command

import (
	"context"
	"runtime/debug"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
)

// manyTargets take more memory together than each by itself.
const manyTargets = 50

// maker makes the manifests of targets.
type maker struct {
	app     *app
	side    project.Side
	ask     run.Ask
	explain bool // say where the values of parameters came from
	traced  bool // note what is read
	watched bool // and what was seen of it before
	apart   bool // each object gets a file of its own
	shared  run.Shared
}

// make makes the manifests of targets, several at a time, and reports what was found in them.
func (m *maker) make(ctx context.Context, d *deliver.Delivery, list []*targets.Target) ([]*run.Outcome, error) {
	done := m.app.CountOn(len(list))
	made := make([]*run.Outcome, len(list))
	if len(list) > manyTargets {
		memory.ExpectMany()
	}
	for i, r := range run.Each(list, run.Workers(len(list)), func(t *targets.Target) *run.Outcome {
		defer done(t.Input)
		return m.one(ctx, t)
	}) {
		made[i] = r
	}
	if m.app.watcher.HasChanged(ctx) {
		return nil, watch.ErrChanged
	}
	m.app.noteRead(made)
	err := d.Stopped(ctx, made)
	if err == nil {
		err = d.Report(made)
	}
	if err == nil {
		err = deliver.CheckCollisions(made)
	}
	return made, err
}

func (m *maker) one(ctx context.Context, t *targets.Target) (r *run.Outcome) {
	r = &run.Outcome{Target: t}
	defer func() {
		if v := recover(); v != nil {
			r.Err = &bicep.InternalError{File: t.Input, Fault: v, Stack: debug.Stack()}
		}
	}()
	if r.Err = ctx.Err(); r.Err != nil {
		return r
	}
	defer m.app.Working(t.Arg)()
	side := m.side
	if m.traced {
		r.Reads = workdir.NewTrace()
		if m.watched {
			r.Reads.NoteStates()
		}
		side = side.Traced(r.Reads)
	}
	if r.Target, r.Err = t.Open(ctx, side); r.Err != nil {
		return r
	}
	r.Header = r.Target.Header()
	if k := r.Target.Kind(); k != nil {
		m.objects(ctx, side, r, k)
	} else {
		m.template(ctx, side, r)
	}
	return r
}
