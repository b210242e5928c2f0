package armjson_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/armjson"
)

func TestWithParts(t *testing.T) {
	t.Parallel()
	mark := func(name string, part armjson.Value) armjson.Value {
		return armjson.String(name + "=" + armjson.Text(part))
	}
	for text, want := range map[string]string{
		`{"b": 1, "a": [2], "": null}`: `{"b":"b=1","a":"a=[2]","":"=null"}`,
		`[1, {"a": 2}]`:                `["=1","={\"a\":2}"]`,
		`[]`:                           `[]`,
		`{}`:                           `{}`,
		`"text"`:                       `"text"`,
		`null`:                         `null`,
	} {
		v, err := armjson.Parse(text, armjson.Options{})
		assert.NoError(t, err)
		before := armjson.Text(v)
		assert.Equal(t, want, armjson.Text(armjson.WithParts(v, mark)))
		assert.Equal(t, before, armjson.Text(v), "the value itself does not change")
	}
}
