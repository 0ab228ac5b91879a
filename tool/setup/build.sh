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

NO_VERIFIER="no libtorch_cpu.so in LibTorch: the verifier needs its libraries"

has_verifier_libraries() {
  compgen -G "$LIBTORCH/lib/libtorch_cpu.so" >/dev/null ||
    compgen -G "$LIBTORCH/lib/*/libtorch_cpu.so" >/dev/null
}

# build_verifier TARGET...: needs LIBTORCH. Sets VERIFIER, the build folder of
# runtime-check; without LibTorch's libraries it builds nothing.
build_verifier() {
  VERIFIER=$ROOT/build/verifier
  ! has_verifier_libraries || build_verifier_for "$LIBTORCH" "$VERIFIER" "$@"
}

# build_verifier_for LIBTORCH FOLDER TARGET...
build_verifier_for() {
  local what="Building the verifier in $2"
  [ -x "$2/torch-device-verify" ] ||
    what="$what (the first time takes some minutes on two cores)"
  run_step "Configuring $2" quietly cmake -S "$ROOT/runtime-check" \
    -B "$2" -G Ninja "-DLIBTORCH=$1" ||
    fail "CMake could not configure $2; see above"
  run_step "$what" cmake --build "$2" --parallel "$(jobs_of_machine)" \
    --target "${@:3}" || fail "the build in $2 failed; see above"
}
