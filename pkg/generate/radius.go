package generate

import (
	"github.com/radbicep/rad/pkg/armjson"
)

func coreNamespace(*armjson.Object) string { return "Applications.Core" }
