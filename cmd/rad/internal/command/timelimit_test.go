package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestEveryCommandHasATimeLimit: also one that is added later, and one without other settings.
func TestEveryCommandHasATimeLimit(t *testing.T) {
	t.Parallel()
	for _, newTree := range []func(*app, []string) *cobra.Command{newRoot, newBicepRoot} {
		a := newApp(strings.NewReader(""), io.Discard, io.Discard)
		root := newTree(a, nil)
		commands := 0
		var visit func(c *cobra.Command)
		visit = func(c *cobra.Command) {
			for _, sub := range c.Commands() {
				visit(sub)
			}
			if c.HasSubCommands() {
				return
			}
			commands++
			flag := c.Flags().Lookup("time-limit")
			require.NotNil(t, flag, c.CommandPath())
			require.Equal(t, "1m0s", flag.DefValue, c.CommandPath())
		}
		visit(root)
		require.Greater(t, commands, 25)
	}
}

// TestTheTimeLimitEndsWork: work that looks at its context stops, and work that does not is not waited
// for. The error names the file that was in work for the longest time.
func TestTheTimeLimitEndsWork(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deaf, dropIn, json bool
		status             int
		says               string
	}{
		"work that stops":         {false, false, false, cli.ExitIO, "slow.bicep: it is not done after 100ms"},
		"a drop-in that stops":    {false, true, false, 1, "slow.bicep: it is not done after 100ms"},
		"work that does not stop": {true, false, false, cli.ExitIO, "slow.bicep: it is not done after 100ms"},
		"a drop-in that does not": {true, true, false, 1, "slow.bicep: it is not done after 100ms"},
		"an answer in JSON":       {false, false, true, cli.ExitIO, `"code": "timeout"`},
		"an answer in JSON, deaf": {true, false, true, cli.ExitIO, `"code": "timeout"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			a := newApp(strings.NewReader(""), &out, &out)
			ended := make(chan int, 9)
			a.Exit = func(status int) { ended <- status }
			begun, released := make(chan bool), make(chan bool)
			root := &cobra.Command{Use: "rad", SilenceErrors: true, SilenceUsage: true}
			slow := &cobra.Command{Use: "slow", RunE: func(command *cobra.Command, _ []string) error {
				a.Working("done.bicep")()
				defer a.Working("slow.bicep")()
				a.Working("later.bicep")
				close(begun)
				if c.deaf {
					<-released
					return nil
				}
				<-command.Context().Done()
				return command.Context().Err()
			}}
			if c.dropIn {
				slow.Annotations = map[string]string{cli.DropIn: "slow"}
			}
			a.TakesFormat(slow, "text", "json")
			root.AddCommand(slow, &cobra.Command{Use: "other", RunE: cli.Help})
			a.addTimeLimit(root)
			args := []string{"slow", "--time-limit", "100ms"}
			if c.json {
				args = append(args, "--format", "json")
			}
			root.SetArgs(args)
			ctx, stop := a.Timed(t.Context())
			defer stop()
			concluded := make(chan int, 1)
			go func() {
				command, err := root.ExecuteContextC(ctx)
				status := a.Conclude(ctx, command, err)
				if a.Answers(command, args, err) && !c.deaf {
					status = a.Answer(ctx, command, status, err)
				}
				concluded <- status
			}()
			<-begun
			if c.deaf {
				require.Equal(t, c.status, <-ended)
				close(released)
			} else {
				require.Equal(t, c.status, <-concluded)
				require.Empty(t, ended)
			}
			require.Contains(t, out.String(), c.says)
		})
	}
}

// TestTheTimeLimitKeepsFindings: what was found until then is reported, and what is one document stays one.
func TestTheTimeLimitKeepsFindings(t *testing.T) {
	t.Parallel()
	for _, format := range []report.Format{report.JSON, report.SARIF, report.GitLab} {
		for _, deaf := range []bool{false, true} {
			t.Run(fmt.Sprint(format, deaf), func(t *testing.T) {
				t.Parallel()
				var out, errs strings.Builder
				a := newApp(strings.NewReader(""), &out, &errs)
				ended := make(chan int, 9)
				a.Exit = func(status int) { ended <- status }
				ctx, stop := a.Timed(t.Context())
				defer stop()
				found := a.NewReporter(format, "", "", "")
				a.LimitTime(time.Millisecond)
				require.NoError(t, found.Add([]report.Finding{{Path: "/a.bicep", Code: "kept", Severity: report.Warning, Start: source.Position{Line: 1, Column: 1}}}))
				<-ctx.Done()
				if deaf {
					require.Equal(t, cli.ExitIO, <-ended)
				} else {
					require.Equal(t, cli.ExitIO, a.Conclude(ctx, &cobra.Command{}, found.End(ctx.Err())))
				}
				require.Empty(t, out.String())
				require.True(t, json.Valid([]byte(errs.String())), errs.String())
				require.Contains(t, errs.String(), "kept")
				require.Contains(t, errs.String(), "it is not done after 1ms")
			})
		}
	}
}

// TestNoTimeLimit: 0 is none, and what is done in time is not disturbed.
func TestNoTimeLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []time.Duration{0, time.Hour} {
		a := newApp(strings.NewReader(""), io.Discard, io.Discard)
		a.Exit = func(int) { t.Error("the process was ended") }
		ctx, stop := a.Timed(t.Context())
		a.LimitTime(time.Second)
		a.LimitTime(limit) // a settings file has the last word
		time.Sleep(1200 * time.Millisecond)
		require.NoError(t, ctx.Err())
		stop()
	}
}
