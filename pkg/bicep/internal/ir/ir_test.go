package ir_test

import (
	"testing"

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
	if got, want := len(keys), 3; got != want || keys[0] != "a" || keys[1] != "m" || keys[2] != "z" {
		t.Fatalf("keys = %q", keys)
	}
	if m := after.Property("m").Value.(*ir.Object); m.Property("x") == nil || m.Property("y") == nil {
		t.Error("objects under one name should merge")
	}
	if len(before.Props) != 2 || before.Property("a").Value.(*ir.String).Value != "1" {
		t.Error("merging must leave the original as it is")
	}
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
	if got.Then != ir.Expr(left) {
		t.Error("the untouched branch should be shared")
	}
	if got.Else.(*ir.Array).Items[0].(*ir.Int).Value != 7 {
		t.Error("the copy index should be replaced")
	}
	if _, ok := right.Items[0].(*ir.CopyIndex); !ok {
		t.Error("rewriting must leave the original as it is")
	}
	same := ir.Rewrite(e, func(ir.Expr) ir.Expr { return nil })
	if same != ir.Expr(e) {
		t.Error("a rewrite that changes nothing should return the same node")
	}
}

func TestLocalsHideEarlierOnes(t *testing.T) {
	t.Parallel()
	a, b := new(bind.Local), new(bind.Local)
	var l *ir.Locals
	l = l.With(a, str("old")).With(b, str("other")).With(a, str("new"))
	if got := l.Lookup(a).(*ir.String).Value; got != "new" {
		t.Errorf("a = %s", got)
	}
	if l.Lookup(new(bind.Local)) != nil {
		t.Error("an unknown local has no replacement")
	}
}
