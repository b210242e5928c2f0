package eval_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

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
		padLeft('ab', 3) → " ab"
		padLeft('ab', 2) → "ab"
		padLeft('ab', 1) → "ab"
		padLeft('7', 3, '0') → "007"
		padLeft(13, 5) → "   13"
		padLeft('00', 5, ' ') → "   00"
		padLeft(0, 5, '+') → "++++0"
		padLeft('abc', 2) → "abc"
		padLeft('abc', 0) → !
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
		lastIndexOf('abc', '') → 2
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
		contains('a1', 1) → !
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
		contains(createObject('1', 1), 1) → !
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
