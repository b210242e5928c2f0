package main

import (
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"
)

// commandCode is a code that a command reports, and no compiler.
type commandCode struct {
	code, message, repair string
	files                 []bicep.ExampleFile
	command               string // that reports it of the files
}

// commandCodes explains those codes. Their examples are programs and command lines, which
// a test runs.
var commandCodes = []commandCode{
	{params.CodeMissing, "The template requires a value for the parameter ….",
		"The parameter has no default. Give a value by --parameters name=value or in a parameter file, or declare a default.",
		exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), "rad bicep generate-kubernetes-manifest app.bicep"},
	{params.CodeUnknown, "The template declares no parameter ….",
		"A value is given for a name that the template does not know. Correct the name, or remove the value.",
		exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), "rad bicep generate-kubernetes-manifest app.bicep -p tga=v2"},
	{params.CodeCase, "The template spells the parameter … otherwise.",
		"Names of parameters are compared letter by letter. Write the name as the template declares it.",
		exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), "rad bicep generate-kubernetes-manifest app.bicep -p Tag=v2"},
	{params.CodeType, "The value of the parameter … has another type than the template declares.",
		"name=value gives a text, which is read as the declared type. Write a value of that type, or name:=JSON for arrays and objects.",
		exampleApp("param port int\noutput usedPort int = port\n"), "rad bicep generate-kubernetes-manifest app.bicep -p port=http"},
	{params.CodeConstraint, "The value of the parameter … is not allowed.",
		"The template restricts the parameter, as by @allowed(), @minValue() or @maxLength(). Choose a value that it allows.",
		exampleApp("@maxValue(9)\nparam replicas int\noutput usedReplicas int = replicas\n"), "rad bicep generate-kubernetes-manifest app.bicep -p replicas=10"},
	{params.CodeDuplicate, "A parameter file gives the parameter … twice.",
		"Keep one of the two values.",
		append(exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), bicep.ExampleFile{Name: "values.json", Text: `{ "tag": "v1", "tag": "v2" }` + "\n"}),
		"rad bicep generate-kubernetes-manifest app.bicep -p @values.json"},
	{params.CodeSecure, "The parameter … is secure, and everybody who can read the repository or the cluster can read a manifest.",
		"Refer to a key vault in a parameter file, or leave the value out by --secure-parameters=omit and give it when you deploy.",
		exampleApp("@secure()\nparam password string\nresource secret 'Microsoft.KeyVault/vaults/secrets@2023-07-01' = {\n  name: 'vault/password'\n  properties: { value: password }\n}\n"),
		"rad bicep generate-kubernetes-manifest app.bicep -p password=letmein"},
	{params.CodeExternal, "The value of the parameter … uses externalInput(), which only a deployment can find.",
		"Give the value by --parameters name=value, which replaces that of the parameter file.",
		append(exampleApp("param tag string\noutput image string = 'web:${tag}'\n"), bicep.ExampleFile{Name: "app.bicepparam", Text: "using 'app.bicep'\n\nparam tag = externalInput('my.tool', 'tag')\n"}),
		"rad bicep generate-kubernetes-manifest app.bicepparam"},
	{params.CodeFile, "The parameter file cannot be read: ….",
		"The message says where and why. A parameter file is JSON: an ARM parameter file, or an object of names and values.",
		append(exampleApp("param tag string = 'v1'\noutput image string = 'web:${tag}'\n"), bicep.ExampleFile{Name: "values.json", Text: "{ \"tag\": \n"}),
		"rad bicep generate-kubernetes-manifest app.bicep -p @values.json"},
	{"stale-manifest", "The manifest is not what its template gives now.",
		"Generate it again by the command that the message prints, and commit it.",
		append(exampleApp("output port int = 80\n"), bicep.ExampleFile{Name: "app.yaml", Text: "kind: DeploymentTemplate\n"}),
		"rad bicep generate-kubernetes-manifest app.bicep --check --diagnostics-format json"},
	{"line-ends", "The lines of this string end in \\r\\n, so its value depends on how the file is checked out.",
		"Git gives files other line ends on Windows than elsewhere, and those in a multi-line string are part of its value. Put '*.bicep text eol=lf' into .gitattributes, and check the file out again.",
		exampleApp("var text = '''\r\none\r\ntwo'''\r\noutput lines string = text\r\n"), "rad bicep generate-kubernetes-manifest app.bicep"},
	{"cannot-expand", "The template cannot be evaluated: ….",
		"The template makes more resources or values than a deployment can have. Correct the values of its parameters, or the loop.",
		exampleApp("param count int\nresource nets 'Microsoft.Network/virtualNetworks@2023-11-01' = [for i in range(0, count): {\n  name: 'net${i}'\n}]\n"),
		"rad bicep plan app.bicep -p count=100000"},
}

func exampleApp(text string) []bicep.ExampleFile {
	return []bicep.ExampleFile{{Name: "app.bicep", Text: text}}
}

// explanation returns the entry in the form of those of the compiler.
func (c commandCode) explanation() bicep.Explanation {
	level := report.Error
	if c.code == "line-ends" {
		level = report.Warning
	}
	return bicep.Explanation{Code: c.code, Level: level, Message: c.message, Repair: c.repair}
}
