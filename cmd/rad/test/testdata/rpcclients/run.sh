#!/bin/sh
# Runs other people's programs against this one: usage: run.sh RAD. BICEP_TESTING is a git directory of
# anthony-c-martin/bicep-testing, AVM one of Azure/bicep-registry-modules. Needs git, go, node 20 and npm, python3 with pytest.
# RAD_BICEP_AZ_TYPES counts for AVM's modules.
set -eu
rad=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm() { command npm "$@" --no-audit --no-fund --ignore-scripts --loglevel error; }
mkdir -p "$work/bin" "$work/npm" "$work/avm" "$work/testing" "$work/home/.bicep/bin/v0.46.1" "$work/nodehome"
ln -s "$rad" "$work/bin/bicep"
ln -s "$rad" "$work/home/.bicep/bin/v0.46.1/bicep"

echo "== @azure/bicep-rpc-client 0.2.1 and bicep-node 0.0.12: every method"
cd "$work/npm"
npm install --no-save @azure/bicep-rpc-client@0.2.1 bicep-node@0.0.12
cp "$here/methods.cjs" . && node methods.cjs "$work/bin/bicep"

echo "== bicep-testing: the snapshot samples in Go"
git --git-dir="$BICEP_TESTING" archive 24a5262 | tar -x -C "$work/testing"
cd "$work/testing/samples/go"
for one in bicep-testing bicep-rpc-client; do
  name=github.com/anthony-c-martin/bicep-testing/packages/go/$one
  go mod edit -replace "$name=../../packages/go/$one"
done
GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE) HOME=$work/home GOFLAGS=-mod=mod go test -count=1 -run TestSnapshots .

echo "== in Python"
cd "$work/testing/samples/python"
packages=$work/testing/packages/python
HOME=$work/home PYTHONPATH=$packages/bicep_testing/src:$packages/bicep_rpc_client/src ${PYTHON:-/usr/bin/python3} -m pytest -q test_snapshot.py

echo "== in Node"
# The client of Azure's deployment stacks that the package wants is not in the registry; the samples do not use it.
cd "$work/testing/packages/node"
rm package-lock.json
command npm pkg delete devDependencies
command npm pkg set 'dependencies.@azure/arm-resourcesdeploymentstacks=^1.0.0'
npm install --no-save typescript@7.0.2 @types/node@22
npx --no-install tsc --noEmitOnError false --types node > /dev/null || true  # what deploys does not fit that client
npm pack > /dev/null
cd "$work/testing/samples/node"
npm install --no-save "$work"/testing/packages/node/*.tgz jest@30.4.2
HOME=$work/nodehome RAD=$rad NODE_OPTIONS="--require $here/download.cjs" npx --no-install jest --runInBand snapshot.test.js

echo "== Azure Verified Modules: Build-ViaRPC"
git --git-dir="$AVM" archive HEAD | tar -x -C "$work/avm"
PATH=$work/bin:$PATH node "$here/avm.cjs" "$work/avm"
