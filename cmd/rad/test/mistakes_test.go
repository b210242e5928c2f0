package test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/krm"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// line is what a command is told, however that command is told it.
type line struct {
	template   string
	parameters []string
	flags      []string
}

// callers say how the commands are called that do not take a template as their argument and
// --parameters, or that need more than that. A command that is not here is called like that.
var callers = map[string]caller{
	"bicep generate-kubernetes-manifest": {more: []string{"--outfile", "-"}},
	"bicep bundle":                       {more: []string{"--outfile", "out.tar", "--force"}, targets: []string{settings.DesignTarget, settings.RadiusTarget}},
	"bicep verify":                       {arguments: []string{"made.tar", "app.bicep"}, targets: []string{settings.DesignTarget, settings.RadiusTarget}},
	"bicep affected":                     {more: []string{"--deps", "all.d"}},
	"bicep snapshot":                     {arguments: []string{"app.bicepparam"}},
	"bicep jsonrpc":                      {arguments: []string{}},
	"bicep build-params":                 {arguments: []string{"app.bicepparam"}},
	"bicep publish":                      {more: []string{"--target", "br:h.example/a:1"}},
	"bicep publish-extension":            {arguments: []string{"index.json"}, more: []string{"--target", "br:h.example/a:1"}},
	"bicep cache list":                   {arguments: []string{}},
	"bicep cache path":                   {arguments: []string{}},
	"bicep cache clean":                  {arguments: []string{"--all"}},
	"bicep init":                         {arguments: []string{}, more: []string{"--dry-run"}},
	"bicep fn":                           {document: functionInput},
	"bicep argocd generate":              {document: applicationInput, variable: "ARGOCD_APP_PARAMETERS"},
	"bicep argocd parameters":            {document: applicationInput, variable: "ARGOCD_APP_PARAMETERS"},
}

type caller struct {
	more      []string         // flags that it needs
	targets   []string         // the targets that it has a use for; nil if it has one for all
	arguments []string         // what is given in place of the template and the parameters
	document  func(l line) any // what holds the template and the parameters in place of the command line
	variable  string           // of the environment, that has the document; else it is standard input
}

func functionInput(l line) any {
	spec := map[string]any{"template": l.template, "parameters": append([]string{}, l.parameters...)}
	return map[string]any{"kind": "ResourceList", "functionConfig": map[string]any{"kind": krm.FnKind, "spec": spec}}
}

func applicationInput(l line) any {
	return []any{
		map[string]any{"name": "template", "string": l.template},
		map[string]any{"name": "parameters", "array": append([]string{}, l.parameters...)},
	}
}

// needed are the flags that targets need, if the line does not give them.
var needed = map[string][2]string{
	settings.RadiusTarget: {"--group", "default"},
	"aso":                 {"--azure-scope", "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/apps"},
	"crossplane":          {"--azure-scope", "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/apps"},
	"kubernetes":          {"--azure-scope", "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/apps"},
}

// without is a flag that is not given, although the target needs it.
const without = "without "

// useful reports whether the command has a use for the target.
func (c *testedCommand) useful() bool {
	only := callers[c.name].targets
	return c.target == "" || only == nil || slices.Contains(only, c.target)
}

// tell runs a command, and returns its status and the lines on stderr that say what is wrong.
func (c *testedCommand) tell(t *testing.T, l line) (status int, wrong []string) {
	t.Helper()
	how := callers[c.name]
	args, stdin := strings.Fields(c.name), ""
	switch {
	case how.document != nil:
		text, err := json.Marshal(how.document(l))
		require.NoError(t, err)
		if how.variable != "" {
			t.Setenv(how.variable, string(text))
		} else {
			stdin = string(text)
		}
	case how.arguments != nil:
		args = append(args, how.arguments...)
	default:
		args = append(args, l.template)
		for _, p := range l.parameters {
			if c.has("parameters") {
				args = append(args, "--parameters", p)
			}
		}
	}
	args = append(args, how.more...)
	if c.target != "" && !slices.Contains(l.flags, "--target") {
		args = append(args, "--target", c.target)
	}
	if flag := needed[c.target]; flag[0] != "" && !slices.Contains(l.flags, flag[0]) && !slices.Contains(l.flags, without+flag[0]) {
		args = append(args, flag[:]...)
	}
	args = append(args, slices.DeleteFunc(slices.Clone(l.flags), func(f string) bool { return strings.HasPrefix(f, without) })...)
	var out, errs bytes.Buffer
	status = command.Run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	for line := range strings.SplitSeq(errs.String(), "\n") {
		if strings.HasPrefix(line, "Error: ") || strings.Contains(line, " : Error ") {
			line, _, _ = strings.Cut(line, " [https://")
			wrong = append(wrong, line)
		}
	}
	return status, wrong
}

// mistakeFiles are the files that the lines are about.
var mistakeFiles = map[string]string{
	"app.bicep": `param port int
param tag string = 'x'
resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'store${port}${tag}'
  location: 'westeurope'
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}
`,
	"secure.bicep":       "@secure()\nparam password string\n@secure()\noutput o string = password\n",
	"app.bicepparam":     "using 'app.bicep'\nparam port = 1\n",
	"plain.bicep":        "param port int\nextension kubernetes with { namespace: 'a', kubeConfig: '' }\nresource settings 'core/ConfigMap@v1' = { metadata: { name: 'a' }, data: { port: string(port) } }\n",
	"existing.bicep":     "param port int\nresource store 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'store${port}' }\n",
	"none.bicepparam":    "using none\nparam port = 1\n",
	"nothing.bicepparam": "using 'nosuch.bicep'\nparam port = 1\n",
	"other.bicepparam":   "using 'other.bicep'\nparam port = 1\n",
	"other.bicep":        "param port int\noutput o int = port\n",
	"broken.bicep":       "param port int\noutput o int = nosuch\n",
	"params.json":        `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#", "parameters": {"port": {"value": 1}}}`,
	"list.json":          "[1]",
	"text.json":          `{"a": `,
	"object.json":        `{"a": 1}`,
	"notes.txt":          "",
	"empty/readme.md":    "",
	"deep/in/app.bicep":  "output o int = 1\n",
}

// mistake is something that a user does wrong, and what every command says that can be told it.
type mistake struct {
	line
	status int
	says   string // how the one error ends
	// flag is the flag that the mistake is about. One without is about the template or the
	// parameters.
	flag   string
	target string // the only one that it is a mistake for, or ""
	// unlike are the commands, and the targets, that it is no mistake for, or another one, and why.
	unlike map[string]string
}

// What some commands do with mistakes of others on purpose.
var (
	asked    = map[string]string{"bicep affected": "what is wrong with a template is for others to say", "bicep argocd parameters": "generate says what is wrong"}
	argument = map[string]string{"bicep fn": "a listed template is one file", "bicep argocd generate": "a listed template is one file", "bicep argocd parameters": "a listed template is one file"}
	forms    = map[string]string{"bicep argocd parameters": "the form of the manifest does not matter"}
	official = map[string]string{"bicep snapshot": "it takes what the official command takes"}
	needless = map[string]string{"bicep init": "it has no use for what only --target aso and --target crossplane have"}
	unshown  = map[string]string{"bicep plan": "it is compared, not shown", "bicep graph": "it is not shown"}
	deployed = map[string]string{"bicep plan": "it shows what is deployed", "bicep graph": "it shows what is deployed"}
)

func and(lists ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}

const (
	secureValue = `Parameter "password": it is secure, and a manifest is readable by everybody who can read the repository or the cluster`

	wantGroup  = ": want the name of a resource group of Radius: letters, digits and -, at most 63, the first a letter and the last no -"
	wantAzure  = ": want /subscriptions/ID/resourceGroups/NAME"
	wantAWS    = ": want /planes/aws/aws/accounts/ID/regions/NAME"
	wantForms  = "want name=value, name:=json, name=@file.json, name=@text:file, name=@env:NAME, @file.json, @file.bicepparam or @-"
	wantDNS    = "it takes lower-case letters, digits and -, begins and ends with a letter or digit, and has at most 63 characters"
	wantPlain  = ": want a name or an ID without slashes and blanks"
	wantObject = "it takes lower-case letters, digits, - and ., begins and ends with a letter or digit, and has at most 253 characters"
	wantLabel  = "want at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit"
)

var mistakes = []mistake{
	of(settings.DesignTarget, flagged(`--group "a/b"`+wantGroup, nil, "--group", "a/b")),
	of(settings.RadiusTarget, flagged(`--group "-a"`+wantGroup, nil, "--group", "-a")),
	of("kubernetes", flagged(`--group "-a"`+wantGroup, forms, "--group", "-a")),
	flagged(`"A_b" is not a namespace: `+wantDNS+"; use --namespace a-b", nil, "--namespace", "A_b"),
	flagged(`--azure-scope "/foo"`+wantAzure, nil, "--azure-scope", "/foo"),
	flagged(`--azure-scope "/subscriptions/00000000-0000-0000-0000-000000000000"`+wantAzure, nil, "--azure-scope", "/subscriptions/00000000-0000-0000-0000-000000000000"),
	flagged(`--azure-scope "subscriptions/0/resourceGroups/a"`+wantAzure, nil, "--azure-scope", "subscriptions/0/resourceGroups/a"),
	flagged(`--aws-scope "x"`+wantAWS, nil, "--aws-scope", "x"),
	flagged(`"A_b" is not a name for a Kubernetes object: `+wantObject+"; use --name a-b", nil, "--name", "A_b"),
	flagged("--label x: want KEY=VALUE", nil, "--label", "x"),
	flagged(`label x: "a/b" is not a valid value; `+wantLabel, nil, "--label", "x=a/b"),
	flagged("--annotation =x: want KEY=VALUE", nil, "--annotation", "=x"),
	flagged(`annotation "b c": no valid key; want name or domain/name of letters, digits, -, _ and ., at most 63 of them`, nil, "--annotation", "b c=x"),
	flagged(`--location "a/b"`+wantPlain, and(official, needless), "--location", "a/b"),
	flagged(`--subscription-id "a b"`+wantPlain, needless, "--subscription-id", "a b"),
	flagged(`--subscription-id "x": the ID of a subscription is a GUID, such as 00000000-0000-0000-0000-000000000000`, needless, "--subscription-id", "x"),
	flagged(`--resource-group "a/b"`+wantPlain, and(official, needless), "--resource-group", "a/b"),
	flagged(`--target: want design, radius, aso, crossplane or kubernetes, not "raduis"; did you mean "radius"?`, nil, "--target", "raduis"),

	of(settings.RadiusTarget, flagged("--target radius needs --group: the controllers of Radius 0.43 to 0.60 deploy nothing without a resource group", deployed, without+"--group")),
	of("aso", flagged(`What "store" belongs to is not known. Set --subscription-id and --resource-group.`, and(forms, deployed), without+"--azure-scope")),
	of("aso", flagged("--group is about a DeploymentTemplate; it has no meaning with --target aso", and(forms, deployed), "--group", "default")),
	of(settings.DesignTarget, flagged("--location needs --target aso, --target crossplane or --target kubernetes", and(forms, deployed), "--location", "westeurope")),

	flagged("--root nosuch: not a folder", nil, "--root", "nosuch"),
	flagged(`--timeout: want a duration such as 30s or 2m, not "x"`, nil, "--timeout", "x"),
	flagged("--timeout: want a duration above zero", nil, "--timeout", "-1s"),
	flagged(`--color: want auto, always or never, not "x"`, nil, "--color", "x"),
	flagged(`--diagnostics-format: want text, json, sarif, github, gitlab or azure, not "x"`, nil, "--diagnostics-format", "x"),
	flagged(`--builtin-types: want never, when-absent or always, not "x"`, nil, "--builtin-types", "x"),
	flagged("--radius-version a b: want a tag, such as 0.58", nil, "--radius-version", "a b"),
	flagged("--registry-mirrors x: want HOST=HOST[/PREFIX]", nil, "--registry-mirrors", "x"),
	flagged(`--offline: want true or false, not "x"`, nil, "--offline=x"),
	flagged(`--secure-parameters: want error, omit, reference or allow, not "x"`, nil, "--secure-parameters", "x"),
	flagged(`--generator-metadata: want keep or drop, not "x"`, nil, "--generator-metadata", "x"),
	with(cli.ExitIO, flagged("the embedded compiler is Bicep 0.49.2.45890, and requiredVersion is 9.9", nil, "--required-version", "9.9")),

	content(cli.ExitSource, `The template declares no parameter "tga"; did you mean "tag"?`, asked, "app.bicep", "port=1", "tga=x"),
	content(cli.ExitSource, `The template requires a value for the parameter "port" (int); give it by --parameters port=…`,
		and(asked, map[string]string{"bicep plan": "it is unknown", "bicep graph": "it is unknown", "bicep bundle": "it is given later"}), "app.bicep"),
	content(cli.ExitSource, `Parameter "port": "x": want an int, such as 8080.`, asked, "app.bicep", "port=x"),
	content(cli.ExitIO, "--parameters @nosuch.json: there is no such file", asked, "app.bicep", "@nosuch.json"),
	content(cli.ExitIO, "--parameters @nosuch.bicepparam: there is no such file", asked, "app.bicep", "nosuch.bicepparam"),
	content(cli.ExitIO, "--parameters port=@nosuch.json: there is no such file", asked, "app.bicep", "port=@nosuch.json"),
	content(cli.ExitUsage, "--parameters port=@env:NOSUCH: there is no such environment variable. Set it.", asked, "app.bicep", "port=@env:NOSUCH"),
	content(cli.ExitUsage, "--parameters port: "+wantForms, nil, "app.bicep", "port"),
	content(cli.ExitUsage, "--parameters: "+wantForms, nil, "app.bicep", ""),
	content(cli.ExitSource, "This file is for the template other.bicep, not for app.bicep; change its `using`, or name the other template.", asked, "app.bicep", "other.bicepparam"),
	content(cli.ExitUsage, "none.bicepparam: it uses no template; name one and give this file with --parameters",
		and(asked, map[string]string{"bicep plan": "it deploys nothing"}), "none.bicepparam"),
	content(cli.ExitSource, "BCP091: The file cannot be read: there is no file nosuch.bicep.", asked, "nothing.bicepparam"),
	content(cli.ExitSource, "params.json: this is an ARM parameter file; name the template, and give this file with --parameters @params.json", asked, "params.json"),
	content(cli.ExitSource, "list.json: the template is not a JSON object", asked, "list.json"),
	content(cli.ExitSource, "text.json(1,7): not JSON: the text ends where a value is expected", asked, "text.json"),
	content(cli.ExitSource, "object.json: not an ARM template: it has no resources", asked, "object.json"),
	content(cli.ExitSource, `broken.bicep(2,16) : Error BCP057: "nosuch" is not defined.`, asked, "broken.bicep", "port=1"),
	content(cli.ExitSource, secureValue+`; refer to a key vault in a parameter file, or leave it out with --secure-parameters=omit.`,
		and(asked, unshown, map[string]string{"radius": "it has no references", "aso": "it has references of its own", "crossplane": "it has references of its own", "kubernetes": "a Secret with the value is not written"}), "secure.bicep", "password=hush"),
	of(settings.RadiusTarget, content(cli.ExitSource, secureValue+`; a manifest for Radius 0.43 to 0.60 holds no secret and no reference to one: give the parameter a default, `+
		`read a secret store that exists instead, or use --target design.`, and(asked, unshown), "secure.bicep", "password=hush")),
	of("aso", content(cli.ExitSource, secureValue+`; give it none: the objects refer to a Secret of the cluster.`, and(asked, unshown), "secure.bicep", "password=hush")),
	content(cli.ExitSource, "--parameters port:=…: the text is not JSON: line 1, column 2; a text goes into double quotes, or is given as port=text.", asked, "app.bicep", "port:={"),
	content(cli.ExitSource, `Parameter "Port": the template spells it "port".`, asked, "app.bicep", "Port=1"),
	content(cli.ExitSource, "text.json(1,7) : Error parameter-file: The text is not JSON.", asked, "app.bicep", "port=1", "@text.json"),
	content(cli.ExitUsage, "--parameters params.json: write @params.json to read a parameter file", nil, "app.bicep", "params.json"),
	content(cli.ExitIO, "--parameters @https://h.example/p.json: there is no such file, and no URL is fetched; download it first", asked, "app.bicep", "@https://h.example/p.json"),
	content(cli.ExitIO, "nosuch.bicep: there is no such file", nil, "nosuch.bicep"),
	content(cli.ExitIO, "nosuch: there is no such file and no such folder", argument, "nosuch"),
	content(cli.ExitUsage, "notes.txt: want a .bicep file, an ARM .json template, a .bicepparam file or a folder", argument, "notes.txt"),
	content(cli.ExitUsage, "empty: the folder holds no .bicep and no .bicepparam file", argument, "empty"),
	content(cli.ExitUsage, "deep: the folder itself holds no .bicep and no .bicepparam file; 'deep/**/*.bicep' names those in its folders", argument, "deep"),
	content(cli.ExitUsage, "https://h.example/a.bicep: a template is a file, and no URL is fetched; download it first, refer to it as a module of a registry (br:…), or name a bundle (oci://HOST/PATH:TAG)", argument, "https://h.example/a.bicep"),
	content(cli.ExitUsage, "br:h.example/a:1: a module is deployed by a template, which names it: module m 'br:h.example/a:1'. A bundle is named oci://HOST/PATH:TAG", argument, "br:h.example/a:1"),
	content(cli.ExitUsage, "port=… is a value for a parameter; write --parameters before each of them", argument, "port=1"),
	content(cli.ExitUsage, "x*.bicep: no file matches", argument, "x*.bicep"),
	content(cli.ExitUsage, "an argument is empty; name a template, a parameter file or a folder", argument, ""),
}

// flagged is a mistake in a flag.
func flagged(says string, unlike map[string]string, flags ...string) mistake {
	flag, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flags[0], without), "--"), "=")
	return mistake{line: line{"app.bicep", []string{"port=1"}, flags}, status: cli.ExitUsage, says: says, flag: flag, unlike: unlike}
}

// with is a mistake with another status than that of a wrong line.
func with(status int, m mistake) mistake {
	m.status = status
	return m
}

// of is a mistake with one target only.
func of(target string, m mistake) mistake {
	m.target = target
	return m
}

// ofManifests are the settings about manifests and deployments. A wrong one of the others is
// called by the name of its variable.
const ofManifests = settings.Generate &^ settings.Compiler

// settingOf returns the setting that has a flag, or nil.
func settingOf(flag string) *settings.Setting {
	all := settings.Generate.All()
	if i := slices.IndexFunc(all, func(s *settings.Setting) bool { return s.Flag() == flag }); i >= 0 {
		return all[i]
	}
	return nil
}

// content is a mistake in a template or its parameters.
func content(status int, says string, unlike map[string]string, template string, parameters ...string) mistake {
	return mistake{line: line{template: template, parameters: parameters}, status: status, says: says, unlike: unlike}
}

// takes reports whether the command can be told the line of a mistake.
func (c *testedCommand) takes(m *mistake) bool {
	switch {
	case m.target != "" && m.target != c.target, m.flag == settings.KeyTarget && c.target == "":
		return false
	case m.flag != "":
		return c.has(m.flag)
	}
	return c.has("parameters") || callers[c.name].document != nil
}

// TestMistakes makes each mistake with every command that takes the flag, or the template: all
// of them refuse it with the same status and in the same words. What a command is called by is
// read from the command tree, so a new one is held to it, too.
func TestMistakes(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range mistakeFiles {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	t.Chdir(dir)
	require.Zero(t, command.Run(t.Context(), []string{"bicep", "bundle", "app.bicep", "-o", "made.tar"}, strings.NewReader(""), new(strings.Builder), new(strings.Builder)))
	commands := slices.DeleteFunc(testedCommands(t), func(c *testedCommand) bool { return !c.useful() })
	tried := map[*testedCommand]bool{} // with templates
	for i := range mistakes {
		m := &mistakes[i]
		try := func(t *testing.T, l line) {
			for _, c := range commands {
				if !c.takes(m) {
					continue
				}
				tried[c] = tried[c] || m.flag == ""
				want := m.status
				if cli.IsDropIn(c.Command) {
					want = 1 // the one status that the official compiler fails with
				}
				status, wrong := c.tell(t, l)
				alike := status == want && len(wrong) == 1 && strings.HasSuffix(wrong[0], m.says)
				switch other := cmp.Or(m.unlike[c.name], m.unlike[c.target]); {
				case other == "" && !alike:
					t.Errorf("%s: %q: status %d and %q,\nwant status %d and %q", c, l, status, wrong, want, m.says)
				case other != "" && alike:
					t.Errorf("%s: %q: it is refused as by the others: take the exception out (%s)", c, l, other)
				}
			}
		}
		try(t, m.line)
		if s := settingOf(m.flag); s != nil && m.target == "" && s.Sets&ofManifests != 0 && s.Enum == nil { // the same, said by the environment
			t.Run(s.Env(), func(t *testing.T) {
				t.Setenv(s.Env(), m.flags[1])
				try(t, line{m.template, m.parameters, []string{without + m.flags[0]}})
			})
		}
	}
	// Without the mistake, the line is right.
	for _, c := range commands {
		good := line{"app.bicep", []string{"port=1"}, nil}
		switch c.target {
		case "crossplane":
			good.template = "existing.bicep"
		case "kubernetes":
			good.template = "plain.bicep"
		}
		if tried[c] {
			status, wrong := c.tell(t, good)
			assert.Zero(t, status, "%s: %q", c, wrong)
		}
	}
}
