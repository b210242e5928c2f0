package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// failure as the wanted result of a case stands for an error.
const failure = "!"

// checkTable evaluates lines of the form "expression → compact JSON".
func checkTable(t *testing.T, scope eval.Scope, table string) {
	t.Helper()
	n := 0
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		expr, want, ok := strings.Cut(line, " → ")
		if !ok {
			t.Fatalf("not a case: %q", line)
		}
		n++
		got := evaluate(t, scope, expr)
		if got != want && !(want == failure && strings.HasPrefix(got, failure)) {
			t.Errorf("%s\n got %s\nwant %s", expr, got, want)
		}
	}
	t.Logf("%d cases", n)
}

func evaluate(t *testing.T, scope eval.Scope, expr string) string {
	t.Helper()
	e, err := armexpr.Parse("[" + expr + "]")
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	v, err := eval.New(scope).Eval(e)
	if err != nil {
		if err.Error() == "" || strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: the message is %q", expr, err)
		}
		return failure + " " + err.Error()
	}
	return armjson.Text(v)
}

func TestLogic(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		true() → true
		false() → false
		null() → null
		TRUE() → true
		not(true()) → false
		not(1) → !
		not('true') → !
		and(true(), true()) → true
		and(true(), false()) → false
		and(true(), true(), false()) → false
		and(false(), fail('not reached')) → false
		and(1, true()) → !
		and(true()) → !
		or(false(), false()) → false
		or(false(), true()) → true
		or(true(), fail('not reached')) → true
		or(false(), 'x') → !
		if(true(), 1, 2) → 1
		if(false(), 1, 2) → 2
		# only the branch that is chosen is evaluated
		if(true(), 1, fail('x')) → 1
		if(false(), fail('x'), 2) → 2
		if('true', 1, 2) → !
		if(null(), 1, 2) → !
		if(true(), 1) → !
		coalesce(null(), 5) → 5
		coalesce(null(), null()) → null
		coalesce('a', fail('x')) → "a"
		coalesce(null(), '', 'b') → ""
		coalesce(null(), false()) → false
		equals(1, 1) → true
		equals(1, 2) → false
		equals('a', 'a') → true
		# strings are compared exactly
		equals('a', 'A') → false
		equals('1', 1) → false
		equals(true(), 'true') → false
		equals(null(), null()) → true
		equals(null(), '') → false
		equals(null(), 0) → false
		equals(createArray(1, 2), createArray(1, 2)) → true
		equals(createArray(1, 2), createArray(2, 1)) → false
		equals(createArray(), createArray()) → true
		# the order of members does not count, the case of their names does
		equals(createObject('a', 1, 'b', 2), createObject('b', 2, 'a', 1)) → true
		equals(createObject('a', 1), createObject('A', 1)) → false
		equals(createObject('a', 1), createObject('a', 1, 'b', 2)) → false
		equals(createArray(createObject('a', createArray(null()))), createArray(createObject('a', createArray(null())))) → true
		# an integer is not a float
		equals(1, json('1.0')) → false
		equals(json('1.50'), json('1.5')) → true
		less(1, 2) → true
		less(2, 2) → false
		less(-3, 2) → true
		lessOrEquals(2, 2) → true
		lessOrEquals(3, 2) → false
		greater(3, 2) → true
		greater(2, 2) → false
		greaterOrEquals(2, 2) → true
		greaterOrEquals(1, 2) → false
		less('a', 'b') → true
		less('b', 'a') → false
		less('a', 'aa') → true
		# strings are compared as words are: a lower-case letter comes before its upper case, and both before the next letter
		less('demo', 'Demo') → true
		less('Demo', 'demo') → false
		less('B', 'a') → false
		less('A', 'b') → true
		less('a_', 'aB') → true
		greater('bend', 'band') → true
		lessOrEquals('10', '9') → true
		greater('b', 'a') → true
		lessOrEquals('a', 'a') → true
		greaterOrEquals('', '') → true
		less('a', 1) → !
		less(1, 'a') → !
		less(true(), false()) → !
		greater(null(), 1) → !
		less(json('1.5'), 2) → true
		nosuchfunction(1) → !
		lambda('x', 1) → !
		utcNow() → !
		newGuid() → !
		reference('x') → !
		deployment() → !
	`)
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		add(1, 2) → 3
		add(-1, -2) → -3
		sub(1, 2) → -1
		sub(0, 5) → -5
		mul(6, 7) → 42
		mul(-6, 7) → -42
		div(10, 3) → 3
		# division rounds towards zero, and the remainder has the sign of the dividend
		div(-10, 3) → -3
		div(10, -3) → -3
		div(6, 11) → 0
		mod(10, 4) → 2
		mod(-10, 4) → -2
		mod(10, -4) → 2
		div(1, 0) → !
		mod(1, 0) → !
		add(json('9223372036854775807'), 0) → 9223372036854775807
		add(json('9223372036854775807'), 1) → !
		add(json('-9223372036854775808'), -1) → !
		sub(json('-9223372036854775808'), 1) → !
		sub(0, json('-9223372036854775808')) → !
		sub(json('-9223372036854775807'), 1) → -9223372036854775808
		mul(json('9223372036854775807'), json('9223372036854775807')) → !
		mul(json('2199023255552'), json('2199023255552')) → !
		mul(json('4611686018427387904'), 2) → !
		mul(json('4611686018427387904'), -2) → -9223372036854775808
		mul(json('-9223372036854775808'), -1) → !
		mul(json('-9223372036854775808'), 1) → -9223372036854775808
		mul(0, json('-9223372036854775808')) → 0
		div(json('-9223372036854775808'), -1) → !
		mod(json('-9223372036854775808'), -1) → !
		add('1', 2) → !
		add(null(), 2) → !
		add(1) → !
		add(1, 2, 3) → !
		div(json('1.5'), 2) → !
		min(3, 1, 2) → 1
		max(3, 1, 2) → 3
		min(createArray(3, 1, 2)) → 1
		max(createArray(3, 1, 2)) → 3
		min(5) → 5
		min(10, 4, 1, 6) → 1
		max(10, 4, 1, 6) → 10
		max(createArray(-3, -1)) → -1
		min(createArray()) → !
		min('a') → !
		max(createArray(1, 'a')) → !
		max(1, createArray(2)) → !
		range(0, 3) → [0,1,2]
		range(5, 2) → [5,6]
		range(-2, 4) → [-2,-1,0,1]
		range(1, 0) → []
		range(0, -1) → !
		length(range(0, 10000)) → 10000
		range(0, 10001) → !
		range(2147483645, 2) → [2147483645,2147483646]
		range(2147483646, 2) → !
		range(2147483647, 2) → !
		range('0', 1) → !
		int('12') → 12
		int('-12') → -12
		int('+12') → 12
		int(' 12 ') → 12
		int(7) → 7
		int('9223372036854775807') → 9223372036854775807
		int('9223372036854775808') → !
		int('asdf') → !
		int('1.5') → !
		int('1e3') → !
		int('1_000') → !
		int('0x10') → !
		int('') → !
		int(true()) → !
		int(null()) → !
		int(createArray()) → !
		bool('true') → true
		bool('True') → true
		bool('FALSE') → false
		bool(' true ') → true
		bool('trUe') → true
		bool('1') → !
		bool(-1) → true
		bool(1) → true
		bool(0) → false
		bool(5) → true
		bool(true()) → true
		bool('sdf') → !
		bool('') → !
		bool('yes') → !
		bool(null()) → !
		bool(createObject()) → !
		float('1.5') → 1.5
		float(2) → 2.0
		float('x') → !
	`)
}

func TestStrings(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		concat('a', 'b') → "ab"
		concat('a') → "a"
		concat('a', 1, true()) → "a1True"
		concat(1, 2) → "12"
		concat('', '') → ""
		concat(createArray(1), createArray('a', null())) → [1,"a",null]
		concat(createArray()) → []
		concat(createArray(1), 'a') → !
		concat('a', createArray(1)) → !
		concat('a', createObject()) → !
		toLower('ABC') → "abc"
		toLower('ÄÖ') → "äö"
		toUpper('abc') → "ABC"
		toUpper('straße') → "STRAßE"
		toUpper('ı') → "ı"
		toLower('İ') → "İ"
		toUpper('ÿ') → "Ÿ"
		toUpper(1) → !
		toLower(null()) → !
		trim('  a b  ') → "a b"
		trim('') → ""
		trim('   ') → ""
		# a no-break space is white space
		trim('`+"\u00a0x\u3000"+`') → "x"
		trim(1) → !
		padLeft('7', 3, '0') → "007"
		padLeft(13, 5) → "   13"
		padLeft('00', 5, ' ') → "   00"
		padLeft(0, 5, '+') → "++++0"
		padLeft('abc', 2) → "abc"
		padLeft('abc', 0) → "abc"
		padLeft(-5, 4, '0') → "00-5"
		padLeft('a', 3, '') → !
		padLeft('a', 3, 'ab') → !
		padLeft('a', -1) → !
		padLeft('a', 100000000) → !
		padLeft(true(), 5) → !
		padLeft('a', '3') → !
		# characters are UTF-16 code units: an emoji counts as two
		padLeft('😀', 4, '.') → "..😀"
		replace('abc', 'b', '-') → "a-c"
		replace('foot', 't', 'd') → "food"
		replace('aaa', 'a', 'bb') → "bbbbbb"
		replace('aaa', 'aa', 'b') → "ba"
		replace('abc', 'x', 'y') → "abc"
		replace('aBc', 'b', 'x') → "aBc"
		replace('abc', 'b', '') → "ac"
		replace('abc', '', 'x') → !
		replace('abc', 'b', 1) → !
		substring('asdfasf', 3) → "fasf"
		substring('foot', 0, 3) → "foo"
		substring('foot', 4) → ""
		substring('foot', 4, 0) → ""
		substring('foot', 1, 2) → "oo"
		substring('foot', 5) → !
		substring('foot', -1) → !
		substring('foot', 2, 3) → !
		substring('foot', 2, -1) → !
		substring('a😀b', 0, 3) → "a😀"
		substring('a😀b', 3) → "b"
		# half an emoji cannot be printed
		substring('a😀b', 0, 2) → "a`+"\ufffd"+`"
		concat(substring('😀', 0, 1), substring('😀', 1)) → "😀"
		split('a,b,c', ',') → ["a","b","c"]
		split('fizz,buzz,pop', ',') → ["fizz","buzz","pop"]
		split('a,b;c', createArray(',', ';')) → ["a","b","c"]
		split('', ',') → [""]
		split('abc', ',') → ["abc"]
		split(',a,', ',') → ["","a",""]
		split('a--b-c', '--') → ["a","b-c"]
		split('aXbxc', 'x') → ["aXb","c"]
		# an empty separator separates nothing, no separator stands for white space
		split('abc', '') → ["abc"]
		split('a b', createArray('')) → ["a b"]
		split('a b	c', createArray()) → ["a","b","c"]
		# of separators at one place the first of the list counts
		split('a-->b', createArray('-', '-->')) → ["a","",">b"]
		split('a-->b', createArray('-->', '-')) → ["a","b"]
		split(1, ',') → !
		split('a', 1) → !
		split('a', createArray(1)) → !
		join(createArray('a', 'b'), '/') → "a/b"
		join(createArray('abc', 123, true()), '/') → "abc/123/True"
		join(createArray('I', 'love', 'Bicep'), ' ') → "I love Bicep"
		join(createArray(), ',') → ""
		join(createArray('a'), ',') → "a"
		join(createArray('a', 'b'), '') → "ab"
		join(createArray(createArray()), ',') → !
		join('a', ',') → !
		join(createArray('a'), 1) → !
		# these two do not look at case
		startsWith('abc', 'a') → true
		startsWith('abc', 'AB') → true
		startsWith('abc', 'b') → false
		startsWith('abc', '') → true
		startsWith('', 'a') → false
		endsWith('foo', 'o') → true
		endsWith('foo', 'OO') → true
		endsWith('foot', 't') → true
		endsWith('foo', 'f') → false
		endsWith('foo', '') → true
		endsWith('foo', createArray()) → !
		startsWith('Änderung', 'ä') → true
		like('abc', 'a*') → true
		like('abc', 'A*C') → true
		like('abc', '*b*') → true
		like('abc', 'b*') → false
		like('abc', 'abc') → true
		like('abc', '') → false
		like('', '') → true
		like('', '*') → true
		like('abc', '***') → true
		like('a?c', 'a?c') → true
		like('abc', 'a?c') → false
		like('aaab', '*ab') → true
		like('a.c', 'a.c') → true
		like('abc', 'a.c') → false
		like(1, '*') → !
		# nor do indexOf and lastIndexOf of strings
		indexOf('abc', 'c') → 2
		indexOf('FOOBAR', 'foo') → 0
		indexOf('FOOBAR', 'bar') → 3
		indexOf('food', 'o') → 1
		indexOf('abcdef', 'CD') → 2
		lastIndexOf('abcdef', 'AB') → 0
		indexOf('abc', 'x') → -1
		indexOf('abc', '') → 0
		indexOf('', '') → 0
		indexOf('', 'a') → -1
		indexOf('😀a', 'A') → 2
		lastIndexOf('abcba', 'b') → 3
		lastIndexOf('food', 'O') → 2
		lastIndexOf('abc', 'x') → -1
		lastIndexOf('abc', '') → 3
		indexOf('abc', 1) → !
		indexOf(1, 1) → !
		# those of arrays do
		indexOf(createArray('FOO', 'BAR'), 'foo') → -1
		indexOf(createArray('FOO', 'BAR'), 'BAR') → 1
		indexOf(createArray('FOO', 'BAR'), false()) → -1
		indexOf(createArray('FOO', 'BAR'), 123) → -1
		indexOf(createArray('fizz', 'buzz', 'pop', 'fizz'), 'fizz') → 0
		lastIndexOf(createArray('fizz', 'buzz', 'pop', 'fizz'), 'fizz') → 3
		indexOf(createArray(1, createArray(2)), createArray(2)) → 1
		indexOf(createArray(createObject('a', 1)), createObject('a', 1)) → 0
		indexOf(createArray(), 1) → -1
		contains('foo/bar', '/') → true
		contains('foot', 'foo') → true
		contains('FOOBAR', 'foo') → false
		contains('abc', '') → true
		contains('a1', 1) → true
		contains('abc', null()) → !
		contains('foo/bar', createObject()) → !
		contains(createArray('FOO'), 'foo') → false
		contains(createArray('FOO'), 'FOO') → true
		contains(createArray(1, 2), 3) → false
		contains(createArray(1, 2), 2) → true
		contains(createArray(1, 2), '2') → false
		contains(createArray(null()), null()) → true
		contains(createArray(createObject('a', 1)), createObject('a', 1)) → true
		# names of properties are found in any case
		contains(createObject('Name', 1), 'name') → true
		contains(createObject('Name', 1), 'x') → false
		contains(createObject('1', 1), 1) → true
		contains(5, 5) → !
		contains(null(), 'a') → !
		length('four') → 4
		length('') → 0
		length('é') → 1
		length('😀') → 2
		length(createArray(0, 1, 2)) → 3
		length(createObject('a', 1)) → 1
		length(5) → !
		length(null()) → !
		length(true()) → !
		empty('') → true
		empty('a') → false
		empty(' ') → false
		empty(createArray()) → true
		empty(createArray(1)) → false
		empty(createObject()) → true
		empty(createObject('a', 1)) → false
		empty(null()) → true
		empty(0) → !
		empty(false()) → !
		take('foot', 3) → "foo"
		take('foot', 0) → ""
		take('foot', -1) → ""
		take('foot', 9) → "foot"
		take(createArray(1, 2, 3), 2) → [1,2]
		take(createArray(1, 2, 3), -5) → []
		take(createArray(1, 2, 3), 5) → [1,2,3]
		take(5, 1) → !
		take('a', 'b') → !
		skip('foot', 3) → "t"
		skip('foot', 0) → "foot"
		skip('foot', -1) → "foot"
		skip('foot', 9) → ""
		skip(createArray(1, 2, 3), 1) → [2,3]
		skip(createArray(1, 2, 3), -1) → [1,2,3]
		skip(createArray(1, 2, 3), 4) → []
		skip(null(), 1) → !
		first('Fizz') → "F"
		first('') → ""
		first(createArray(124, 25)) → 124
		first(createArray()) → null
		first(5) → !
		last('Fizz') → "z"
		last('') → ""
		last(createArray(1, 2)) → 2
		last(createArray()) → null
		last(createObject()) → !
	`)
}

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
		format('{0}', createArray('it''s', 'say "x"')) → "['it\\'s','say \"x\"']"
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
		format('{0:R}', 1) → !
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
		# only numbers heed a format
		format('{0:D3}', 'abc') → "abc"
		format('{0:N}', true()) → "True"
	`)
}

func TestConversions(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		string('asdf') → "asdf"
		string(5) → "5"
		string(-5) → "-5"
		string(true()) → "True"
		string(false()) → "False"
		string(null()) → ""
		string(json('2.50')) → "2.5"
		string(createObject('a', 10, 'b', 'x')) → "{\"a\":10,\"b\":\"x\"}"
		string(createArray(1, true(), null(), 'a"b')) → "[1,true,null,\"a\\\"b\"]"
		string(createObject()) → "{}"
		json('{"z": [1, 2.5, "s", null, true]}') → {"z":[1,2.5,"s",null,true]}
		json('1') → 1
		json('-0.5') → -0.5
		json('1e3') → 1000.0
		json('null') → null
		json('"x"') → "x"
		json('true') → true
		json('[1,]') → [1]
		json('{a: ''x''}') → {"a":"x"}
		json('{"a":1,"a":2}') → {"a":2}
		json('/* c */ 5') → 5
		json('3000000000') → 3000000000
		json('[1, 2') → [1,2]
		json('{"a": {"b": 1') → {"a":{"b":1}}
		json('{"a":') → !
		json('') → !
		json('x') → !
		json('1 2') → !
		json(1) → !
		array('a') → ["a"]
		array(1) → [1]
		array(createArray(1)) → [1]
		array(createArray()) → []
		array(createObject('a', 1)) → [{"a":1}]
		array(null()) → [null]
		base64('hi') → "aGk="
		base64(' Fizz ') → "IEZpenog"
		base64('') → ""
		base64('é') → "w6k="
		base64('😀') → "8J+YgA=="
		base64(1) → !
		base64ToString('aGk=') → "hi"
		base64ToString(base64('abc')) → "abc"
		base64ToString('8J+YgA==') → "😀"
		base64ToString('a G k=') → "hi"
		base64ToString(concat(base64('abc'), '@')) → !
		base64ToString('aGk') → !
		base64ToString('/w==') → "`+"\ufffd"+`"
		# each broken piece becomes a character of its own
		base64ToString('//9h4oI=') → "`+"\ufffd\ufffda\ufffd"+`"
		base64ToJson(base64('{"hi": "there"}')) → {"hi":"there"}
		base64ToJson(base64('{"hi": "there"}')).hi → "there"
		base64ToJson(base64('{"hi": "there"')) → {"hi":"there"}
		dataUri('abc') → "data:text/plain;charset=utf-8;base64,YWJj"
		dataUri(' Fizz ') → "data:text/plain;charset=utf-8;base64,IEZpenog"
		dataUri(createObject('a', 1)) → "data:application/json;charset=utf-8;base64,eyJhIjoxfQ=="
		dataUriToString(dataUri('abc')) → "abc"
		dataUriToString('data:text/plain;charset=utf-8;base64,IEZpenog') → " Fizz "
		dataUriToString('data:;base64,aGk=') → "hi"
		dataUriToString('data:,a%20b') → "a b"
		dataUriToString('data:text/plain;charset=iso-8859-1;base64,6Q==') → "é"
		dataUriToString('data:text/plain;charset=utf-16;base64,aABpAA==') → "hi"
		dataUriToString('DATA:text/plain;base64,aGk=') → "hi"
		dataUriToString('Hi 0!') → !
		dataUriToString(concat(dataUri('abc'), '@')) → !
		dataUriToString('data:text/plain') → !
		dataUriToString('data:text/plain;charset=klingon,x') → !
	`)
}

func TestCollections(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		createArray() → []
		createArray(1, 'a', null()) → [1,"a",null]
		createObject() → {}
		createObject('a', 1, 'b', createArray()) → {"a":1,"b":[]}
		createObject('a', 1, 'a', 2) → {"a":2}
		createObject('a') → !
		createObject(1, 2) → !
		union(createArray('fizz', 'buzz'), createArray('pop')) → ["fizz","buzz","pop"]
		union(createArray(1), createArray(1, 2)) → [1,2]
		union(createArray(1, 1)) → [1]
		union(createArray('a'), createArray('A')) → ["a","A"]
		union(createArray(createArray('one', 'two'), createArray('three')), createArray(createArray('three'), createArray('four', 'two'))) → [["one","two"],["three"],["four","two"]]
		union(createArray(1), createArray('1')) → [1,"1"]
		union(createArray(createObject('a', 1)), createArray(createObject('a', 1))) → [{"a":1}]
		union(createObject('a', 1), createObject('b', 2)) → {"a":1,"b":2}
		union(createObject('a', 1, 'b', 1), createObject('a', 2)) → {"a":2,"b":1}
		# objects are merged at any depth, arrays replaced
		union(createObject('o', createObject('x', 1, 'y', 1)), createObject('o', createObject('y', 2, 'z', 2))) → {"o":{"x":1,"y":2,"z":2}}
		union(createObject('a', createArray(1)), createObject('a', createArray(2))) → {"a":[2]}
		union(createObject('a', createObject('b', 1)), createObject('a', 2)) → {"a":2}
		union(createObject('a', 1), createObject('a', null())) → {"a":null}
		union(createObject(), createObject(), createObject('x', 1)) → {"x":1}
		union(createObject(), createArray()) → !
		union(createArray(), createObject()) → !
		union('a', 'b') → !
		intersection(createArray('fizz', 'buzz', 'pop'), createArray('snap', 'crackle', 'pop')) → ["pop"]
		intersection(createArray(1, 2, 3), createArray(2, 3, 4)) → [2,3]
		intersection(createArray(3, 2, 3), createArray(3, 2)) → [3,2]
		intersection(createArray(1), createArray(2)) → []
		intersection(createArray(1, 2), createArray(2, 3), createArray(2)) → [2]
		intersection(createArray(createArray(1)), createArray(createArray(1))) → [[1]]
		intersection(createObject('one', 'a', 'two', 'b', 'three', 'c'), createObject('one', 'a', 'two', 'z', 'three', 'c')) → {"one":"a","three":"c"}
		intersection(createObject('a', 1), createObject('b', 1)) → {}
		intersection(createObject('o', createObject('x', 1, 'y', 1)), createObject('o', createObject('x', 1, 'y', 2))) → {"o":{"x":1}}
		intersection(createArray(1), createObject()) → !
		intersection(1, 2) → !
		shallowMerge(createArray(createObject('a', 1), createObject('a', 2))) → {"a":2}
		shallowMerge(createArray(createObject('a', 1, 'b', 1), createObject('a', 2, 'c', 2))) → {"a":2,"b":1,"c":2}
		# other than union's, nested objects are replaced
		shallowMerge(createArray(createObject('o', createObject('x', 1)), createObject('o', createObject('y', 2)))) → {"o":{"y":2}}
		shallowMerge(createArray()) → {}
		shallowMerge(createArray(1)) → !
		shallowMerge(createObject()) → !
		flatten(createArray(createArray('abc'), createArray('def'))) → ["abc","def"]
		flatten(createArray(createArray(1, createArray(2)), createArray())) → [1,[2]]
		flatten(createArray()) → []
		flatten(createArray(1)) → !
		flatten(createObject('foo', 'bar')) → !
		distinct(createArray(1, 2, 1, 'a', 'a', null(), null())) → [1,2,"a",null]
		distinct(createArray(createArray(1), createArray(1), createArray(2))) → [[1],[2]]
		distinct(createArray()) → []
		distinct(createArray('a', 'A')) → ["a","A"]
		distinct('a') → !
		items(createObject('b', 1, 'a', 2)) → [{"key":"a","value":2},{"key":"b","value":1}]
		items(createObject()) → []
		items(createArray()) → !
		objectKeys(createObject('b', 1, 'a', 2)) → ["a","b"]
		# keys are ordered without regard to case, and stay in their order where that is equal
		objectKeys(createObject('ghiKey', 1, 'defKey', 1, 'abcKey', 1, '123Key', 1, 'GHIKey', 1, 'DEFKey', 1, 'ABCKey', 1, '456Key', 1)) → ["123Key","456Key","abcKey","ABCKey","defKey","DEFKey","ghiKey","GHIKey"]
		objectKeys(createObject('a2', 1, 'a10', 1, 'B', 1)) → ["a10","a2","B"]
		objectKeys('a') → !
		createObject('a', 1).a → 1
		# properties are found in any case
		createObject('Name', 1).name → 1
		createObject('a', 1, 'A', 2).A → 2
		createObject('a', 1).b → !
		createObject('a', 1)[0] → !
		createObject('a b', 1)['a b'] → 1
		createObject('a', createObject('b', createArray(5, 6))).a.b[1] → 6
		createArray(1, 2)[0] → 1
		createArray(1, 2)[2] → !
		createArray(1, 2)[-1] → !
		createArray(1, 2)['0'] → !
		null().a → !
		string('abc')[0] → !
		int(1).a → !
		tryGet(createObject('fizz', 'buzz'), 'fizz') → "buzz"
		tryGet(createObject('fizz', 'buzz'), 'FIZZ') → "buzz"
		tryGet(createObject('fizz', 'buzz'), 'key') → null
		tryGet(null(), 'key') → null
		tryGet(createArray(1, 2, 3), 2) → 3
		tryGet(createArray(1, 2, 3), 3) → null
		tryGet(createArray(1, 2, 3), -1) → null
		tryGet(createObject('a', createObject('b', 1)), 'a', 'b') → 1
		# what is missing first makes the whole null, what is missing later is an error
		tryGet(createObject('a', 1), 'x', 'y', 'z') → null
		tryGet(createObject('a', createObject('b', 1)), 'a', 'c') → !
		tryGet(createObject('a', createArray(1, 2)), 'a', createObject('value', 1, 'fromEnd', true())) → 2
		tryGet(createObject('a', null()), 'a', 'b') → null
		tryGet('abc', 'length') → !
		tryGet(createObject(), 1) → !
		tryGet(createArray(), 'a') → !
		indexFromEnd(createArray(1, 2, 3), 1) → 3
		indexFromEnd(createArray(1, 2, 3), 3) → 1
		indexFromEnd(createArray(1, 2, 3), 4) → !
		indexFromEnd(createArray(1, 2, 3), 0) → !
		indexFromEnd(null(), 1) → !
		indexFromEnd('abc', 1) → !
		tryIndexFromEnd(createArray(1, 2, 3), 2) → 2
		tryIndexFromEnd(createArray(1, 2, 3), 4) → null
		tryIndexFromEnd(createArray(1, 2, 3), 0) → null
		tryIndexFromEnd(null(), 1) → null
		tryIndexFromEnd(createArray(createObject('a', 7)), 1, 'a') → 7
		tryIndexFromEnd(createArray(), 1, 'a') → null
		tryIndexFromEnd('abc', 1) → !
	`)
}

func TestLambdas(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		map(createArray(1, 2), lambda('x', mul(lambdaVariables('x'), 2))) → [2,4]
		map(createArray('a', 'b'), lambda('x', 'i', format('{0}{1}', lambdaVariables('x'), lambdaVariables('i')))) → ["a0","b1"]
		map(createArray(), lambda('x', fail('x'))) → []
		map(range(0, 3), lambda('i', format('Hi {0}!', lambdaVariables('i')))) → ["Hi 0!","Hi 1!","Hi 2!"]
		map(createArray(1), lambda('x', lambdaVariables('X'))) → [1]
		map(createArray(1), lambda('x', lambdaVariables('y'))) → !
		map(createArray(1, 2), lambda('x', map(createArray(10), lambda('y', add(lambdaVariables('x'), lambdaVariables('y')))))) → [[11],[12]]
		# an inner variable hides an outer one
		map(createArray(1), lambda('x', map(createArray(2), lambda('x', lambdaVariables('x'))))) → [[2]]
		map(createArray(1, 2), 5) → !
		map(5, lambda('x', 1)) → !
		map(createArray(1), lambda(1)) → !
		map(createArray(1), lambda('a', 'b', 'c', 1)) → !
		map(createArray(1), lambda(5, 1)) → !
		filter(createArray(1, 2, 3), lambda('x', greater(lambdaVariables('x'), 1))) → [2,3]
		filter(createArray('a', 'b', 'c'), lambda('x', 'i', equals(mod(lambdaVariables('i'), 2), 0))) → ["a","c"]
		filter(createArray(), lambda('x', true())) → []
		filter(createArray(1), lambda('x', 1)) → !
		filter(createArray(1), lambda('x', less(lambdaVariables('x'), 'foo'))) → !
		filter(range(0, 4), lambda('i', contains(filter(range(0, 4), lambda('j', equals(0, mod(lambdaVariables('j'), 2)))), lambdaVariables('i')))) → [0,2]
		reduce(createArray('abc', 'def'), '', lambda('c', 'n', concat(lambdaVariables('c'), lambdaVariables('n')))) → "abcdef"
		reduce(createArray('a', 'b', 'c'), '', lambda('a', 'b', format('{0}-{1}', lambdaVariables('a'), lambdaVariables('b')))) → "-a-b-c"
		reduce(range(1, 5), 1, lambda('c', 'n', mul(lambdaVariables('c'), lambdaVariables('n')))) → 120
		reduce(createArray('a', 'b', 'c'), '', lambda('c', 'n', 'i', if(equals(mod(lambdaVariables('i'), 2), 0), concat(lambdaVariables('c'), lambdaVariables('n')), lambdaVariables('c')))) → "ac"
		reduce(createArray(), 7, lambda('c', 'n', fail('x'))) → 7
		reduce(createArray(createObject('foo', 123), createObject('bar', 456)), createObject(), lambda('c', 'n', union(lambdaVariables('c'), lambdaVariables('n')))) → {"foo":123,"bar":456}
		reduce(createArray(1), 0, lambda('c', 1)) → !
		reduce(1, 0, lambda('c', 'n', 1)) → !
		sort(createArray('c', 'd', 'a'), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y')))) → ["a","c","d"]
		sort(createArray(8, 3, 10, -13, 5), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y')))) → [-13,3,5,8,10]
		sort(createArray('ghi', 'abc', 'def'), lambda('x', 'y', greater(lambdaVariables('x'), lambdaVariables('y')))) → ["ghi","def","abc"]
		# the order of equals stays
		sort(createArray('b1', 'a2', 'b2', 'a1'), lambda('x', 'y', less(first(lambdaVariables('x')), first(lambdaVariables('y'))))) → ["a2","a1","b1","b2"]
		sort(createArray('b1', 'a2', 'b2', 'a1'), lambda('x', 'y', lessOrEquals(first(lambdaVariables('x')), first(lambdaVariables('y'))))) → ["a2","a1","b1","b2"]
		sort(createArray(), lambda('x', 'y', fail('x'))) → []
		sort(createArray(1), lambda('x', 'y', fail('x'))) → [1]
		sort(createArray(1, 'a'), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y')))) → !
		sort(createArray(1, 2), lambda('x', 'y', 1)) → !
		sort(createArray(1, 2), lambda('x', true())) → !
		toObject(createArray('a', 'b'), lambda('x', lambdaVariables('x'))) → {"a":"a","b":"b"}
		toObject(createArray('a', 'b'), lambda('x', lambdaVariables('x')), lambda('x', format('Hi {0}!', lambdaVariables('x')))) → {"a":"Hi a!","b":"Hi b!"}
		toObject(createArray(123, 456), lambda('i', format('{0}', div(lambdaVariables('i'), 100)))) → {"1":123,"4":456}
		toObject(createArray(1, 2), lambda('x', 'k')) → {"k":2}
		toObject(createArray(1), lambda('x', lambdaVariables('x'))) → !
		toObject(createArray(), lambda('x', 'k')) → {}
		groupBy(createArray('ab', 'ba', 'ac'), lambda('x', first(lambdaVariables('x')))) → {"a":["ab","ac"],"b":["ba"]}
		groupBy(createArray('ab', 'ba', 'ac'), lambda('x', first(lambdaVariables('x'))), lambda('x', last(lambdaVariables('x')))) → {"a":["b","c"],"b":["a"]}
		groupBy(createArray(1), lambda('x', 1)) → !
		groupBy(createArray(), lambda('x', 'a')) → {}
		mapValues(createObject('a', 1, 'b', 2), lambda('v', mul(lambdaVariables('v'), 2))) → {"a":2,"b":4}
		mapValues(createObject(), lambda('v', 1)) → {}
		mapValues(createArray(1), lambda('v', 1)) → !
		length(lambda('x', 1)) → !
	`)
}

func TestDates(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		dateTimeFromEpoch(0) → "1970-01-01T00:00:00Z"
		dateTimeFromEpoch(1680224438) → "2023-03-31T01:00:38Z"
		dateTimeFromEpoch(-1) → "1969-12-31T23:59:59Z"
		dateTimeFromEpoch(253402300799) → "9999-12-31T23:59:59Z"
		dateTimeFromEpoch('1') → !
		dateTimeToEpoch('1970-01-01T00:00:00Z') → 0
		dateTimeToEpoch(dateTimeFromEpoch(1680224438)) → 1680224438
		dateTimeToEpoch('2023-03-31T03:00:38+02:00') → 1680224438
		dateTimeToEpoch('20230331T010038Z') → 1680224438
		dateTimeToEpoch('2023-03-31 01:00:38Z') → 1680224438
		dateTimeToEpoch('2023-03-31') → 1680220800
		dateTimeToEpoch('later') → !
		dateTimeToEpoch('') → !
		dateTimeToEpoch(5) → !
		dateTimeAdd(dateTimeFromEpoch(1680224438), 'P1D') → "2023-04-01T01:00:38Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT1H') → "2020-04-07T15:53:14Z"
		dateTimeAdd('2020-04-07T14:53:14Z', '-P9D') → "2020-03-29T14:53:14Z"
		# a year has 365 days and a month 30
		dateTimeAdd('2020-04-07T14:53:14Z', 'P3Y') → "2023-04-07T14:53:14Z"
		dateTimeAdd('2020-01-01T00:00:00Z', 'P1Y') → "2020-12-31T00:00:00Z"
		dateTimeAdd('2020-01-31T00:00:00Z', 'P1M') → "2020-03-01T00:00:00Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'P1DT2H3M4S') → "2020-04-08T16:56:18Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT1.5S', 'fff') → "500"
		# the result does not keep the form of the base
		dateTimeAdd('20200407T145314Z', 'PT1H') → "2020-04-07T15:53:14Z"
		dateTimeAdd('2023-01-01 00:00:00Z', 'P1Y') → "2024-01-01T00:00:00Z"
		dateTimeAdd('2024-01-01 00:00:00Z', 'P1Y') → "2024-12-31T00:00:00Z"
		dateTimeAdd('2023-02-01 00:00:00Z', 'P1M') → "2023-03-03T00:00:00Z"
		dateTimeAdd('2024-02-01 00:00:00Z', 'P1M') → "2024-03-02T00:00:00Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'yyyy-MM-dd') → "2020-04-07"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'd') → "04/07/2020"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'o') → "2020-04-07T14:53:14.0000000Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 's') → "2020-04-07T14:53:14"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'u') → "2020-04-07 14:53:14Z"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'r') → "Tue, 07 Apr 2020 14:53:14 GMT"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'D') → "Tuesday, 07 April 2020"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'h:m tt') → "2:53 PM"
		dateTimeAdd('2020-04-07T04:03:04Z', 'PT0S', 'HH H hh h mm m ss s') → "04 4 04 4 03 3 04 4"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'ddd dddd MMM MMMM yy') → "Tue Tuesday Apr April 20"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', '''day'' d') → "day 7"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', '%d') → "7"
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT0S', 'Q') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'PTASDIONS1D') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'P1W') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'P') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'PT') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'P1DT') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'P1D1Y') → !
		dateTimeAdd('2020-04-07T14:53:14Z', '1D') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 'P9000Y') → !
		dateTimeAdd('later', 'P1D') → !
		dateTimeAdd('2020-04-07T14:53:14Z', 1) → !
	`)
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		parseCidr('10.144.0.0/20') → {"network":"10.144.0.0","netmask":"255.255.240.0","broadcast":"10.144.15.255","firstUsable":"10.144.0.1","lastUsable":"10.144.15.254","cidr":20}
		parseCidr('10.144.1.2/20').network → "10.144.0.0"
		parseCidr('10.0.0.0/32') → {"network":"10.0.0.0","netmask":"255.255.255.255","broadcast":"10.0.0.0","firstUsable":"10.0.0.0","lastUsable":"10.0.0.0","cidr":32}
		parseCidr('0.0.0.0/0').broadcast → "255.255.255.255"
		parseCidr('fdad:3236:5555::/48') → {"network":"fdad:3236:5555::","netmask":"ffff:ffff:ffff::","firstUsable":"fdad:3236:5555::","lastUsable":"fdad:3236:5555:ffff:ffff:ffff:ffff:ffff","cidr":48}
		parseCidr('10.0.0.0') → !
		parseCidr('10.0.0.0/33') → !
		parseCidr('10.0.0/8') → !
		parseCidr('x') → !
		parseCidr(1) → !
		cidrSubnet('10.144.0.0/20', 24, 0) → "10.144.0.0/24"
		cidrSubnet('10.144.0.0/20', 24, 1) → "10.144.1.0/24"
		cidrSubnet('10.144.0.0/20', 24, 15) → "10.144.15.0/24"
		cidrSubnet('10.144.0.0/20', 24, 16) → !
		cidrSubnet('10.144.0.0/20', 24, -1) → !
		cidrSubnet('10.144.0.0/20', 19, 0) → !
		cidrSubnet('10.144.0.0/20', 33, 0) → !
		cidrSubnet('10.144.0.0/20', 20, 0) → "10.144.0.0/20"
		cidrSubnet('10.0.0.0/16', 64, 2) → !
		cidrSubnet('fdad:3236:5555::/48', 52, 1) → "fdad:3236:5555:1000::/52"
		cidrSubnet('x', 8, 0) → !
		cidrHost('10.144.3.0/24', 0) → "10.144.3.1"
		cidrHost('10.144.3.0/24', 4) → "10.144.3.5"
		cidrHost('10.144.3.0/24', 253) → "10.144.3.254"
		cidrHost('10.144.3.0/24', 254) → !
		cidrHost('10.144.3.0/24', -1) → !
		cidrHost('fdad:3236:5555:3000::/52', 0) → "fdad:3236:5555:3000::1"
		cidrHost('fdad:3236:5555:3000::/52', 4) → "fdad:3236:5555:3000::5"
		cidrHost('10.0.0.0', 1) → !
	`)
}

func TestURIs(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		uri('https://github.com', 'Azure/bicep') → "https://github.com/Azure/bicep"
		uri('https://github.com/another/repo', '/Azure/bicep') → "https://github.com/Azure/bicep"
		uri('http://contoso.org/firstpath', 'myscript.sh') → "http://contoso.org/myscript.sh"
		uri('http://contoso.org/firstpath/', 'myscript.sh') → "http://contoso.org/firstpath/myscript.sh"
		uri('http://contoso.org/firstpath/azuredeploy.json', 'myscript.sh') → "http://contoso.org/firstpath/myscript.sh"
		uri('http://contoso.org/firstpath/azuredeploy.json/', 'myscript.sh') → "http://contoso.org/firstpath/azuredeploy.json/myscript.sh"
		uri('https://ex.org/a/b', '../c') → "https://ex.org/c"
		uri('HTTPS://EX.org:443/a', '') → "https://ex.org/a"
		uri('https://ex.org', 'https://other.org/x') → "https://other.org/x"
		uri('https://ex.org/a', '?q=1') → "https://ex.org/a?q=1"
		uri('github.com', 'Azure/bicep') → !
		uri('', 'x') → !
		uri(1, 'x') → !
		uriComponent(' Fizz ') → "%20Fizz%20"
		uriComponent('UB*8h 0+=_)9h9n') → "UB%2A8h%200%2B%3D_%299h9n"
		uriComponent('https://a.b/c?d=e') → "https%3A%2F%2Fa.b%2Fc%3Fd%3De"
		uriComponent('-._~') → "-._~"
		uriComponent('é') → "%C3%A9"
		uriComponent('') → ""
		uriComponentToString('%20Fizz%20') → " Fizz "
		uriComponentToString('%20%25%20') → " % "
		uriComponentToString('%C3%A9') → "é"
		uriComponentToString('a+b') → "a+b"
		uriComponentToString('%') → "%"
		uriComponentToString('%zz%4') → "%zz%4"
		uriComponentToString('%FF') → "%FF"
		uriComponentToString('%c3%28') → "%c3("
		parseUri('https://ex.org/a/b?c=d') → {"scheme":"https","host":"ex.org","port":443,"path":"/a/b","query":"?c=d"}
		parseUri('http://ex.org:8080') → {"scheme":"http","host":"ex.org","port":8080,"path":"/","query":""}
		parseUri('no') → !
		buildUri(createObject('scheme', 'https', 'host', 'h.org')) → "https://h.org/"
		buildUri(createObject('scheme', 'https', 'host', 'h.org', 'port', 8443, 'path', 'a/b', 'query', 'c=d')) → "https://h.org:8443/a/b?c=d"
		buildUri(createObject('scheme', 'https', 'host', 'h.org', 'port', 443, 'query', '?c=d')) → "https://h.org/?c=d"
		buildUri(parseUri('https://ex.org/a/b?c=d')) → "https://ex.org/a/b?c=d"
		buildUri(createObject('host', 'h.org')) → !
		buildUri(createObject('scheme', 'https', 'host', 5)) → !
		buildUri(createObject('scheme', 'https', 'host', 'h', 'port', 99999)) → !
	`)
}

func TestHashesAndIDs(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		uniqueString('a', 'b') → "i3z4v3sp6aooa"
		uniqueString('snap', 'crackle', 'pop') → "byghxckddilkc"
		uniqueString('asd', 'asdf', 'asdf') → "iizpqit7ih3cc"
		equals(uniqueString('a-b'), uniqueString('a', 'b')) → true
		uniqueString(1) → !
		uniqueString() → !
		guid('asdf') → "228d27cc-6fdb-5934-b7ac-1efccebade04"
		guid('foo', 'bar', 'baz') → "2ed86837-7c7c-5eaa-9864-dd077fd19b0d"
		guid(1) → !
		fail('no') → !
		tenantResourceId('A.B/c', 'd') → "/providers/A.B/c/d"
		tenantResourceId('A.B/c/e', 'd', 'f') → "/providers/A.B/c/d/e/f"
		tenantResourceId('A.B/c/e', 'd') → !
		subscriptionResourceId('s', 'A.B/c', 'd') → "/subscriptions/s/providers/A.B/c/d"
		subscriptionResourceId('A.B/c', 'd') → !
		resourceId('s', 'g', 'A.B/c', 'd') → "/subscriptions/s/resourceGroups/g/providers/A.B/c/d"
		resourceId('A.B/c', 'd') → !
		extensionResourceId('/subscriptions/s', 'A.B/c', 'd') → "/subscriptions/s/providers/A.B/c/d"
		extensionResourceId('/', 'A.B/c', 'd') → "/providers/A.B/c/d"
		managementGroupResourceId('m', 'A.B/c', 'd') → "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/d"
	`)
}

// TestTemplate evaluates the variables and functions of a template.
func TestTemplate(t *testing.T) {
	t.Parallel()
	v, err := armjson.Parse(`{
		"functions": [
			{"namespace": "__bicep", "members": {
				"twice": {"parameters": [{"name": "x", "type": "int"}], "output": {"type": "int", "value": "[mul(parameters('x'), 2)]"}},
				"obj": {"parameters": [{"name": "n", "type": "string"}], "output": {"type": "object", "value": {"name": "[parameters('N')]", "all": "[map(range(0, 2), lambda('i', __bicep.twice(lambdaVariables('i'))))]"}}},
				"var": {"parameters": [], "output": {"type": "string", "value": "[variables('plain')]"}},
				"again": {"parameters": [], "output": {"type": "string", "value": "[__bicep.again()]"}}
			}},
			{"namespace": "_1", "members": {"f": {"parameters": [], "output": {"type": "int", "value": 5}}}}
		],
		"variables": {
			"copy": [
				{"name": "loop", "count": "[length(variables('list'))]", "input": "[format('{0}-{1}', variables('list')[copyIndex('loop')], copyIndex('loop', 10))]"},
				{"name": "objects", "count": 2, "input": {"i": "[copyIndex('objects')]", "sub": "[copyIndex('objects', 1)]"}}
			],
			"plain": "text",
			"escaped": "[[not an expression]",
			"half": "[open",
			"list": ["a", "[variables('plain')]"],
			"nested": {"a": {"b": "[variables('list')[1]]"}, "[format('k{0}', 1)]": 1},
			"props": {"copy": [{"name": "xs", "count": 2, "input": "[mul(copyIndex('xs'), 3)]"}], "y": 1},
			"call": "[__bicep.twice(21)]",
			"deep": "[__bicep.obj('me')]",
			"other": "[_1.f()]",
			"self": "[variables('self2')]",
			"self2": "[variables('self')]",
			"param": "[parameters('p')]",
			"env": "[environment().name]",
			"arity": "[__bicep.twice()]",
			"forever": "[__bicep.again()]",
			"fv": "[__bicep.var()]"
		}}`, armjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, eval.NewTemplate(v.(*armjson.Object)), `
		variables('plain') → "text"
		variables('PLAIN') → "text"
		variables('escaped') → "[not an expression]"
		variables('half') → "[open"
		variables('list') → ["a","text"]
		variables('nested') → {"a":{"b":"text"},"k1":1}
		variables('loop') → ["a-10","text-11"]
		variables('objects') → [{"i":0,"sub":1},{"i":1,"sub":2}]
		variables('props') → {"xs":[0,3],"y":1}
		variables('call') → 42
		variables('deep') → {"name":"me","all":[0,2]}
		variables('other') → 5
		variables('fv') → "text"
		variables('self') → !
		variables('param') → !
		variables('env') → !
		variables('arity') → !
		variables('forever') → !
		variables('missing') → !
		variables('copy') → !
		__bicep.TWICE(4) → 8
		copyIndex() → !
		copyIndex('loop') → !
	`)
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	v, err := eval.Evaluate("concat", armjson.String("a"), armjson.Int(1))
	if err != nil || v != armjson.String("a1") {
		t.Errorf("%v %v", v, err)
	}
	for name, want := range map[string]string{"and": "false", "or": "true", "if": "!", "coalesce": "true"} {
		v, err := eval.Evaluate(name, armjson.Bool(true), armjson.Bool(false))
		got := "!"
		if err == nil {
			got = armjson.Text(v)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if _, err := eval.Evaluate("reference"); !errors.Is(err, eval.ErrUnknownFunction) {
		t.Errorf("%v", err)
	}
	if !eval.Known("ToLower") || !eval.Known("if") || eval.Known("reference") {
		t.Error("Known is wrong")
	}
}

// TestSecretsStayOut checks that messages do not show the values of strings.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"int('hunter2')", "bool('hunter2')", "json('hunter2')", "base64ToString('hunter2@')", "add('hunter2', 1)", "dateTimeAdd('hunter2', 'P1D')", "string('hunter2').x",
		"dataUriToString('hunter2')", "uri('hunter2', 'x')", "parseCidr('hunter2')", "tenantResourceId('hunter2', 'x')"} {
		got := evaluate(t, eval.NoScope{}, expr)
		if !strings.HasPrefix(got, failure) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", expr, got)
		}
	}
}

// TestBounds evaluates what would grow without bounds.
func TestBounds(t *testing.T) {
	t.Parallel()
	double := func(body string, rounds int) string {
		return fmt.Sprintf("reduce(range(0, %d), 'x', lambda('a', 'i', %s))", rounds, body)
	}
	for _, expr := range []string{
		double("concat(lambdaVariables('a'), lambdaVariables('a'))", 60),
		double("format('{0}{0}', lambdaVariables('a'))", 60),
		double("join(createArray(lambdaVariables('a'), lambdaVariables('a')), ',')", 60),
		double("replace(string(lambdaVariables('a')), 'x', 'xx')", 60),
		double("createArray(lambdaVariables('a'), lambdaVariables('a'))", 60),
		double("createObject('l', lambdaVariables('a'), 'r', lambdaVariables('a'))", 60),
		double("map(range(0, 2), lambda('j', lambdaVariables('a')))", 60),
		double("createArray(lambdaVariables('a'))", 10000),
		double("string(createArray(lambdaVariables('a')))", 60),
		"map(range(0, 10000), lambda('a', map(range(0, 10000), lambda('b', map(range(0, 10000), lambda('c', 1))))))",
		"reduce(range(0, 40), createArray(1), lambda('a', 'i', concat(lambdaVariables('a'), lambdaVariables('a'))))",
		"length(reduce(range(0, 40), createArray(1), lambda('a', 'i', flatten(createArray(lambdaVariables('a'), lambdaVariables('a'))))))",
		"format('{0,999999}{0,999999}{0,999999}{0,999999}{0,999999}{0,999999}{0,9999999}', 1)",
		"format('{0:D999999999}', 1)",
		strings.Repeat("not(", 900) + "true()" + strings.Repeat(")", 900),
	} {
		start := time.Now()
		e, err := armexpr.Parse("[" + expr + "]")
		if err != nil {
			t.Fatal(err)
		}
		limits := eval.Limits{Steps: 1_000_000, Walk: 20_000_000, Size: 64 << 20, Depth: eval.DefaultLimits.Depth}
		if _, err := eval.NewLimited(eval.NoScope{}, limits).Eval(e); err == nil {
			t.Errorf("%.80s: no error", expr)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.80s: took %v", expr, took)
		}
	}
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{
		"[format('{0,5:N2}{{', 1.5)]", "[map(range(0, 3), lambda('x', 'i', add(lambdaVariables('x'), 1)))]", "[dateTimeAdd('2020-04-07T14:53:14Z', 'P1DT2H', 'o')]",
		"[cidrSubnet('10.0.0.0/8', 16, 3)]", "[uri('https://a.b', '../c')]", "[json('{a:[1,2.5e3]}').a[1]]", "[split('a,b', createArray(',', ''))]", "[format('{0:#,##0.0;(0)}', -5)]",
		"[tryGet(createObject('a', 1), 'a')]", "[sort(createArray(2, 1), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))]", "[substring('a😀', 1, 1)]", "[like('aab', '*a*b')]",
		"[union(createObject('a', createObject('b', 1)), createObject('a', createObject('c', 1)))]", "[dataUriToString('data:text/plain;charset=utf-16,abc')]", "[padLeft('x', 9, 'é')]", "[buildUri(parseUri('http://a:80/b?c'))]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := armexpr.Parse(s)
		if err != nil {
			return
		}
		limits := eval.Limits{Steps: 100_000, Walk: 1_000_000, Size: 4 << 20, Depth: 200}
		v, err := eval.NewLimited(eval.NoScope{}, limits).Eval(e)
		if err != nil {
			return
		}
		if _, err := armjson.Parse(armjson.Text(v), armjson.Options{MaxDepth: 4000}); err != nil {
			t.Fatalf("%q evaluates to what is not JSON: %v", s, err)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	e, err := armexpr.Parse("[map(range(0, 100), lambda('x', format('{0}-{1}', toLower('ABC'), add(lambdaVariables('x'), 1))))]")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := eval.New(eval.NoScope{}).Eval(e); err != nil {
			b.Fatal(err)
		}
	}
}
