package appgraph_test

import (
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/appgraph"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// rect is a box of a drawing.
type rect struct {
	Class string  `xml:"class,attr"`
	X     float64 `xml:"x,attr"`
	Y     float64 `xml:"y,attr"`
	W     float64 `xml:"width,attr"`
	H     float64 `xml:"height,attr"`
}

func (r rect) within(o rect) bool {
	return r.X >= o.X && r.Y >= o.Y && r.X+r.W <= o.X+o.W && r.Y+r.H <= o.Y+o.H
}

func (r rect) apart(o rect) bool {
	return r.X+r.W <= o.X || o.X+o.W <= r.X || r.Y+r.H <= o.Y || o.Y+o.H <= r.Y
}

// onSide reports whether a point is on the left or the right side of a box.
func (r rect) onSide(x, y float64) bool {
	const near = 0.11 // coordinates are rounded
	return (math.Abs(x-r.X) < near || math.Abs(x-r.X-r.W) < near) && y >= r.Y-near && y <= r.Y+r.H+near
}

// checkDrawing reports what is wrong with a drawing: boxes that overlap, lines that end elsewhere, texts that are too
// long for their boxes.
func checkDrawing(t *testing.T, name, svg string) (boxes, modules, lines int) {
	t.Helper()
	var d struct {
		W     float64 `xml:"width,attr"`
		H     float64 `xml:"height,attr"`
		Rects []rect  `xml:"rect"`
		Paths []struct {
			D string `xml:"d,attr"`
		} `xml:"path"`
		Texts []struct {
			Class string  `xml:"class,attr"`
			X     float64 `xml:"x,attr"`
			Y     float64 `xml:"y,attr"`
			Text  string  `xml:",chardata"`
		} `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal([]byte(svg), &d), "%s\n%s", name, svg)
	for i, r := range d.Rects {
		require.True(t, r.within(rect{W: d.W, H: d.H}), "%s: %v is outside of the drawing", name, r)
		if r.Class == "module" {
			modules++
		} else {
			boxes++
		}
		for _, o := range d.Rects[:i] {
			nested := r.Class == "module" && o.within(r) || o.Class == "module" && r.within(o)
			require.True(t, nested || r.apart(o), "%s: %v and %v overlap", name, r, o)
		}
	}
	for _, p := range d.Paths {
		var x1, y1, a, b, c, e, x2, y2 float64
		_, err := fmt.Sscanf(p.D, "M%f %fC%f %f %f %f %f %f", &x1, &y1, &a, &b, &c, &e, &x2, &y2)
		require.NoError(t, err, p.D)
		begins, ends := false, false
		for _, r := range d.Rects {
			begins, ends = begins || r.onSide(x1, y1), ends || r.onSide(x2, y2)
		}
		require.True(t, begins && ends, "%s: the line %s does not go from a box to a box", name, p.D)
		lines++
	}
	for _, text := range d.Texts {
		size := 7.3
		if text.Class == "small" {
			size = 6.2
		}
		fits := len(d.Rects) == 0
		for _, r := range d.Rects {
			fits = fits || rect{X: text.X, Y: text.Y, W: size * float64(len([]rune(text.Text)))}.within(r)
		}
		require.True(t, fits, "%s: %q does not fit into its box", name, text.Text)
	}
	return boxes, modules, lines
}

func drawn(t *testing.T, path string, files source.FS) *appgraph.Graph {
	t.Helper()
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: path, Options: bicep.Options{Symbolic: true, Lenient: true}})
	if err != nil || result.Template == nil {
		return nil
	}
	template, err := result.TemplateTree()
	require.NoError(t, err)
	e, err := expand.Expand(template, expand.Options{Tolerant: true, Graphs: true, All: true})
	require.NoError(t, err)
	return appgraph.New(e, "")
}

// The samples are drawn without boxes that overlap; each line goes from a box to a box.
func TestDrawingsOfSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/*/*.bicep")
	require.NoError(t, err)
	drawings, boxes, modules, lines := 0, 0, 0, 0
	for _, f := range files {
		path, err := filepath.Abs(f)
		require.NoError(t, err)
		g := drawn(t, path, source.Disk{})
		if g == nil {
			continue
		}
		b, m, l := checkDrawing(t, f, g.SVG())
		assert.GreaterOrEqual(t, b+m, len(g.Nodes), f)
		drawings, boxes, modules, lines = drawings+1, boxes+b, modules+m, lines+l
	}
	assert.Greater(t, drawings, 20)
	assert.Greater(t, boxes, 60)
	assert.Greater(t, modules, 3)
	assert.Greater(t, lines, 20)
}

// Modules in modules, what needs each other in a circle, and names that mean something in XML.
func TestDrawingOfModules(t *testing.T) {
	t.Parallel()
	files := source.Memory{
		"/app.bicep": `param a string
resource one 'Contoso.Sea/boats@2024-01-01' = { name: 'one', properties: { x: outer[0].outputs.id } }
module outer 'outer.bicep' = [for i in range(0, 2): { name: 'outer-${i}', params: { i: i } }]
resource two 'Contoso.Sea/boats@2024-01-01' = { name: '<b>&"two', properties: { x: one.id, y: outer[1].outputs.id } }
resource three 'Contoso.Sea/boats@2024-01-01' = { name: a, dependsOn: [two] }
resource there 'Contoso.Sea/boats@2024-01-01' existing = { name: 'there' }
resource four 'Contoso.Sea/boats@2024-01-01' = { name: 'four', properties: { x: there.properties.y } }
`,
		"/outer.bicep": `param i int
resource in1 'Contoso.Sea/boats@2024-01-01' = { name: 'in1-${i}' }
resource in2 'Contoso.Sea/boats@2024-01-01' = { name: 'in2-${i}', properties: { x: in1.id, y: inner.outputs.id } }
module inner 'inner.bicep' = { name: 'inner', params: { i: i } }
output id string = in2.id
`,
		"/inner.bicep": `param i int
resource deep 'Contoso.Sea/boats@2024-01-01' = { name: 'deep-${i}' }
output id string = deep.id
`,
	}
	g := drawn(t, "/app.bicep", files)
	svg := g.SVG()
	boxes, modules, lines := checkDrawing(t, "modules", svg)
	assert.Equal(t, 11, boxes)
	assert.Equal(t, 4, modules)
	assert.Greater(t, lines, 8)
	for _, want := range []string{">module outer[0] (", ">two (&lt;b&gt;&amp;&#34;two)<", ">three<", "box existing", "prefers-color-scheme: dark"} {
		assert.Contains(t, svg, want)
	}
	assert.Less(t, strings.LastIndex(svg, "<path class=\"line"), strings.Index(svg, "<text"), "a line strikes out a text")
	assert.Contains(t, g.Dot(), `"outer[1]/in1 (in1-1)\n`)

	circle := &appgraph.Graph{}
	for _, name := range []string{"a", "b", "c"} {
		next := map[string]string{"a": "b", "b": "c", "c": "a"}[name]
		circle.Nodes = append(circle.Nodes, &appgraph.Node{ID: name, Name: name, Connections: []appgraph.Edge{{ID: next, Outbound: true, Kind: appgraph.Connection}, {ID: name, Outbound: true}}})
	}
	boxes, _, lines = checkDrawing(t, "a circle", circle.SVG())
	assert.Equal(t, 3, boxes)
	assert.Equal(t, 3, lines)
	checkDrawing(t, "nothing", (&appgraph.Graph{}).SVG())
	assert.Contains(t, (&appgraph.Graph{}).SVG(), "no resources")

	// A long chain takes time in proportion, and no deep stack.
	chain := &appgraph.Graph{}
	for i := range 50_000 {
		n := &appgraph.Node{ID: fmt.Sprint(i), Name: strings.Repeat("n", 60)}
		if i > 0 {
			n.Connections = []appgraph.Edge{{ID: fmt.Sprint(i - 1), Outbound: true}}
		}
		chain.Nodes = append(chain.Nodes, n)
	}
	assert.Less(t, len(chain.SVG()), 40_000_000)
}
