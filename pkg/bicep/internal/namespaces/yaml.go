package namespaces

import "github.com/radbicep/rad/pkg/armjson"

func parseYAML(text string) (armjson.Value, bool) { return nil, false }
