package artifacts

import (
	"github.com/radbicep/rad/pkg/bicep/internal/azlibrary"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/store"
)

// AzTypes is the library of Azure's types that compilations use.
type AzTypes struct {
	// Where is "built in", the path of a file, or "" for no library.
	Where string
	// Source says what the library was made of.
	Source string
	// Types is the number of resource types, each version counted.
	Types int
	// Licence is the licence of the types.
	Licence string
}

// FindAzTypes returns the library that a request with this value of AzTypes uses.
func FindAzTypes(path string) (AzTypes, error) {
	source, err := azlibrary.Find(path)
	if err != nil {
		return AzTypes{}, err
	}
	lib := source.Open()
	if lib == nil || source.Err != nil {
		return AzTypes{}, source.Err
	}
	return describeAzTypes(source.Where, lib), nil
}

func describeAzTypes(where string, lib *aztypes.Library) AzTypes {
	return AzTypes{where, lib.Source(), lib.Len(), lib.Licence()}
}

// RemoveConvertedAzTypes removes the libraries that archives of Azure's types were made
// into, and returns how many there were. They are made again when they are needed.
func RemoveConvertedAzTypes() (int, error) {
	s, err := store.Open()
	if err != nil {
		return 0, nil // there is no cache
	}
	return s.RemoveConverted()
}
