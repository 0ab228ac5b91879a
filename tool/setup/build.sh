#===- build.sh - Configures and builds the linter --------------------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# tool/quickstart and test/run build in the same folder, so that whoever runs
# one after the other compiles once.
#
#===------------------------------------------------------------------------===#

# build_linter PRESET TARGET...: needs LIBTORCH. Sets BUILD, the build folder.
build_linter() {
  local preset=$1 what="Building the linter"
  shift
  BUILD=$ROOT/build/$preset
  run_step "Configuring $BUILD" quietly cmake -S "$ROOT" --preset "$preset" \
    "-DTDL_LIBTORCH=$LIBTORCH" || fail "CMake could not configure $BUILD; see above"
  [ -x "$BUILD/bin/torch-device-lint" ] ||
    what="$what (the first time takes some minutes on two cores)"
  run_step "$what" cmake --build "$BUILD" --parallel "$(jobs_of_machine)" \
    --target "$@" || fail "the build in $BUILD failed; see above"
}
