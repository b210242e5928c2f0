# What makes releases. The Makefile includes it.

##@ Releases

# Releases are built with a profile of the benchmarks, which makes them 2 to 11 % faster. Its name is not default.pgo:
# `go test ./...` would compile every package twice then.
PROFILE = -pgo=cmd/rad/rad.pgo

.PHONY: install
install: ## Install rad where go installs programs
	CGO_ENABLED=0 $(GO) install -trimpath -ldflags '-s -w' ./cmd/rad

# No repository of this project holds Azure's types. Releases are built with a library of them,
# which is made of the types that the official compiler of the same version has.
AZTYPES_COMMIT = 127544984ca3bc42936294e7afa723f9b5c2beaa
AZTYPES_REPO ?= https://github.com/Azure/bicep-types-az
AZTYPES = pkg/bicep/internal/aztypes/library.aztypes

.PHONY: aztypes
aztypes: ## Make the library of Azure's types, of AZTYPES_REPO (a URL or a git directory)
	rm -rf bin/aztypes && mkdir -p bin/aztypes/types
	if [ -d '$(AZTYPES_REPO)' ]; then ln -s "$$(realpath '$(AZTYPES_REPO)')" bin/aztypes/repo; \
	else git init -q bin/aztypes/repo && git -C bin/aztypes/repo fetch -q --depth 1 '$(AZTYPES_REPO)' $(AZTYPES_COMMIT); fi
	git -C bin/aztypes/repo -c core.attributesFile= archive $(AZTYPES_COMMIT) LICENSE ':(glob)generated/**/types.json' | tar -x -C bin/aztypes/types
	$(GO) run ./pkg/bicep/internal/aztypes/generate --from bin/aztypes/types --out $(AZTYPES) \
	  --source 'Azure/bicep-types-az@$(AZTYPES_COMMIT)'
	rm -rf bin/aztypes

.PHONY: release
release: aztypes ## Build bin/rad with Azure's types in it
	CGO_ENABLED=0 $(GO) build -tags aztypes $(PROFILE) -trimpath -ldflags '-s -w' -o bin/rad ./cmd/rad

# Completions and manual pages, as packages hold them.
PAGES = bin/pages

.PHONY: pages
pages: ## Write completions and manual pages to bin/pages
	rm -rf $(PAGES) && mkdir -p $(PAGES)/completions
	CGO_ENABLED=0 $(GO) build -trimpath -o $(PAGES)/rad ./cmd/rad
	$(PAGES)/rad help --man $(PAGES)/man
	$(PAGES)/rad completion bash > $(PAGES)/completions/rad.bash
	$(PAGES)/rad completion zsh > $(PAGES)/completions/_rad
	$(PAGES)/rad completion fish > $(PAGES)/completions/rad.fish
	$(PAGES)/rad completion powershell > $(PAGES)/completions/rad.ps1
	rm $(PAGES)/rad

GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.15.1
# Releases are built with Azure's types; a snapshot is where they were made.
RAD_TAGS ?= $(if $(wildcard $(AZTYPES)),aztypes)

# What GoReleaser runs for each program: the modules that go wrote into it, and Azure's types, if they are built in.
CYCLONEDX = $(GO) run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
AZTYPES_PART = {type: "data", name: "bicep-types-az", version: "$(AZTYPES_COMMIT)", \
  purl: "pkg:github/azure/bicep-types-az@$(AZTYPES_COMMIT)", licenses: [{license: {id: "MIT"}}]}

.PHONY: sbom
sbom:
	$(CYCLONEDX) bin -json -std -noserial -notimestamp -output-version 1.5 -output '$(OUT)' '$(PROGRAM)'
	jq '$(if $(findstring aztypes,$(RAD_TAGS)),.components += [$(AZTYPES_PART)],.)' '$(OUT)' > '$(OUT).new' && mv '$(OUT).new' '$(OUT)'

.PHONY: release-check
release-check: ## Check .goreleaser.yaml
	$(GORELEASER) check

.PHONY: release-snapshot
release-snapshot: ## Make all files of a release in dist/, without publishing or signing
	RAD_TAGS=$(RAD_TAGS) AZTYPES_COMMIT=$(AZTYPES_COMMIT) $(GORELEASER) release --snapshot --clean --skip=sign
	$(MAKE) --no-print-directory image

.PHONY: release-publish
release-publish: ## Publish the release of the tag that is checked out: the workflow does that
	@[ -f $(AZTYPES) ] || { echo "a release has Azure's types: run make aztypes first"; exit 2; }
	RAD_TAGS=aztypes AZTYPES_COMMIT=$(AZTYPES_COMMIT) $(GORELEASER) release --clean
	$(MAKE) --no-print-directory image

# The version that GoReleaser gave to what is in dist/.
RELEASED = $(shell sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)
CERTIFICATES ?= /etc/ssl/certs/ca-certificates.crt

.PHONY: image
image: ## Make the container image of the programs in dist/, as an OCI layout: dist/image
	rm -rf dist/image
	ORAS='$(ORAS)' .ci/image $(CURDIR)/dist/image v$(RELEASED) $$(git rev-parse HEAD) $$(TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd) \
	  '$(CERTIFICATES)' linux/amd64=$$(ls dist/rad_linux_amd64*/rad) linux/arm64=$$(ls dist/rad_linux_arm64*/rad)

IMAGE ?= ghcr.io/radbicep/rad
ORAS = $(GO) run oras.land/oras/cmd/oras@v1.3.6

.PHONY: image-push
image-push: ## Push dist/image to IMAGE, as REGISTRY_USER with REGISTRY_PASSWORD
	@printf '%s' "$$REGISTRY_PASSWORD" | $(ORAS) login --username "$$REGISTRY_USER" --password-stdin '$(firstword $(subst /, ,$(IMAGE)))'
	$(ORAS) cp --recursive --from-oci-layout dist/image:v$(RELEASED) '$(IMAGE):v$(RELEASED),latest'
	@digest=$$(jq -r '.manifests[0].digest' dist/image/index.json); echo "$$digest"; \
	[ -z "$$GITHUB_OUTPUT" ] || echo "digest=$$digest" >> "$$GITHUB_OUTPUT"

# The two clones are at different places, and the second one has an empty build cache.
.PHONY: reproducible
reproducible: export GOFLAGS = $(PROFILE)
reproducible: ## Prove that two builds of this commit are equal
	rm -rf bin/reproducible && mkdir -p bin/reproducible
	git clone -q . bin/reproducible/one && git clone -q . bin/reproducible/other-place
	$(MAKE) --no-print-directory -C bin/reproducible/one build pages
	GOCACHE=$(CURDIR)/bin/reproducible/cache $(MAKE) --no-print-directory -C bin/reproducible/other-place build pages
	diff -r bin/reproducible/one/bin bin/reproducible/other-place/bin
	sha256sum bin/reproducible/*/bin/rad
	rm -rf bin/reproducible

.PHONY: workflows
workflows: ## Check the workflows of GitHub Actions
	$(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
