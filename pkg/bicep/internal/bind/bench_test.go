package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
)

func BenchmarkBind(b *testing.B) {
	var s strings.Builder
	s.WriteString("param location string\nvar prefix = 'x'\n")
	for i := range 2000 {
		fmt.Fprintf(&s, `resource r%[1]d 'A.B/c@2020-01-01' = {
  name: '${prefix}%[1]d'
  location: location
  properties: {
    list: [
      'a'
      {
        k: concat('x', prefix)
      }
    ]
`, i)
		if i > 0 {
			fmt.Fprintf(&s, "    other: r%d.properties.x\n", i/2)
		}
		s.WriteString("  }\n}\n")
	}
	f := loaded(b, "main.bicep", s.String()).Entry
	b.ReportAllocs()
	b.SetBytes(int64(s.Len()))
	for b.Loop() {
		bind.Bind(f, env{})
	}
}
