#===- old-libtorch.sh - The oldest LibTorch that is supported --------------===#
#
# Part of torch-device-lint, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Only tests want it. It is Debian's package, unpacked into the user's cache
# without being installed: in /usr it would be found instead of a newer one.
#
#===------------------------------------------------------------------------===#

OLD_RELEASE=1.13

# release_of_libtorch FOLDER: "2.11", from the folder that holds include/.
release_of_libtorch() {
  local header
  for header in headeronly csrc/api/include/torch; do
    header=$1/include/torch/$header/version.h
    [ -f "$header" ] || continue
    awk '/#define TORCH_VERSION_MAJOR [0-9]/ { major = $3 }
         /#define TORCH_VERSION_MINOR [0-9]/ { minor = $3 }
         END { if (major == "") exit 1; print major "." minor }' "$header" && return
  done
  return 1
}

# The version of libtorch-dev that apt-get would fetch: "1.13.1+dfsg-4".
debian_libtorch_version() {
  local version
  version=$(apt-cache policy libtorch-dev 2>/dev/null | awk '$1 == "Candidate:" { print $2 }')
  [ "$version" != "(none)" ] || version=
  echo "$version"
}

# Images of containers come without apt's lists.
refresh_apt_lists() {
  local as_root
  as_root=$(root_prefix) && quietly $as_root apt-get update
}

# unpack_old_libtorch FOLDER: old lists name packages that are no longer there.
unpack_old_libtorch() {
  local unpack=$ROOT/runtime-check/tools/unpack-debian-libtorch
  "$unpack" "$1" || { refresh_apt_lists && "$unpack" "$1"; }
}

# fetch_old_libtorch FOLDER: runs that fetch at the same time wait for the first.
fetch_old_libtorch() {
  local what="Looking at Debian's LibTorch in $1"
  mkdir -p "${1%/*}"
  [ -e "$1" ] ||
    what="Fetching Debian's LibTorch $OLD_RELEASE (130 MB, 520 MB unpacked) into $1"
  (
    flock 9
    run_step "$what" unpack_old_libtorch "$1"
  ) 9>"$1.lock"
}

# ensure_old_libtorch: needs LIBTORCH. Sets OLD_LIBTORCH to the folder that holds
# usr/include; or leaves it empty, and NO_OLD_LIBTORCH says why. Never a reason to
# give up.
ensure_old_libtorch() {
  local version
  OLD_LIBTORCH=
  NO_OLD_LIBTORCH=
  if [ "$(release_of_libtorch "$LIBTORCH")" = "$OLD_RELEASE" ]; then
    NO_OLD_LIBTORCH="the other tests ran on LibTorch $OLD_RELEASE already"
  elif ! has_command apt-get; then
    NO_OLD_LIBTORCH="LibTorch $OLD_RELEASE is a Debian package, and this system has no apt-get to fetch it with"
  else
    [ -n "$(debian_libtorch_version)" ] || refresh_apt_lists || true
    version=$(debian_libtorch_version)
    case "$version" in
    "$OLD_RELEASE".*)
      OLD_LIBTORCH=$(cache_folder)/libtorch-debian-$OLD_RELEASE
      fetch_old_libtorch "$OLD_LIBTORCH" || {
        OLD_LIBTORCH=
        NO_OLD_LIBTORCH="Debian's LibTorch $OLD_RELEASE could not be fetched; see the message above"
      }
      ;;
    '') NO_OLD_LIBTORCH="apt-get knows no libtorch-dev, from which LibTorch $OLD_RELEASE would come" ;;
    *) NO_OLD_LIBTORCH="the system's libtorch-dev is $version, not $OLD_RELEASE" ;;
    esac
  fi
  [ -z "$NO_OLD_LIBTORCH" ] || say "No tests on LibTorch $OLD_RELEASE: $NO_OLD_LIBTORCH"
}
