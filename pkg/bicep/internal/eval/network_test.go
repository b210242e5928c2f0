package eval_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

func TestNetwork(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		parseCidr('10.144.0.0/20') → {"network":"10.144.0.0","netmask":"255.255.240.0","broadcast":"10.144.15.255","firstUsable":"10.144.0.1","lastUsable":"10.144.15.254","cidr":20}
		parseCidr('10.144.1.2/20').network → "10.144.0.0"
		parseCidr('10.0.0.0/32') → {"network":"10.0.0.0","netmask":"255.255.255.255","broadcast":"10.0.0.0","firstUsable":"10.0.0.0","lastUsable":"10.0.0.0","cidr":32}
		parseCidr('0.0.0.0/0').broadcast → "255.255.255.255"
		parseCidr('fdad:3236:5555::/48') → {"network":"fdad:3236:5555::","netmask":"ffff:ffff:ffff::","firstUsable":"fdad:3236:5555::","lastUsable":"fdad:3236:5555:ffff:ffff:ffff:ffff:ffff","cidr":48}
		parseCidr('10.0.0.0') → {"network":"10.0.0.0","netmask":"255.0.0.0","broadcast":"10.255.255.255","firstUsable":"10.0.0.1","lastUsable":"10.255.255.254","cidr":8}
		parseCidr('10.0.0.0/33') → !
		parseCidr('10.0.0.0/31') → {"network":"10.0.0.0","netmask":"255.255.255.254","broadcast":"10.0.0.1","firstUsable":"10.0.0.0","lastUsable":"10.0.0.0","cidr":31}
		# the length of the address's class; what cannot be in a range is left out
		parseCidr('172.16.0.0').cidr → 16
		parseCidr('192.168.1.1').cidr → 24
		parseCidr('224.0.0.1') → !
		parseCidr('fd00::').cidr → 64
		parseCidr('/8').network → "0.0.0.0"
		parseCidr('10.0.0.0/8/9').cidr → 8
		parseCidr('10.0.0.0/-1').cidr → 1
		parseCidr('fe80::%1/64').network → "fe80::"
		parseCidr('10.1/16').network → "10.0.0.0"
		parseCidr('10.1.2.3 24').network → "10.1.2.0"
		parseCidr('10.1.2.3/255.255.0.0').cidr → 16
		parseCidr('10.1.2.3/255.0.255.0') → !
		parseCidr('010.0.0.0/8').network → "8.0.0.0"
		parseCidr('10.256.0.0/8') → !
		parseCidr('1.2.3.4.5/8') → !
		parseCidr('10.0.0.0/256') → !
		parseCidr('') → !
		parseCidr('::ffff:10.0.0.0/104').network → "::ffff:10.0.0.0"
		parseCidr('::10.1.0.0/112').network → "::10.1.0.0"
		parseCidr('fe80::5efe:a01:203/128').network → "fe80::5efe:10.1.2.3"
		parseCidr('::1/128').network → "::1"
		parseCidr('10.0.0/8') → {"network":"10.0.0.0","netmask":"255.0.0.0","broadcast":"10.255.255.255","firstUsable":"10.0.0.1","lastUsable":"10.255.255.254","cidr":8}
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
		cidrHost('10.144.3.0/24', -1) → "10.144.3.0"
		cidrHost('fdad:3236:5555:3000::/52', 0) → "fdad:3236:5555:3000::1"
		cidrHost('fdad:3236:5555:3000::/52', 4) → "fdad:3236:5555:3000::5"
		cidrHost('10.0.0.0', 1) → "10.0.0.2"
		cidrHost('10.0.0.0/30', 1) → "10.0.0.2"
		cidrHost('10.0.0.0/30', 2) → !
		cidrHost('10.0.0.0/31', 0) → !
		cidrHost('10.0.0.0/32', 0) → !
		cidrHost('fd00::/127', 0) → !
		cidrHost('10.0.0.0/8', -2) → !
		cidrHost('::/0', 2147483647) → "::128.0.0.0"
		cidrHost('::/0', json('2147483648')) → !
		cidrHost('x', 0) → !
		cidrHost('10.0.0.0/8', '0') → !
		cidrSubnet('10.0.0.0', 9, 1) → "10.128.0.0/9"
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
		# bases must be well formed; hosts keep letters that are not ASCII; escapes that nothing needs go
		uri('https://ex.org/a b/', 'c') → !
		uri('/x', 'c') → !
		uri('//ex.org/x', 'c') → !
		uri('c:/x', 'd') → !
		uri('https://ex.org/%zz', 'c') → !
		uri('https://ä.org/', 'é f') → "https://ä.org/%C3%A9%20f"
		uri('https://ex.org/%7Ex/', '%41%2f%c3%a9') → "https://ex.org/~x/A%2f%C3%A9"
		uri('https://ex.org', 'a:b') → !
		uri('https://ex.org', 'ab:c') → "ab:c"
		uri('https://ex.org/a/b?c#d', '#e') → "https://ex.org/a/b?c#e"
		uri('https://ex.org/a/b?c#d', '') → "https://ex.org/a/b?c#d"
		uri('https://ex.org/a/b?c', '//h/e') → "https://h/e"
		uri('file:///a/b', '%7E') → "file:///a/~"
		uri('file:///a/b', '//h/e') → "file://h/e"
		uri('mailto:a@b', '/e') → "mailto:a@b/e"
		uri('https://ex.org/a/b/', '../../../c/./d/..') → "https://ex.org/c/"
		uri('https://u:p@ex.org:8080/a', 'b') → "https://u:p@ex.org:8080/b"
		uri('https://ex.org:65536/', 'b') → !
		uri('https:///a', 'b') → !
		uri('https://[::1]:443/a', 'b') → "https://[::1]/b"
		uri('https://010.1/a', 'b') → "https://8.0.0.1/b"
		uri('https://ex.org/a', 1) → !
		uriComponent(' Fizz ') → "%20Fizz%20"
		uriComponent('UB*8h 0+=_)9h9n') → "UB%2A8h%200%2B%3D_%299h9n"
		uriComponent('https://a.b/c?d=e') → "https%3A%2F%2Fa.b%2Fc%3Fd%3De"
		uriComponent('-._~') → "-._~"
		uriComponent('é') → "%C3%A9"
		uriComponent('') → ""
		uriComponentToString('%20Fizz%20') → " Fizz "
		uriComponentToString('%20%25%20') → " % "
		uriComponentToString('%C3%A9') → "é"
		uriComponentToString('a+b') → "a b"
		uriComponentToString('%') → "%"
		uriComponentToString('%zz%4') → "%zz%4"
		uriComponentToString('%FF') → "�"
		uriComponentToString('%c3%28') → "�("
		uriComponentToString('%u0041%uD83D%uDE00%u00') → "A😀%u00"
		parseUri('https://h.org/a/../b') → {"scheme":"https","host":"h.org","port":null,"path":"/b"}
		parseUri('https://H.org') → {"scheme":"https","host":"h.org","port":null}
		parseUri('https://h.org/?#') → {"scheme":"https","host":"h.org","port":null}
		parseUri('https://h.org/a b?c d') → {"scheme":"https","host":"h.org","port":null,"path":"/a%20b","query":"?c%20d"}
		parseUri('https://[::1]:8/') → {"scheme":"https","host":"[::1]","port":8}
		parseUri('//h/x') → {"scheme":"file","host":"h","port":null,"path":"/x"}
		parseUri('/x') → {"scheme":"file","host":"","port":null,"path":"/x"}
		parseUri('mailto:a@b.c') → {"scheme":"mailto","host":"b.c","port":null,"path":""}
		parseUri('urn:a:b') → {"scheme":"urn","host":"","port":null,"path":"a:b"}
		parseUri('x') → !
		parseUri('https://h.org:99999/') → !
		parseUri('https://a b/') → !
		buildUri(createObject('scheme', 'http', 'host', 'h.org', 'port', 8080, 'path', 'a b', 'query', 'q=1 2')) → "http://h.org:8080/a b?q=1 2"
		buildUri(createObject('scheme', 'ftp', 'host', 'ä', 'path', 'é%2F%41')) → "ftp://ä/é%2FA"
		buildUri(createObject('scheme', 'https', 'host', 'A', 'port', 443)) → "https://a/"
		buildUri(createObject('scheme', 'x y', 'host', 'h')) → !
		buildUri(createObject('scheme', 'https', 'host', 'a/b')) → !
		buildUri(createObject('host', 'h')) → !
		buildUri('https') → !
		parseUri('https://ex.org/a/b?c=d') → {"scheme":"https","host":"ex.org","port":null,"path":"/a/b","query":"?c=d"}
		parseUri('http://ex.org:8080') → {"scheme":"http","host":"ex.org","port":8080}
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
