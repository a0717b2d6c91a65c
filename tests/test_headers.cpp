// Nothing: the target that owns the precompiled headers of the tests needs a source. An executable, like the tests:
// a library would be compiled with other flags.
