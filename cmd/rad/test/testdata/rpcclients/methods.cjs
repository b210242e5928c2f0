// Calls every method of both clients of npm.
const fs = require('fs'), path = require('path'), assert = require('assert');
(async () => {
  const file = name => path.join(process.cwd(), name);
  const bicep = file('main.bicep'), parameters = file('main.bicepparam');
  fs.writeFileSync(bicep, `metadata m = 'x'
@description('of name')
param name   string
resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: name
}
output o string = s.id
`);
  fs.writeFileSync(parameters, "using 'main.bicep'\nparam name = externalInput('k', 1)\n");
  for (const client of ['@azure/bicep-rpc-client', 'bicep-node']) {
    const b = await require(client).Bicep.initialize(process.argv[2]);
    const compiled = await b.compile({ path: bicep });
    assert(compiled.success && JSON.parse(compiled.contents).outputs.o);
    const params = await b.compileParams({ path: parameters, parameterOverrides: { name: 'other' } });
    assert(params.success && params.template);
    assert.equal(JSON.parse(params.parameters).parameters.name.value, 'other');
    const metadata = await b.getMetadata({ path: bicep });
    assert.equal(metadata.parameters[0].description, 'of name');
    assert.equal(metadata.metadata[0].value, 'x');
    assert.equal((await b.getDeploymentGraph({ path: bicep })).nodes[0].isExisting, true);
    assert.deepEqual((await b.getFileReferences({ path: parameters })).filePaths, [bicep, parameters]);
    const inputs = [{ kind: 'k', config: 1, value: 'given' }];
    assert.match((await b.getSnapshot({ path: parameters, metadata: {}, externalInputs: inputs })).snapshot, /given/);
    assert.match((await b.format({ path: bicep })).contents, /param name string/);
    await assert.rejects(b.compile({ path: file('none.bicep') }));
    console.log(client, 'with', await b.version());
    b.dispose();
  }
})();
