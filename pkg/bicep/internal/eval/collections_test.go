package eval_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

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
		union(createObject('a', createObject('b', 1)), createObject('a', 2)) → !
		union(createObject('a', 1), createObject('a', null())) → {"a":1}
		# names have no case: the last spelling, at the first place; null replaces nothing, and kinds must agree
		union(createObject('A', 1, 'z', 0), createObject('a', 2)) → {"a":2,"z":0}
		union(createObject('a', null()), createObject('A', 2)) → {"A":2}
		union(createObject('a', createObject('b', 1)), createObject('A', createObject('B', 2, 'c', 3))) → {"A":{"B":2,"c":3}}
		union(createObject('a', createArray(2)), createObject('a', null())) → {"a":[2]}
		union(createObject('a', 'x'), createObject('a', 1)) → {"a":1}
		union(createObject('a', 'x'), createObject('a', createArray())) → !
		union(createObject('a', createObject()), createObject('A', 2)) → !
		union(json('{"a":1,"A":2}')) → {"a":1,"A":2}
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
		intersection(createObject('o', createObject('x', 1, 'y', 1)), createObject('o', createObject('x', 1, 'y', 2))) → {}
		intersection(createArray(1), createObject()) → !
		intersection(createObject('a', 1), createObject('A', 1)) → {}
		intersection(1, 2) → !
		shallowMerge(createArray(createObject('a', 1), createObject('a', 2))) → {"a":2}
		shallowMerge(createArray(createObject('a', 1, 'b', 1), createObject('a', 2, 'c', 2))) → {"a":2,"b":1,"c":2}
		# other than union's, nested objects are replaced
		shallowMerge(createArray(createObject('o', createObject('x', 1)), createObject('o', createObject('y', 2)))) → {"o":{"y":2}}
		shallowMerge(createArray()) → {}
		shallowMerge(createArray(createObject('A', 1), createObject('a', 2))) → {"A":2}
		shallowMerge(createArray(createObject('a', 1), createObject('a', null()))) → {"a":null}
		shallowMerge(createArray(createObject('a', 1), createObject('a', createArray()))) → {"a":[]}
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
		# characters count, not UTF-16 units
		objectKeys(createObject('😀', 1, '`+"\ue000"+`', 1, 'é', 1, 'z', 1)) → ["z","é","`+"\ue000"+`","😀"]
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
		toObject(createArray(1, 2), lambda('x', 'k')) → !
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
