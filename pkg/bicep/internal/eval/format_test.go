package eval_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		format('->{0}<-', 123) → "->123<-"
		format('{0}/{1}/{2}/{3}', 1, 2, 3, true()) → "1/2/3/True"
		format('{0}-{1}', 'a', 2) → "a-2"
		format('{1}{0}{1}', 'a', 'b') → "bab"
		format('plain') → "plain"
		format('{0}, {1}. Formatted number: {2:N0}', 'Hello', 'User', 8175133) → "Hello, User. Formatted number: 8,175,133"
		format('') → ""
		format('{{}}') → "{}"
		format('{{{0}}}', 1) → "{1}"
		format('{0}', null()) → ""
		format('{0}', false()) → "False"
		format('{0}', json('1.50')) → "1.5"
		format('{0}', json('1e20')) → "1E+20"
		# arrays and objects are JSON in single quotes
		format('>{0}<', createObject('a', 'b', '!c', 2)) → ">{'a':'b','!c':2}<"
		format('>{0}<', createArray(true(), 2893, 'abc')) → ">[true,2893,'abc']<"
		format('{0}', createArray('it''s', 'say "x"')) → "['it's','say \\'x\\'']"
		format('{0}', createArray(null(), createObject())) → "[null,{}]"
		format('{0}') → !
		format('{1}', 'a') → !
		format('->{123}<-', 123) → !
		format('{', 1) → !
		format('}', 1) → !
		format('{}', 1) → !
		format('{a}', 1) → !
		format('{0', 1) → !
		format('{-1}', 1) → !
		format('{0:{1}}', 1, 2) → !
		format(1) → !
		format('{0 }', 1) → "1"
		format('{ 0}', 1) → !
		format('[{0,5}]', 'ab') → "[   ab]"
		format('[{0,-5}]', 'ab') → "[ab   ]"
		format('[{0, 5}]', 12) → "[   12]"
		format('[{0,1}]', 'abc') → "[abc]"
		format('[{0,}]', 'abc') → !
		format('[{0,x}]', 'abc') → !
		format('[{0,4:D2}]', 7) → "[  07]"
		format('{0:D3}', 7) → "007"
		format('{0:D3}', -7) → "-007"
		format('{0:d}', 7) → "7"
		format('{0:D}', json('1.5')) → !
		format('{0:N}', 1234567) → "1,234,567.00"
		format('{0:N0}', 1234567) → "1,234,567"
		format('{0:N1}', json('-1234.56')) → "-1,234.6"
		format('{0:N2}', 12) → "12.00"
		format('{0:F2}', 3) → "3.00"
		# what is halfway goes to the even digit; 2.675 is a little less than that
		format('{0:F1}', json('0.25')) → "0.2"
		format('{0:F1}', json('0.35')) → "0.3"
		format('{0:F2}', json('2.675')) → "2.67"
		format('{0:F2}', json('0.375')) → "0.38"
		format('{0:N0}', json('1234.5')) → "1,234"
		# and floats keep their sign when nothing else is left
		format('{0:F0}', json('-0.2')) → "-0"
		format('{0:F0}', json('12345678901234567890123')) → "12345678901234567890123"
		format('{0:X}', 255) → "FF"
		format('{0:x4}', 255) → "00ff"
		format('{0:X}', -1) → "FFFFFFFFFFFFFFFF"
		format('{0:B}', 5) → "101"
		format('{0:P}', json('0.1234')) → "12.34 %"
		format('{0:P0}', 1) → "100 %"
		format('{0:C}', 1234) → "¤1,234.00"
		format('{0:C0}', -5) → "(¤5)"
		format('{0:P1}', json('-0.0256')) → "-2.6 %"
		format('{0:P}', 12) → "1,200.00 %"
		format('{0:E2}', 12345) → "1.23E+004"
		# integers are rounded by their digits, away from zero
		format('{0:E3}', 12345) → "1.235E+004"
		format('{0:E2}', json('9223372036854775807')) → "9.22E+018"
		format('{0:E18}', json('9223372036854775807')) → "9.223372036854775807E+018"
		format('{0:E1}', 99999) → "1.0E+005"
		format('{0:E}', 0) → "0.000000E+000"
		format('{0:E1}', json('-0.000125')) → "-1.3E-004"
		format('{0:e1}', 12345) → "1.2e+004"
		format('{0:G}', 12345) → "12345"
		format('{0:G3}', 12345) → "1.23E+04"
		format('{0:G5}', 12345) → "12345"
		format('{0:G4}', 12345) → "1.235E+04"
		format('{0:g2}', 12345) → "1.2e+04"
		format('{0:G17}', json('0.1')) → "0.10000000000000001"
		format('{0:G3}', json('0.0001234')) → "0.000123"
		format('{0:G3}', json('0.00001234')) → "1.23E-05"
		format('{0:G3}', json('120.0')) → "120"
		format('{0:G2}', json('0.0')) → "0"
		format('{0:g}', json('1e20')) → "1e+20"
		format('{0:R}', json('0.1')) → "0.1"
		format('{0:R}', 1) → "1"
		format('{0:Z}', 1) → !
		format('{0:0000}', 42) → "0042"
		format('{0:#,##0.00}', json('1234567.891')) → "1,234,567.89"
		format('{0:#,##0}', 0) → "0"
		format('{0:#,#}', 1234567) → "1,234,567"
		format('{0:#}', 0) → ""
		format('{0:0.##}', json('1.5')) → "1.5"
		format('{0:0.##}', 1) → "1"
		format('{0:0.00}', 1) → "1.00"
		format('{0:.##}', json('12.5')) → "12.5"
		format('{0:000-000}', 123456) → "123-456"
		format('{0:00-00}', 123456) → "1234-56"
		format('{0:0%}', json('0.5')) → "50%"
		format('{0:0,}', 12345) → "12"
		format('{0:#;(#);zero}', -5) → "(5)"
		format('{0:#;(#);zero}', 0) → "zero"
		format('{0:#;(#)}', 5) → "5"
		format('{0:''x''0}', 5) → "x5"
		format('{0:\\0}', 5) → "\\5"
		format('{0:0}', -5) → "-5"
		format('{0:0}', json('-0.2')) → "-0"
		format('{0:0.0}', json('0.25')) → "0.3"
		format('{0:#.###}', json('0.005')) → ".005"
		format('{0:0.##}', json('0.001')) → "0"
		format('{0:#,##0.0#}', json('-1234567.891')) → "-1,234,567.89"
		format('{0:0;(0);zero}', json('-0.2')) → "zero"
		format('{0:0;;zero}', -3) → "-3"
		format('{0:000,000}', 12) → "000,012"
		format('{0:0,,}', 1234567) → "1"
		format('{0:0.00%}', json('0.12345')) → "12.35%"
		format('{0:0‰}', json('0.0125')) → "13‰"
		format('{0:0.00E+00}', 12345) → "1.23E+04"
		format('{0:0.0e0}', json('0.00025')) → "2.5e-4"
		format('{0:##0.0E-000}', 12345) → "123.5E002"
		format('{0:0 E}', 5) → "5 E"
		format('{0:abc}', 5) → "abc"
		format('{0:abc}', -5) → "-abc"
		format('{0:0.00}', json('1.23456789012345678')) → "1.23"
		# a format is used for numbers only
		format('{0:D3}', 'abc') → "abc"
		format('{0:N}', true()) → "True"
	`)
}
