// Replays the session of Build-ViaRPC.ps1 in its frames: one request after the other, for the modules that need no registry.
const { spawn } = require('child_process'), fs = require('fs'), path = require('path');
const needs = file => {
  if (!fs.existsSync(file)) return false;
  const uses = fs.readFileSync(file, 'utf8').matchAll(/^\s*(?:module\s+\S+|import\s+[^']*|extension)\s*'([^']+)'/gm);
  return [...uses].some(([, to]) => /^(br|ts)[:/]/.test(to) || to.endsWith('.bicep') && needs(path.join(path.dirname(file), to)));
};
const files = fs.readdirSync(process.argv[2], { recursive: true }).filter(f => path.basename(f) === 'main.bicep' && !f.includes('/tests/'))
  .map(f => path.join(process.argv[2], f)).filter(f => !needs(f)).sort();
const server = spawn('bicep', ['jsonrpc', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
let text = Buffer.alloc(0), waiting, failed = 0;
server.stdout.on('data', data => {
  text = Buffer.concat([text, data]);
  const end = text.indexOf('\r\n\r\n');
  const size = end < 0 ? Infinity : Number(/Content-Length:\s*(\d+)/.exec(text.subarray(0, end))[1]);
  if (text.length < end + 4 + size) return;
  const body = text.subarray(end + 4, end + 4 + size);
  text = text.subarray(end + 4 + size);
  waiting(JSON.parse(body).result);
});
(async () => {
  const began = Date.now();
  for (const [i, file] of files.entries()) {
    const request = JSON.stringify({ jsonrpc: '2.0', id: i + 1, method: 'bicep/compile', params: { path: file } });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(request)}\r\n\r\n${request}`);
    const result = await new Promise(resolve => { waiting = resolve; });
    if (result?.success) JSON.parse(result.contents);
    else { failed++; console.log(file, JSON.stringify(result).slice(0, 300)); }
  }
  console.log(`${files.length - failed} of ${files.length} modules in ${Date.now() - began} ms`);
  if (fs.existsSync(`/proc/${server.pid}/status`)) console.log(/VmHWM.*/.exec(fs.readFileSync(`/proc/${server.pid}/status`))[0]);
  server.kill();
  process.exitCode = failed ? 1 : 0;
})();
