package typelib

// ForgetShapes makes the tables as they are when the program starts.
func ForgetShapes() { radiusShapes.made, kubernetesShapes.made = nil, nil }
