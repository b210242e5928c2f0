package diag

// What is reported when a value does not fit the type that is expected of it,
// when a function's arguments do not fit, and when an operation on types fails.
var (
	BCP033 = &Rule{"BCP033", Error, "A value of type %q is needed here, but this one is of type %q.", ""}
	BCP034 = &Rule{"BCP034", Error, "The items of this array must be of type %q, but this one is of type %q.", ""}
	BCP035 = &Rule{"BCP035", Error, "This %s%s lacks properties that are required: %s. Add them.%s", ""}
	BCP036 = &Rule{"BCP036", Error, "The property %q takes a value of type %q, but the value%s is of type %q.%s", ""}
	BCP037 = &Rule{"BCP037", Error, "The property %q%s does not belong to the type %q.%s%s", ""}
	BCP040 = &Rule{"BCP040", Error, "The names of the properties of type %q%s must be plain, without ${…}.%s", ""}
	BCP048 = &Rule{"BCP048", Error, "None of the ways to call this function fits: an argument is of type %q, but one of these is needed: %s.", ""}
	BCP052 = &Rule{"BCP052", Error, "The type %q has no property %q.%s", ""}
	BCP053 = &Rule{"BCP053", Error, "The type %q has no property %q. It has: %s.%s", ""}
	BCP070 = &Rule{"BCP070", Error, "An argument of type %q does not fit a parameter of type %q.", ""}
	BCP071 = &Rule{"BCP071", Error, "Expected %s here, but there are %d.", ""}
	BCP073 = &Rule{"BCP073", Error, "The property %q can only be read. Remove it.%s", ""}
	BCP077 = &Rule{"BCP077", Error, "The property %q of type %q can only be set, not read.", ""}
	BCP078 = &Rule{"BCP078", Error, "The property %q is required, with a value of type %q.", ""}
	BCP083 = &Rule{"BCP083", Error, "The type %q has no property %q. Is %q meant?", ""}
	BCP088 = &Rule{"BCP088", Error, "The property %q takes a value of type %q, not %s. Is %s meant?", ""}
	BCP089 = &Rule{"BCP089", Error, "The property %q does not belong to the type %q. Is %q meant?", ""}
	BCP173 = &Rule{"BCP173", Error, "An existing resource cannot have the property %q, since nothing is deployed for it.", ""}
	BCP176 = &Rule{"BCP176", Error, "A value of type any cannot be used here: the compiler has to know what it is.", ""}
	BCP187 = &Rule{"BCP187", Warning, "The type does not declare the property %q; it may exist all the same, if the type's definition is incomplete.", ""}
	BCP225 = &Rule{"BCP225", Warning, "The object is not checked, since the value of %q, which decides what its other properties are, is known only during the deployment.", ""}
	BCP234 = &Rule{"BCP234", Warning, "The function %q fails for these arguments (%s): %s.", ""}
	BCP309 = &Rule{"BCP309", Error, "A value of type %q cannot be flattened: %q is not an array.", ""}
	BCP327 = &Rule{"BCP327", Error, "The value, which is at least %d, is above the greatest allowed value, %d.", ""}
	BCP328 = &Rule{"BCP328", Error, "The value, which is at most %d, is below the least allowed value, %d.", ""}
	BCP329 = &Rule{"BCP329", Warning, "The value can be as small as %d, but at least %d is needed.", ""}
	BCP330 = &Rule{"BCP330", Warning, "The value can be as great as %d, but at most %d is allowed.", ""}
	BCP332 = &Rule{"BCP332", Error, "The value, whose length is at least %d, is longer than the greatest allowed length, %d.", ""}
	BCP333 = &Rule{"BCP333", Error, "The value, whose length is at most %d, is shorter than the least allowed length, %d.", ""}
	BCP334 = &Rule{"BCP334", Warning, "The value can be as short as %d, but a length of at least %d is needed.", ""}
	BCP335 = &Rule{"BCP335", Warning, "The value can be as long as %d, but a length of at most %d is allowed.", ""}
	BCP403 = &Rule{"BCP403", Error, "The items of this array must be of type %q, but what is spread here has items of type %q.", ""}
	BCP410 = &Rule{"BCP410", Error, "This divides by zero.", ""}
	BCP411 = &Rule{"BCP411", Error, "Only Azure's library of types says what this part of the resource type is, and that is not at hand. Write the type out, or list an archive of that library as \"az\" under extensions in bicepconfig.json.", ""}
	BCP416 = &Rule{"BCP416", Error, "The string does not match the pattern /%s/.", ""}
)
