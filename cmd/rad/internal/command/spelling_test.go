package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

func TestSpellings(t *testing.T) {
	t.Parallel()
	c := newFormat(newApp(nil, nil, nil))
	for line, want := range map[string]string{
		"--outfile:a:b x.bicep":       "--outfile=a:b x.bicep",
		"--outfile=a:b":               "--outfile=a:b",
		"--stdout true x.bicep":       "--stdout=true x.bicep",
		"--stdout FALSE":              "--stdout=false",
		"--stdout x.bicep":            "--stdout x.bicep",
		"x.bicep --stdout":            "x.bicep --stdout",
		"--outfile --stdout":          "--outfile --stdout", // a file of that name
		"--outfile true":              "--outfile true",
		"--unknown:x":                 "--unknown:x",
		"-?":                          "--help",
		"-- --stdout true":            "-- --stdout true",
		"--insert-final-newline":      "--insert-final-newline",
		"--insert-final-newline:True": "--insert-final-newline=True",
	} {
		require.Equal(t, want, strings.Join(cli.UpstreamArgs(c, strings.Fields(line)), " "), line)
	}
}

func TestTheNameBicep(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"bicep": true, "/usr/bin/bicep": true, "./bicep": true, "rad": false, "/opt/bicep/rad": false, "bicep2": false, "": false} {
		require.Equal(t, want, CalledAsBicep(name), name)
	}
}
