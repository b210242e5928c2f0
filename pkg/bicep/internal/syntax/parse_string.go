package syntax

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

const pieceEnds set = 1<<stringMiddle | 1<<stringRight | lineEnd

// interpolated reads a string with its holes, or returns *Skipped for one that
// is not whole. It does not fail.
//
//	string = stringComplete | stringLeft expr { stringMiddle expr } stringRight
func (p *parser) interpolated() Expr {
	m := p.mark()
	if t := p.peek(); t.kind == stringComplete {
		p.advance()
		if v, ok := stringSegment(t, p.text); ok {
			return p.plainString(t, v)
		}
		return p.brokenString(m)
	}
	var (
		fewPieces [4]token // room for most strings
		fewHoles  [3]Expr
		pieces    = fewPieces[:0]
		holes     = fewHoles[:0]
		last      = stringComplete
		next      = stringLeft
	)
	for {
		switch t := p.peek(); t.kind {
		case last:
			p.advance()
			pieces = append(pieces, t)
			if s := p.wholeString(pieces, holes); s != nil {
				return s
			}
			return p.brokenString(m)
		case next:
			p.advance()
			pieces = append(pieces, t)
			holes = append(holes, p.hole())
			if p.check(newLine) || p.atEnd() {
				return p.brokenString(m)
			}
		default:
			holes = append(holes, p.skipRest(p.mark(), pieceEnds, diag.BCP064))
			if !p.check(stringMiddle) && !p.check(stringRight) {
				return p.brokenString(m)
			}
		}
		last, next = stringRight, stringMiddle
	}
}

// hole reads the expression in a hole and passes over what follows it.
func (p *parser) hole() Expr {
	m := p.mark()
	x := p.expressionOr(0, false, pieceEnds)
	if !p.checkIn(pieceEnds) {
		return p.skipRest(m, pieceEnds, diag.BCP064)
	}
	return x
}

func (p *parser) wholeString(pieces []token, holes []Expr) Expr {
	if len(holes) != len(pieces)-1 {
		return nil
	}
	h := p.make.holed.New(holed{
		segments: p.make.segments.Make(len(pieces)),
		exprs:    p.make.exprs.lists.List(holes),
		tokens:   p.make.tokens.Make(len(pieces)),
	})
	for i, t := range pieces {
		v, ok := stringSegment(t, p.text)
		if !ok {
			return nil
		}
		h.segments[i], h.tokens[i] = v, t.span()
	}
	whole := source.Span{Start: pieces[0].start, End: pieces[len(pieces)-1].end}
	return p.make.strings.New(String{expression: p.expr(whole), Multiline: pieces[0].marks.has(multiline), holed: h})
}

// brokenString stands for a string that could not be read; what is wrong with it has been reported.
func (p *parser) brokenString(m point) *Skipped {
	return &Skipped{p.node(source.Span{Start: m.start, End: p.peek().start})}
}

// stringOrFail reads a string, or fails at its first token.
func (p *parser) stringOrFail(r diag.Kind) Expr {
	first := p.peek()
	x := p.interpolated()
	if _, bad := x.(*Skipped); bad {
		p.fail(first, r)
		return nil
	}
	return x
}
