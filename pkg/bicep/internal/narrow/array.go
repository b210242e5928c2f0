package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// narrowArray returns nil where nothing more is known of the value.
func (n *narrower) narrowArray(c narrowing, x syntax.Node, actual types.Type, target types.ArrayLike) types.Type {
	switch x := x.(type) {
	case *syntax.Array:
		return n.narrowArrayLiteral(c, x, target)
	case *syntax.VarRef:
		if value := n.valueOf(x); value != nil {
			return n.follow(c, x, value, nil, target, func(n *narrower, c narrowing) types.Type {
				return n.narrow(c, value, target)
			})
		}
	}
	check := listCheck{x, actual, target, c.skipConstant, c.disallowAny, c.resource}
	if t, ok := c.seen.lists[check]; ok {
		if t == nil {
			return target // it is an item of itself
		}
		return t
	}
	if c.seen.lists == nil {
		c.seen.lists = map[listCheck]types.Type{}
	}
	c.seen.lists[check] = nil
	said := c.seen.said
	t := n.narrowList(c, x, actual, target)
	if t == nil || c.seen.said > said {
		delete(c.seen.lists, check) // it is checked again, and reported again, where it is met again
	} else {
		c.seen.lists[check] = t
	}
	return t
}

// narrowList checks a list of which only the type is known.
func (n *narrower) narrowList(c narrowing, x syntax.Node, actual types.Type, target types.ArrayLike) types.Type {
	part := c.deeper(x, x)
	if a, ok := actual.(*types.Tuple); ok {
		if t, ok := target.(*types.Tuple); ok {
			if len(a.Items) != len(t.Items) {
				n.report(diag.BCP332.At(x.Span(), int64(len(a.Items)), int64(len(t.Items))).As(severity(c.warns(target))))
				return actual
			}
			items := make([]types.Ref, len(a.Items))
			for i := range a.Items {
				of, to := a.Items[i].Type(), t.Items[i].Type()
				if _, ok := of.(*types.Tuple); ok && of == to {
					items[i] = of // the same type fits; tuples that share parts can be very deep
					continue
				}
				items[i] = n.narrowTo(part, x, of, to)
			}
			return types.NewTuple(items, t.Flags())
		}
	}
	a, ok := actual.(types.ArrayLike)
	if !ok {
		return nil
	}
	lo, hi := a.Lengths()
	wantLo, wantHi := target.Lengths()
	if !n.checkRange(lengthRange, x, c.warns(target), lo, hi, wantLo, wantHi) {
		return actual
	}
	item := n.narrowTo(part, x, a.ItemRef().Type(), target.ItemRef().Type())
	return types.NewTypedArray(item, positive(greaterBound(lo, wantLo)), lesserBound(hi, wantHi), target.Flags())
}

func (n *narrower) narrowArrayLiteral(c narrowing, x *syntax.Array, target types.ArrayLike) types.Type {
	if n.nodes.HasParseErrors(x) {
		return target
	}
	wrong := func(kind diag.Kind) mismatch {
		return mismatch{kind: ofItem, report: n.report, item: kind, array: target}
	}
	tuple, _ := target.(*types.Tuple)
	items := make([]types.Ref, 0, len(x.Items))
	spread := false
	for _, item := range x.Items {
		inner := c
		inner.skipErrors = true
		switch item := item.(type) {
		case *syntax.Skipped:
			continue
		case *syntax.Spread:
			spread = true
			inner.mismatch = wrong(diag.BCP403)
			key := spreadItem{item.X, target.ItemRef(), target.Flags()}
			t := n.spreads[key]
			if t == nil {
				t = n.narrow(inner, item.X, types.NewTypedArray(key.item, nil, nil, key.flags))
				if n.spreads == nil {
					n.spreads = map[spreadItem]types.Type{}
				}
				n.spreads[key] = t
			}
			if a, ok := t.(types.ArrayLike); ok {
				items = append(items, a.ItemRef())
			} else {
				items = append(items, types.TAny)
			}
		default:
			// After a spread it is not known which item of a tuple this is.
			want := types.Type(types.TAny)
			switch {
			case tuple == nil || spread:
				want = target.ItemRef().Type()
			case len(items) < len(tuple.Items):
				want = tuple.Items[len(items)].Type()
			}
			inner.mismatch = wrong(diag.BCP034)
			items = append(items, n.narrow(inner, item, want))
		}
	}
	if spread {
		return types.NewTypedArray(types.NewUnion(items...), nil, nil, target.Flags())
	}
	length := int64(len(items))
	wantLo, wantHi := target.Lengths()
	n.checkRange(lengthRange, x, c.warns(target), &length, &length, wantLo, wantHi)
	return types.NewTuple(items, target.Flags())
}
