package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadBuilt(t *testing.T) {
	t.Parallel()
	info := func(version string, settings ...string) *debug.BuildInfo {
		b := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return b
	}
	for name, test := range map[string]struct {
		info *debug.BuildInfo
		want built
	}{
		"nothing known": {nil, built{"(devel)", "", ""}},
		"no version":    {info(""), built{"(devel)", "", ""}},
		"go install":    {info("v1.2.3"), built{"v1.2.3", "", ""}},
		"go install a commit": {info("v1.2.4-0.20260102030405-0123456789ab"),
			built{"v1.2.4-0.20260102030405-0123456789ab", "0123456789ab", "2026-01-02T03:04:05Z"}},
		"go install before any tag": {info("v0.0.0-20260102030405-0123456789ab+incompatible"),
			built{"v0.0.0-20260102030405-0123456789ab+incompatible", "0123456789ab", "2026-01-02T03:04:05Z"}},
		"a checkout": {info("v1.2.3", "vcs.revision", "abc", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "false"),
			built{"v1.2.3", "abc", "2026-01-02T03:04:05Z"}},
		"a changed checkout": {info("v1.2.3+dirty", "vcs.revision", "abc", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"),
			built{"v1.2.3+dirty", "abc, modified", "2026-01-02T03:04:05Z"}},
	} {
		require.Equal(t, test.want, ReadBuilt(test.info), name)
	}
}
