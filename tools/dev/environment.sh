# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# Where things are compiled and run: on the host, if CMake finds everything there, else in a Debian sid root in the
# user's cache, made by mmdebstrap and entered with bubblewrap. Both need no daemon, and neither needs to be root.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/upsweep

environment_key() { cat "$source_dir/tools/debian/packages" "$source_dir/tools/debian/setup_root.sh" | sha256sum | cut -c1-12; }
environment_root() { echo "$cache/debian-$(environment_key)"; }

# ---------------------------------------------------------------------------------------------------- the host

host_is_complete() {
  local probe log code
  command -v cmake >/dev/null && command -v ninja >/dev/null || return 1
  probe=$(mktemp -d)
  log=$probe/log
  cmake -S "$source_dir/tools/dev/probe" -B "$probe/build" -G Ninja >"$log" 2>&1
  code=$?
  host_has_kokkoskernels=$(sed -n 's/^-- KokkosKernels found: //p' "$log")
  rm -rf "$probe"
  return $code
}

# Sets environment=host|debian. The answer is kept beside the build, because asking CMake takes seconds.
choose_environment() {
  local remembered=$build_dir.environment
  environment=${UPSWEEP_ENV:-}
  case $environment in
    host)
      host_is_complete || fail "UPSWEEP_ENV=host, but CMake does not find all of: Kokkos >= 4.6, MPI, GoogleTest, CLI11, fmt," \
        "nlohmann_json and zlib (and cmake and ninja themselves) on this machine"
      return
      ;;
    debian) return ;;
    "") ;;
    *) fail "UPSWEEP_ENV is '$environment'; it may be host or debian" ;;
  esac
  if [[ -f $remembered ]]; then
    read -r environment host_has_kokkoskernels <"$remembered"
    return
  fi
  if host_is_complete; then
    environment=host
    say "using the Kokkos and MPI that CMake finds on this machine (UPSWEEP_ENV=debian: the default environment instead)"
  else
    environment=debian
  fi
  mkdir -p "${remembered%/*}"
  echo "$environment ${host_has_kokkoskernels:-}" >"$remembered"
}

# ----------------------------------------------------------------------------------------------------
# mmdebstrap and bubblewrap

helpers_present() { command -v mmdebstrap >/dev/null && command -v bwrap >/dev/null; }

use_unpacked_helpers() {
  local h=$cache/helpers libraries
  [[ -d $h ]] || return 1
  libraries=$(find "$h/lib" "$h/usr/lib" -maxdepth 2 -name 'lib*.so.*' -printf '%h\n' 2>/dev/null | sort -u | paste -s -d :)
  export PATH=$h/usr/sbin:$h/usr/bin:$h/bin:$PATH
  export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  PERL5LIB=$(find "$h/usr/share/perl" "$h/usr/share/perl5" "$h"/usr/lib/*/perl "$h"/usr/lib/*/perl-base -maxdepth 1 -type d \
    2>/dev/null | paste -s -d :)
  export PERL5LIB
  helpers_present
}

# apt with lists of its own, so that an ordinary user can read what the machine's sources offer now.
private_apt() {
  local state=$cache/apt
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  apt-get -q -o Dir::State::Lists="$state/lists" -o Dir::Cache="$state/cache" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User= "$@"
}

# The two packages, and what they need and the machine lacks, unpacked and not installed: that takes no privilege.
unpack_helpers() {
  local partial=$cache/helpers.partial packages
  command -v apt-get >/dev/null || return 1
  say "unpacking mmdebstrap and bubblewrap into $cache/helpers (nothing is installed)"
  rm -rf "$partial" && mkdir -p "$partial/debs" || return 1
  private_apt update >"$partial/log" 2>&1
  packages=$(private_apt --print-uris --no-install-recommends -y install mmdebstrap bubblewrap 2>>"$partial/log" |
    sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p")
  [[ -n $packages ]] || return 1
  # shellcheck disable=SC2086
  (cd "$partial/debs" && private_apt download $packages >>"$partial/log" 2>&1) || return 1
  local deb
  for deb in "$partial"/debs/*.deb; do dpkg -x "$deb" "$partial" || return 1; done
  rm -rf "$partial/debs" "$cache/helpers" "$cache/apt"
  mv "$partial" "$cache/helpers"
}

require_helpers() {
  helpers_present && return
  if ((EUID == 0)) && command -v apt-get >/dev/null; then
    say "installing the packages mmdebstrap and bubblewrap (apt-get)"
    local install=(apt-get -q -y --no-install-recommends install mmdebstrap bubblewrap) log=$cache/apt-get.log
    DEBIAN_FRONTEND=noninteractive "${install[@]}" >"$log" 2>&1 ||
      { apt-get -q update && DEBIAN_FRONTEND=noninteractive "${install[@]}"; } >>"$log" 2>&1 ||
      { tail -n 5 "$log" >&2; fail "apt-get could not install mmdebstrap and bubblewrap (whole log: $log)"; }
    helpers_present && return
  fi
  use_unpacked_helpers && return
  unpack_helpers && use_unpacked_helpers && return
  fail "the default environment needs the packages mmdebstrap and bubblewrap, which could neither be found nor downloaded;" \
    "install both, or install Kokkos >= 4.6, MPI, GoogleTest, CLI11, fmt, nlohmann_json and zlib for CMake to find"
}

# ---------------------------------------------------------------------------------------------------- the jail

# A system call filter for bwrap --seccomp: where only one user id exists, changing owners cannot work and need
# not, so those calls are answered with success without being made. That lets dpkg work for an ordinary user.
# (x86-64 and arm64.)
write_ownership_filter() {
  local machine calls i count
  case $(uname -m) in
    # chown fchown lchown fchownat mknod mknodat setgroups
    x86_64) machine=0xc000003e calls=(92 93 94 260 133 259 116) ;;
    # fchown fchownat mknodat setgroups
    aarch64) machine=0xc00000b7 calls=(55 54 33 159) ;;
    *) fail "as an ordinary user the default environment can be made on x86-64 and arm64 only" ;;
  esac
  count=${#calls[@]}
  filter_instruction 0x20 0 0 4                        # load the architecture
  filter_instruction 0x15 0 $((count + 1)) "$machine"  # another one: go to 'allow'
  filter_instruction 0x20 0 0 0                        # load the call's number
  for i in "${!calls[@]}"; do filter_instruction 0x15 $((count - i)) 0 "${calls[i]}"; done
  filter_instruction 0x06 0 0 0x7fff0000 # allow
  filter_instruction 0x06 0 0 0x00050000 # return 0 at once
}

# One struct sock_filter, little endian: code, jump if true, jump if false, operand.
filter_instruction() {
  local bytes
  printf -v bytes '\\x%02x' $(($1 & 255)) $(($1 >> 8)) "$2" "$3" \
    $(($4 & 255)) $(($4 >> 8 & 255)) $(($4 >> 16 & 255)) $(($4 >> 24 & 255))
  printf '%b' "$bytes"
}

# mmdebstrap runs in mount and process namespaces of its own: whatever happens to ./dev, nothing of it stays
# mounted or running.
run_mmdebstrap() {
  local jail=(bwrap --dev-bind / / --unshare-pid --die-with-parent --cap-add ALL)
  local sandbox=()
  if ((EUID != 0)); then
    jail+=(--unshare-user --uid 0 --gid 0 --seccomp 9)
    write_ownership_filter >"$cache/ownership.bpf"
    sandbox=(--aptopt='APT::Sandbox::User "root"')
    exec 9<"$cache/ownership.bpf"
  fi
  # Neither device nodes nor, inside of containers, a new /proc can be made by an ordinary user; the machine's own are
  # bound in while packages are set up.
  LC_ALL=C "${jail[@]}" -- mmdebstrap --mode=root --format=directory --variant=minbase \
    --skip=chroot/mount,output/dev \
    --extract-hook='for name in dev proc; do mount --rbind "/$name" "$1/$name"; done' \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
    --aptopt='APT::Install-Recommends "false"' "${sandbox[@]}" \
    --dpkgopt='force-unsafe-io' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$@"
}

# Everything of the host that is not its operating system is visible in the environment under the same path, so that
# file names mean the same inside and outside.
process_options=(--unshare-pid --proc /proc)
# Sets jail=(...): what a command that runs in the environment begins with.
set_jail() {
  local root bind=() entry
  root=$(environment_root)
  for entry in /*; do
    case $entry in
      /bin | /boot | /dev | /etc | /lib | /lib32 | /lib64 | /libx32 | /lost+found | /opt | /proc | /run | /sbin | /sys | /usr | /var) ;;
      *) [[ -d $entry && ! -L $entry && -r $entry ]] && bind+=(--bind "$entry" "$entry") ;;
    esac
  done
  for entry in "$source_dir" "$cache" "$PWD"; do
    # The current folder may be one of the system's own, which must stay the environment's.
    [[ -d $root$entry && $entry != "$source_dir"* ]] || bind+=(--bind "$entry" "$entry")
  done
  for entry in /etc/passwd /etc/group /etc/hosts /etc/resolv.conf; do
    [[ -e $entry ]] && bind+=(--ro-bind "$(readlink -f "$entry")" "$entry")
  done
  jail=(bwrap --bind "$root" / "${process_options[@]}" --dev /dev --ro-bind /sys /sys --tmpfs /run "${bind[@]}"
    --remount-ro / --die-with-parent --chdir "$PWD" --setenv LC_ALL C.UTF-8 --unsetenv LD_LIBRARY_PATH
    --unsetenv PERL5LIB --setenv PATH "$build_dir/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" --)
}

enter_environment() {
  local jail
  set_jail
  "${jail[@]}" "$@"
}

# ---------------------------------------------------------------------------------------------------- making it

# The first of the machine's own package sources that carries Debian sid.
find_mirror() {
  local uri file=$cache/InRelease
  command -v apt-get >/dev/null || fail "this machine has no apt, whose settings name a Debian mirror: install Kokkos >= 4.6," \
    "MPI, GoogleTest, CLI11, fmt, nlohmann_json and zlib, which ./dev then uses"
  for uri in ${UPSWEEP_DEBIAN_MIRROR:-$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' |
    awk '!seen[$0]++')}; do
    rm -f "$file"
    if /usr/lib/apt/apt-helper -o Acquire::Retries=2 -o Acquire::http::Timeout=20 download-file "${uri%/}/dists/sid/InRelease" \
      "$file" >/dev/null 2>&1; then
      rm -f "$file"
      echo "${uri%/}"
      return
    fi
  done
  rm -f "$file"
  return 1
}

remove_tree() {
  # Never through a mount: what a killed run left behind may still have one.
  [[ -e $1 ]] && rm -rf --one-file-system "$1"
  return 0
}

make_environment() {
  local root=$1 partial mirror started=$SECONDS log setup
  partial=$root.partial
  log=$cache/environment.log
  require_helpers
  mirror=$(find_mirror) ||
    fail "none of this machine's package sources answers with Debian sid (no network, or no Debian mirror in apt's settings)"
  say "making the default environment: Debian sid in $root"
  say "from $mirror; about 1.5 GB and one to three minutes, once; log in $log"
  remove_tree "$partial"
  printf -v setup '%q' "$source_dir/tools/debian/setup_root.sh"
  run_mmdebstrap --include="$(grep -v '^#' "$source_dir/tools/debian/packages" | paste -s -d ,)" \
    --customize-hook="cp $setup \"\$1/root/\" && chroot \"\$1\" sh /root/setup_root.sh '$mirror'" \
    --customize-hook='umount -l "$1/dev" "$1/proc"' sid "$partial" "$mirror" >"$log" 2>&1 || {
    tail -n 12 "$log" >&2
    remove_tree "$partial"
    fail "the environment could not be made (whole log: $log)"
  }
  mv "$partial" "$root"
  say "made in $((SECONDS - started)) s, $(du -sh "$root" 2>/dev/null | cut -f1): $(environment_versions)"
}

environment_versions() { paste -s -d , "$(environment_root)/etc/upsweep-versions" | sed 's/,/, /g'; }

require_environment() {
  choose_environment
  [[ $environment == host ]] && return
  local root
  root=$(environment_root)
  mkdir -p "$cache" || fail "cannot write to $cache"
  if [[ ! -d $root ]]; then
    exec 8>"$cache/lock"
    flock -n 8 || { say "another ./dev is making the environment; waiting" && flock 8; }
    [[ -d $root ]] || make_environment "$root"
    exec 8>&-
  fi
  command -v bwrap >/dev/null || require_helpers
  enter_environment true 2>"$cache/enter.log" && return
  # Containers may forbid a new /proc; the machine's own numbers processes otherwise, which only debuggers mind.
  process_options=(--unshare-pid --bind /proc /proc)
  enter_environment true 2>"$cache/enter.log" || {
    cat "$cache/enter.log" >&2
    fail "bubblewrap cannot enter $root: this machine does not allow user namespaces to user $(id -un)"
  }
}

# Runs a command where things are built.
in_environment() {
  if [[ $environment == host ]]; then
    PATH=$build_dir/bin:$PATH "$@"
  else
    enter_environment "$@"
  fi
}

has_kokkoskernels() {
  if [[ $environment == host ]]; then
    [[ -n ${host_has_kokkoskernels:-} ]]
  else
    grep -q '^kokkoskernels ' "$(environment_root)/etc/upsweep-versions"
  fi
}
