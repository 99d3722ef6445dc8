#!/usr/bin/env bash
# Checks that a fresh Debian needs nothing but git: makes such a system in a folder, clones this repository's last
# commit into it and runs a command there. Needs root and debootstrap. The new system gets the mirrors and settings
# of this machine's apt.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/clean_root.sh [--release NAME] [--base FOLDER] FOLDER [COMMAND [ARGUMENTS]]

Makes FOLDER a minimal Debian (unless it is one already) with this repository in FOLDER/home/gradus, and runs
COMMAND there, `./run test` by default. NAME is bookworm (Debian 12, the default) or trixie (Debian 13). --base keeps
an untouched system in a folder of its own and copies it, so a second proof downloads less. To delete a system:
rm -rf --one-file-system FOLDER.

  tools/clean_root.sh /tmp/one ./run train
  tools/clean_root.sh --release trixie /tmp/two ./run -y --werror test
END
}

say() { printf 'clean_root: %s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

base='' release=bookworm
while [[ ${1:-} == -* ]]; do
  case $1 in
    --base) base=${2:?--base needs a folder}; shift 2 ;;
    --release) release=${2:?--release needs bookworm or trixie}; shift 2 ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
  esac
done
case $release in
  bookworm | trixie) ;;
  *) die "--release must be bookworm or trixie, got $release" 2 ;;
esac
if [[ $# == 0 ]]; then usage >&2; exit 2; fi
folder=$1
shift
if [[ $# == 0 ]]; then set -- ./run test; fi
if [[ $(id -u) != 0 ]]; then die 'must run as root, to use chroot and mount /proc'; fi
command -v debootstrap >/dev/null || die 'needs debootstrap (apt-get install debootstrap)'
repository=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

sources() {  # prints sources.list for the release, with the mirrors of this machine's apt
  local own
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  apt-get indextargets --format "deb \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" "Origin: Debian" "Created-By: Packages" |
    grep " $own" | sed "s/ $own/ $release/" | sort -u
}

make_system() {  # make_system FOLDER
  local mirror
  mirror=$(sources | awk -v release=$release '$3 == release { print $2; exit }')
  if [[ -z $mirror ]]; then die "apt lists no mirror of $release (run apt-get update; this script needs Debian)"; fi
  say "creating a minimal Debian ($release) in $1"
  mkdir -p "$1"
  debootstrap --variant=minbase --include=git,ca-certificates $release "$1" "$mirror" >"$1.log" 2>&1 ||
    { tail -n 20 "$1.log" >&2; die "debootstrap failed: $1.log"; }
  sources >"$1/etc/apt/sources.list"
  apt-config dump | grep '^Acquire::' >"$1/etc/apt/apt.conf.d/90host"
  rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/archives/*.deb
}

if [[ ! -e $folder/etc/debian_version ]]; then
  if [[ -n $base ]]; then
    if [[ ! -e $base/etc/apt/apt.conf.d/90host ]]; then make_system "$base"; fi
    say "copying $base to $folder"
    mkdir -p "$folder"
    cp -a "$base/." "$folder/"
  else
    make_system "$folder"
  fi
fi
found=$(. "$folder/etc/os-release" && echo "$VERSION_CODENAME")
if [[ $found != "$release" ]]; then die "$folder must contain $release, got $found (choose another folder, or --release $found)"; fi
cp -L /etc/resolv.conf /etc/hosts "$folder/etc/"

say "copying commit $(git -C "$repository" rev-parse --short HEAD) into $folder/home/gradus"
git init --quiet "$folder/home/gradus"
git -C "$folder/home/gradus" fetch --quiet "$repository" HEAD
git -C "$folder/home/gradus" reset --quiet --hard FETCH_HEAD

# shellcheck disable=SC2016  # the inner shell expands it
# The command gets a separate mount namespace, so that all mounts disappear when it ends, however it ends.
enter='mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" && mount -t tmpfs tmpfs "$0/dev/shm" && mount -t devpts devpts "$0/dev/pts" &&
  exec chroot "$0" /bin/sh -c "cd /home/gradus && exec \"\$@\"" sh "$@"'
settings=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "TERM=${TERM:-dumb}" LANG=C.UTF-8)
for name in http_proxy https_proxy no_proxy; do
  if [[ -n ${!name:-} ]]; then settings+=("$name=${!name}"); fi
done
say "running in it: $*"
status=0
env -i "${settings[@]}" unshare --mount --pid --fork sh -c "$enter" "$folder" "$@" || status=$?
say "ended with $status after $SECONDS s"
exit "$status"
