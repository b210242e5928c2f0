package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
)

func str(s string) *ir.String { return &ir.String{Value: s} }

func obj(kv ...any) *ir.Object {
	o := &ir.Object{}
	for i := 0; i < len(kv); i += 2 {
		o.Props = append(o.Props, &ir.Property{Key: str(kv[i].(string)), Value: kv[i+1].(ir.Expr)})
	}
	return o
}

func TestMergeProperty(t *testing.T) {
	t.Parallel()
	before := obj("a", str("1"), "m", obj("x", str("2")))
	after := ir.MergeProperty(before, "m", obj("y", str("3")))
	after = ir.MergeProperty(after, "a", str("4"))
	after = ir.MergeProperty(after, "z", str("5"))

	var keys []string
	for _, p := range after.Props {
		k, _ := p.KeyText()
		keys = append(keys, k)
	}
	got, want := len(keys), 3
	require.Equal(t, want, got, "keys = %q", keys)
	require.Equal(t, "a", keys[0], "keys = %q", keys)
	require.Equal(t, "m", keys[1], "keys = %q", keys)
	require.Equal(t, "z", keys[2], "keys = %q", keys)
	m := after.Property("m").Value.(*ir.Object)
	require.NotNil(t, m.Property("x"), "objects under one name should merge")
	require.NotNil(t, m.Property("y"), "objects under one name should merge")
	require.Len(t, before.Props, 2, "merging must leave the original as it is")
	require.Equal(t, "1", before.Property("a").Value.(*ir.String).Value, "merging must leave the original as it is")
}

func TestRewriteSharesWhatDoesNotChange(t *testing.T) {
	t.Parallel()
	left := &ir.Array{Items: []ir.Expr{&ir.Int{Value: 1}}}
	right := &ir.Array{Items: []ir.Expr{&ir.CopyIndex{}}}
	e := &ir.Ternary{Cond: &ir.Bool{Value: true}, Then: left, Else: right}
	got := ir.Rewrite(e, func(x ir.Expr) ir.Expr {
		if _, ok := x.(*ir.CopyIndex); ok {
			return &ir.Int{Value: 7}
		}
		return nil
	}).(*ir.Ternary)
	assert.True(t, got.Then == ir.Expr(left), "the untouched branch should be shared")
	assert.True(t, got.Else.(*ir.Array).Items[0].(*ir.Int).Value == 7, "the copy index should be replaced")
	_, ok := right.Items[0].(*ir.CopyIndex)
	assert.True(t, ok, "rewriting must leave the original as it is")
	same := ir.Rewrite(e, func(ir.Expr) ir.Expr { return nil })
	assert.True(t, same == ir.Expr(e), "a rewrite that changes nothing should return the same node")
}

func TestLocalsHideEarlierOnes(t *testing.T) {
	t.Parallel()
	a, b := new(bind.Local), new(bind.Local)
	var l *ir.Locals
	l = l.With(a, str("old")).With(b, str("other")).With(a, str("new"))
	assert.Equal(t, "new", l.Lookup(a).(*ir.String).Value, "a")
	assert.Nil(t, l.Lookup(new(bind.Local)), "an unknown local has no replacement")
}
