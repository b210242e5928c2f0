package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/radbicep/rad/pkg/spell"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// setting is one thing that a flag, the environment or a settings file can set.
type setting struct {
	key  string // as in the settings file: generatorVersion
	def  any    // its default, whose type is the setting's
	enum []string
	help string
}

// flag returns the name of the setting's flag: generator-version.
func (s setting) flag() string { return cli.Kebab(s.key) }

// envPrefix begins the names of the variables that are settings.
const envPrefix = "RAD_BICEP_"

// env returns the name of the setting's variable: RAD_BICEP_GENERATOR_VERSION.
func (s setting) env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(cli.Kebab(s.key), "-", "_"))
}

// The keys of the settings.
const (
	keyCompiler          = "compiler"
	keyTimeout           = "timeout"
	keyRequiredVersion   = "requiredVersion"
	keyGeneratorVersion  = "generatorVersion"
	keyAzTypes           = "azTypes"
	keyRoot              = "root"
	keyHermetic          = "hermetic"
	keyAllowEnv          = "allowEnv"
	keyDiagnosticsFormat = "diagnosticsFormat"
	keyWarningsAsErrors  = "warningsAsErrors"
	keyColor             = "color"
	keyTarget            = "target"
	keyOutputFormat      = "outputFormat"
	keyOutdir            = "outdir"
	keyNamespace         = "namespace"
	keyGroup             = "group"
	keyAzureScope        = "azureScope"
	keyAWSScope          = "awsScope"
	keyEnvironment       = "environment"
	keyApplication       = "application"
	keyCompact           = "compact"
	keyGeneratorMetadata = "generatorMetadata"
	keySecureParameters  = "secureParameters"
	keyTrustedFolders    = "trustedFolders"
)

var diagnosticsFormats = []string{"text", "json", "sarif", "github", "gitlab", "azure"}

// compilerSettings are those of every command that compiles.
var compilerSettings = append([]setting{
	{keyCompiler, "auto", nil, "compiler to use: auto, embedded, bicep, rad or an executable `FILE`"},
	{keyTimeout, 2 * time.Minute, nil, "longest `TIME` that an external compiler may take"},
	{keyRequiredVersion, "", nil, "`VERSION` that an external compiler must have, such as 0.46"},
	{keyGeneratorVersion, "", nil, "`VERSION` that the embedded compiler writes into templates"},
	{keyAzTypes, "", nil, "library of Azure's types, or archive of them: `FILE`, or none (default: the one built in or imported)"},
	{keyRoot, "", nil, "`DIR` outside of which no file is read (default: the git work tree)"},
	{keyTrustedFolders, []string(nil), nil, "`DIR[,DIR]` whose .rad/bicep.yaml may set every setting"},
	{keyHermetic, false, nil, "no network, and no environment variables for parameter files except those of --allow-env"},
	{keyAllowEnv, []string(nil), nil, "environment variables that parameter files may read with --hermetic: `NAME[,PREFIX_*]`"},
	{keyDiagnosticsFormat, "text", diagnosticsFormats, "`FORM` of diagnostics: text, json, sarif, github, gitlab or azure"},
	{keyWarningsAsErrors, false, nil, "treat warnings as errors"},
	{keyColor, "auto", []string{"auto", "always", "never"}, "`WHEN` to colour: auto, always or never"},
}, registrySettings...)

// manifestSettings are those of the command that writes manifests.
var manifestSettings = []setting{
	{keyTarget, designTarget, targetNames, "`SHAPE` of the manifest: design, radius for the CRD of Radius 0.43 to 0.60, or aso or crossplane for objects of these"},
	{keyOutputFormat, "yaml", []string{"yaml", "json"}, "`FORMAT` of the manifest: yaml or json"},
	{keyOutdir, "", nil, "`DIR` to write the manifests to"},
	{keyNamespace, "", nil, "`NAMESPACE` of the manifest (default: radius-system with --target design, else none)"},
	{keyGroup, "", nil, "Radius resource `GROUP` to deploy to"},
	{keyAzureScope, "", nil, "Azure `SCOPE`: /subscriptions/ID/resourceGroups/NAME"},
	{keyAWSScope, "", nil, "AWS `SCOPE`: /planes/aws/aws/accounts/ID/regions/NAME"},
	{keyEnvironment, "", nil, "value of the parameter environment, if the template declares it: an `ID`, or a name within --group"},
	{keyApplication, "", nil, "value of the parameter application, if the template declares it: an `ID`, or a name within --group"},
	{keyCompact, false, nil, "write the template's JSON without white space"},
	{keyGeneratorMetadata, "keep", []string{"keep", "drop"}, "how to handle the compiler's version and hash in the template, by `MODE`: keep or drop"},
	{keySecureParameters, "error", []string{"error", "omit", "allow"}, "how to handle values of @secure() parameters, by `MODE`: error, omit or allow"},
}

// addSettings gives the command a flag for each setting, and completes its values.
func addSettings(c *cobra.Command, settings []setting) {
	flags := c.Flags()
	for _, s := range settings {
		short := ""
		if s.key == keyGroup {
			short = "g"
		}
		switch def := s.def.(type) {
		case string:
			flags.StringP(s.flag(), short, def, s.help)
		case bool:
			flags.Bool(s.flag(), def, s.help)
		case time.Duration:
			flags.Duration(s.flag(), def, s.help)
		case []string:
			flags.StringSlice(s.flag(), def, s.help)
		default:
			panic(fmt.Sprintf("setting %s: %T", s.key, def))
		}
	}
	completeSettings(c, settings)
}

// addParameters gives the command --parameters, as generate-kubernetes-manifest has it.
func addParameters(c *cobra.Command, parameters *[]string) {
	c.Flags().StringArrayVarP(parameters, "parameters", "p", nil, "values of parameters, repeatable; `FORMS` as of generate-kubernetes-manifest")
	_ = c.RegisterFlagCompletionFunc("parameters", completeParameters)
}

// settings are the settings of one run, merged: flag, environment, the project's
// file, the user's file, default.
type settings struct {
	viper *viper.Viper
	flags *pflag.FlagSet
	// file is what of the project's file viper does not hold, since it would not
	// keep the case of names.
	file *settingsFile
	read []*settingsFile // the files that were read; the first one counts most
}

// loadSettings merges the settings of a command. user and project are the settings
// files, which may be nil.
func loadSettings(flags *pflag.FlagSet, all []setting, user, project *settingsFile) (*settings, error) {
	s := &settings{flags: flags, viper: viper.NewWithOptions(viper.KeyDelimiter("::"))}
	for _, one := range all {
		if one.def != nil {
			s.viper.SetDefault(one.key, one.def)
		}
		if err := s.viper.BindEnv(one.key, one.env()); err != nil {
			return nil, err
		}
		if f := flags.Lookup(one.flag()); f != nil {
			if err := s.viper.BindPFlag(one.key, f); err != nil {
				return nil, err
			}
		}
	}
	if user != nil { // viper changes the keys of what it is given
		if err := s.viper.MergeConfigMap(maps.Clone(user.values)); err != nil {
			return nil, err
		}
		s.file = user
	}
	if project != nil {
		if err := s.viper.MergeConfigMap(maps.Clone(project.values)); err != nil {
			return nil, err
		}
		if s.file != nil {
			project.Labels = mergeMaps(s.file.Labels, project.Labels)
			project.Annots = mergeMaps(s.file.Annots, project.Annots)
		}
		s.file = project
	}
	for _, f := range []*settingsFile{project, user} {
		if f != nil {
			s.read = append(s.read, f)
		}
	}
	if s.file == nil {
		s.file = &settingsFile{}
	}
	return s, s.validate(all)
}

// given reports whether anything but the default says what a setting is.
func (s *settings) given(key string) bool {
	return os.Getenv(setting{key: key}.env()) != "" || s.flags.Changed(cli.Kebab(key)) || s.viper.InConfig(key)
}

// mergeMaps lays b over a.
func mergeMaps(a, b map[string]string) map[string]string {
	out := make(map[string]string, len(a)+len(b))
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// place says where a setting was made, as messages name it.
func (s *settings) place(one setting) string {
	switch {
	case s.flags.Changed(one.flag()):
		return "--" + one.flag()
	case os.Getenv(one.env()) != "":
		return "the environment's " + one.env()
	}
	for _, f := range s.read {
		if f.values[one.key] != nil {
			return f.where(one.key) + ": " + one.key
		}
	}
	return one.key
}

// unknownVariables refuses a variable of the environment that looks like a setting but is not one.
func unknownVariables(environ []string) error {
	var known []string // without the prefix, which all have in common
	for _, one := range generateSettings {
		known = append(known, strings.TrimPrefix(one.env(), envPrefix))
	}
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, envPrefix)
		if !ours || name == callerVariable || slices.Contains(known, rest) {
			continue
		}
		hint := "; unset it ('rad bicep schema settings' lists the settings)"
		if near := spell.Near(rest, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", envPrefix+near)
		}
		return cli.Fail(cli.ExitUsage, "the environment's %s is not a setting%s", name, hint)
	}
	return nil
}

// validate holds settings to their values, wherever they were set.
func (s *settings) validate(all []setting) error {
	if err := unknownVariables(os.Environ()); err != nil {
		return err
	}
	for _, one := range all {
		switch one.def.(type) {
		case bool:
			switch v := s.viper.Get(one.key).(type) {
			case bool:
			case string:
				if v != "true" && v != "false" && v != "1" && v != "0" {
					return cli.Fail(cli.ExitUsage, "%s: want true or false, not %q", s.place(one), v)
				}
			}
		case time.Duration:
			if v, ok := s.viper.Get(one.key).(string); ok {
				if _, err := time.ParseDuration(v); err != nil {
					return cli.Fail(cli.ExitUsage, "%s: want a duration such as 30s or 2m, not %q", s.place(one), v)
				}
			}
			if s.viper.GetDuration(one.key) <= 0 {
				return cli.Fail(cli.ExitUsage, "%s: want a duration above zero", s.place(one))
			}
		}
		if len(one.enum) == 0 {
			continue
		}
		v := s.viper.GetString(one.key)
		if one.key == keyDiagnosticsFormat { // as upstream: in any letter case, and "default"
			v = strings.ToLower(v)
			if v == "default" {
				v = "text"
			}
			s.viper.Set(one.key, v)
		}
		if !slices.Contains(one.enum, v) {
			return cli.Fail(cli.ExitUsage, "%s: want %s, not %q%s", s.place(one), cli.OrList(one.enum), v, cli.DidYouMean(v, one.enum))
		}
	}
	return nil
}

func (s *settings) str(key string) string             { return s.viper.GetString(key) }
func (s *settings) bool(key string) bool              { return s.viper.GetBool(key) }
func (s *settings) duration(key string) time.Duration { return s.viper.GetDuration(key) }

// list returns a setting that holds several values; the environment separates
// them with commas.
func (s *settings) list(key string) []string {
	var out []string
	add := func(v string) {
		for _, one := range strings.Split(v, ",") {
			if one = strings.TrimSpace(one); one != "" {
				out = append(out, one)
			}
		}
	}
	switch v := s.viper.Get(key).(type) {
	case string:
		add(v)
	case []string:
		for _, one := range v {
			add(one)
		}
	case []any:
		for _, one := range v {
			add(fmt.Sprint(one))
		}
	}
	return out
}
