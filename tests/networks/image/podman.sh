#!/bin/sh
# podman and buildah with settings of their own, which need neither a registry nor an engine that runs already:
#     podman.sh DIR base              a Debian 12 from the mirror of this machine, as debian:bookworm-slim
#     podman.sh DIR build ARG...      buildah build
#     podman.sh DIR podman ARG...     podman
#
# All that they keep is in DIR, which must be absolute. Needs root.
set -eu
dir=$1 verb=$2
shift 2
mkdir -p "$dir/net"
cat >"$dir/storage.conf" <<END
[storage]
driver = "overlay"
runroot = "$dir/run"
graphroot = "$dir/store"
END
# Small limits and runc work in a container and a virtual machine too, where the usual ones may not be allowed.
cat >"$dir/containers.conf" <<END
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "$dir/net"
END
export CONTAINERS_STORAGE_CONF="$dir/storage.conf" CONTAINERS_CONF="$dir/containers.conf" BUILDAH_ISOLATION=chroot
name=localhost/debian:bookworm-slim
case $verb in
base)
    ! podman image exists $name || exit 0
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Codename: bookworm' 'Component: main' | head -n 1)
    [ -n "$mirror" ] || { echo "expected Debian 12 among the sources of apt, got none" >&2; exit 1; }
    rm -rf "$dir/rootfs"
    debootstrap --variant=minbase bookworm "$dir/rootfs" "$mirror" >"$dir/debootstrap.log" || { tail -n 5 "$dir/debootstrap.log"; exit 1; }
    # without pages, as Debian's own slim image is
    for d in doc man locale info; do
        echo "path-exclude /usr/share/$d/*" >>"$dir/rootfs/etc/dpkg/dpkg.cfg.d/slim"
        rm -rf "$dir/rootfs/usr/share/$d"/*
    done
    rm -rf "$dir"/rootfs/var/cache/apt/*.bin "$dir"/rootfs/var/cache/apt/archives/*.deb "$dir"/rootfs/var/lib/apt/lists/* "$dir"/rootfs/var/log/*
    tar -C "$dir/rootfs" -c . | podman import -q - $name >"$dir/imported"
    rm -rf "$dir/rootfs"
    ;;
build) exec buildah build --pull=never --layers --format docker "$@" ;;
podman) exec podman "$@" ;;
esac
