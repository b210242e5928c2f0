package codes

import (
	"github.com/radbicep/rad/pkg/bicep/explain"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/params"
)

// commandCode is a code that a command reports, and no compiler.
type commandCode struct {
	Code, message, repair string
	Files                 []explain.File
	Command               string // that reports it of the files; "" if there is no example
	warning               bool   // it is no error
}

// generate is the command line of most examples.
const generate = "rad bicep generate-kubernetes-manifest app.bicep"

// Commands explains those codes. Their examples are programs and command lines, which
// a test runs.
var Commands = []commandCode{
	{params.CodeMissing, "The template requires a value for the parameter ….",
		"The parameter has no default. Give a value by --parameters name=value or in a parameter file, or declare a default.",
		exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), generate, false},
	{params.CodeUnknown, "The template declares no parameter ….",
		"A value is given for a name that the template does not know. Correct the name, or remove the value.",
		exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), generate + " -p tga=v2", false},
	{params.CodeCase, "The template spells the parameter … otherwise.",
		"Names of parameters are compared letter by letter. Write the name as the template declares it.",
		exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), generate + " -p Tag=v2", false},
	{params.CodeType, "The value of the parameter … has another type than the template declares.",
		"name=value gives a text, which is read as the declared type. Write a value of that type, or name:=JSON for arrays and objects.",
		exampleApp("param port int\noutput usedPort int = port\n"), generate + " -p port=http", false},
	{params.CodeConstraint, "The value of the parameter … is not allowed.",
		"The template restricts the parameter, as by @allowed(), @minValue() or @maxLength(). Choose a value that it allows.",
		exampleApp("@maxValue(9)\nparam replicas int\noutput usedReplicas int = replicas\n"), generate + " -p replicas=10", false},
	{params.CodeDuplicate, "A parameter file gives the parameter … twice.",
		"Keep one of the two values.",
		append(exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), explain.File{Name: "values.json", Text: `{ "tag": "v1", "tag": "v2" }` + "\n"}),
		generate + " -p @values.json", false},
	{params.CodeSecure, "The parameter … is secure, and everybody who can read the repository or the cluster can read a manifest.",
		"Refer to a key vault in a parameter file, or leave the value out by --secure-parameters=omit and give it when you deploy. With --target radius neither helps: give the parameter a default, or read a secret store that exists.",
		exampleApp("@secure()\nparam password string\nresource secret 'Microsoft.KeyVault/vaults/secrets@2023-07-01' = {\n  name: 'vault/password'\n  properties: { value: password }\n}\n"),
		generate + " -p password=letmein", false},
	{params.CodeExternal, "The value of the parameter … uses externalInput(), which only a deployment can find.",
		"Give the value by --parameters name=value, which replaces that of the parameter file.",
		append(exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), explain.File{Name: "app.bicepparam", Text: "using 'app.bicep'\n\nparam tag = externalInput('my.tool', 'tag')\n"}),
		"rad bicep generate-kubernetes-manifest app.bicepparam", false},
	{params.CodeFile, "The parameter file cannot be read: ….",
		"The message says where and why. A parameter file is JSON: an ARM parameter file, or an object of names and values.",
		append(exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), explain.File{Name: "values.json", Text: "{ \"tag\": \n"}),
		generate + " -p @values.json", false},
	{"stale-manifest", "The manifest is not what its template gives now.",
		"Generate it again by the command that the message prints, and commit it.",
		append(exampleApp("output port int = 80\n"), explain.File{Name: "app.yaml", Text: "kind: DeploymentTemplate\n"}),
		generate + " --check --diagnostics-format json", false},
	{"orphan-manifest", "No target makes this manifest any more.",
		"The file is a DeploymentTemplate of a Bicep template, in a folder that targets of .rad/bicep.yaml write to, and none of them writes it. Delete it with rad bicep generate-kubernetes-manifest --prune, or list its target.",
		nil, "", false},
	{"line-ends", "The lines of this string end in \\r\\n, so its value depends on how the file is checked out.",
		"Git gives files other line ends on Windows than elsewhere, and those in a multi-line string are part of its value. Put '*.bicep text eol=lf' into .gitattributes, and check the file out again.",
		exampleApp("var text = '''\r\none\r\ntwo'''\r\noutput lines string = text\r\n"), generate, true},
	{"cannot-expand", "The template cannot be evaluated: ….",
		"The template makes more resources or values than a deployment can have. Correct the values of its parameters, or the loop.",
		exampleApp("param count int\nresource nets 'Microsoft.Network/virtualNetworks@2023-11-01' = [for i in range(0, count): {\n  name: 'net${i}'\n}]\n"),
		"rad bicep plan app.bicep -p count=100000", false},
	{"unstaged-manifest", "Git would not commit this manifest as it is.",
		"The manifest is new to git, or has changes that are not staged. Run the git add that the message prints. Hooks of pre-commit report it (--fail-on-change).",
		nil, "", false},
	{"format-line-ends", "The value of this multi-line string changes with its line ends.",
		"The formatter writes one kind of line end in the whole file, and those in a multi-line string are part of its value. Set formatting.newlineKind in bicepconfig.json to the kind that the file has.",
		exampleApp("var text = '''\r\none\r\ntwo'''\r\noutput lines string = text\r\n"), "rad bicep format app.bicep --newline-kind LF --stdout", true},
	{"format-decorated-tuple", "The official layout puts this tuple on one line, where its decorators are a syntax error.",
		"Put a comment on a line of its own into the tuple, which keeps its lines.",
		exampleApp("type pair = [\n  @minLength(1)\n  string\n  int\n]\noutput size pair = [ 'a', 1 ]\n"), "rad bicep format app.bicep --stdout", true},
	{manifest.CodeSize, "The manifest is larger than the annotation of a client-side kubectl apply can hold.",
		"Apply it with kubectl apply --server-side, write it with --compact, or split the template.",
		[]explain.File{
			{Name: "app.bicep", Text: "output a string = loadTextContent('text.txt')\noutput b string = loadTextContent('text.txt', 'us-ascii')\noutput c string = loadTextContent('text.txt', 'utf-8')\n"},
			{Name: "text.txt *5000", Text: "a line of some words\n"},
		}, generate, true},
	{manifest.CodeCollision, "Resources of several types have one name, and Radius names objects after that name alone.",
		"All but one of them would fail. Give each resource a name of its own.",
		exampleApp("extension radius\nresource web 'Applications.Core/containers@2023-10-01-preview' = {\n  name: 'web'\n  properties: {\n    application: 'demo'\n    container: { image: 'nginx' }\n  }\n}\nresource route 'Applications.Core/gateways@2023-10-01-preview' = {\n  name: 'web'\n  properties: {\n    application: 'demo'\n    routes: [{ path: '/', destination: 'http://web:80' }]\n  }\n}\n"),
		generate + " --target radius --group default", true},
	{manifest.CodeSubstitution, "The manifest contains ${, which Flux replaces where postBuild substitution is on.",
		"Add --annotation kustomize.toolkit.fluxcd.io/substitute=disabled, or annotations in .rad/bicep.yaml, if the text is meant as it is.",
		exampleApp("output path string = '\\${HOME}/bin'\n"), generate, true},
	{manifest.CodeDeletion, "The deletion of a resource of this type does not end, since the controllers of Radius 0.43 to 0.60 cannot finish it.",
		"Delete the resource by 'rad resource delete' before the manifest, or deploy it in another way.",
		nil, "", true},
	{manifest.CodeScope, "The template has a resource of Azure or AWS, and the manifest does not say where it goes.",
		"Give --azure-scope or --aws-scope, or azureScope or awsScope in .rad/bicep.yaml.",
		exampleApp("resource net 'Microsoft.Network/virtualNetworks@2023-11-01' = {\n  name: 'net'\n  #disable-next-line no-hardcoded-location\n  location: 'westeurope'\n}\n"),
		generate, true},
	{manifest.CodeNumber, "Radius 0.43 to 0.60 carries integers exactly up to 9007199254740992 only.",
		"Declare the parameter as a string, and pass the number as a text.",
		exampleApp("param id int\noutput usedID int = id\n"), generate + " --target radius --group default -p id=9007199254740993", true},
	{objects.CodeUnknown, "A value is not known before the deployment, and an object of a cluster needs it.",
		"The message names the value, why it is not known, and the option or parameter that gives it.", nil, "", false},
	{aso.CodeType, "Azure Service Operator has no kind for this resource.",
		"Deploy the resource in another way, or leave it out of the program that is written for the operator.",
		exampleApp("extension radius\nresource app 'Applications.Core/applications@2023-10-01-preview' = {\n  name: 'app'\n  properties: { environment: 'default' }\n}\n"),
		generate + " --target aso", false},
	{aso.CodeVersion, "The operator does not have this version of the resource type.",
		"As a warning: the operator calls Azure with the version that the message names. As an error: choose one of the versions that it names.", nil, "", true},
	{aso.CodeProperty, "The operator does not take this property, or requires one that is absent.",
		"Correct the name as the message suggests, remove the property, or add what is required.", nil, "", false},
	{aso.CodeValue, "The operator does not take this value.",
		"The message says which values it takes. Write one of them.", nil, "", false},
	{aso.CodeReference, "The operator cannot follow this reference to a resource or to a value of one.",
		"Refer to a resource of the program, or give the ID or the value by a parameter.", nil, "", false},
	{aso.CodeSecret, "A secret would be in the manifest, or the operator cannot carry it.",
		"Make the whole value a @secure() parameter. Its value is then a key of a secret in the cluster.", nil, "", false},
	{aso.CodeResource, "The operator has no counterpart of this declaration.",
		"The message names the part of the declaration. Change or remove it.", nil, "", false},
	{crossplane.CodeType, "There is no type of Crossplane for this resource.",
		"Observe the resource in another way, or leave it out of the program that is written for Crossplane.", nil, "", false},
	{crossplane.CodeExisting, "The resource is not `existing`, so there is nothing to observe.",
		"Declare it `existing`, or deploy it in another way.",
		exampleApp("resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'data'\n  #disable-next-line no-hardcoded-location\n  location: 'westeurope'\n  kind: 'StorageV2'\n  sku: { name: 'Standard_LRS' }\n}\n"),
		generate + " --target crossplane", false},
	{crossplane.CodeIdentity, "The resource cannot be found by what the program says of it.",
		"Give the name, or the property that the message names, in the form that it shows.", nil, "", false},
	{crossplane.CodeManaged, "The annotation that hands a cluster over stops only some controllers of Cluster API.",
		"The message names the controllers that go on. Pause their objects, or leave the annotation out.", nil, "", true},
	{crossplane.CodeNamespace, "An object must name a namespace, and none was given.",
		"Give --namespace, or namespace in .rad/bicep.yaml.", nil, "", true},
	{"notice", "A warning that concerns no place in a file.",
		"The message says what to do. Notices are printed as plain lines; formats for programs give them this code.", nil, "", true},
	{"rad", "The run has ended with an error that concerns no place in a file.",
		"The message says what to do, and the exit status what kind of error it is: 3 wrong usage or settings, 4 files, network or the external compiler.",
		exampleApp("output port int = 80\n"), "rad bicep generate-kubernetes-manifest nope.bicep --diagnostics-format json", false},
}

func exampleApp(text string) []explain.File {
	return []explain.File{{Name: "app.bicep", Text: text}}
}

// Explanation returns the entry in the form of those of the compiler.
func (c commandCode) Explanation() explain.Explanation {
	level := report.Error
	if c.warning {
		level = report.Warning
	}
	return explain.Explanation{Code: c.Code, Level: level, Message: c.message, Repair: c.repair}
}
