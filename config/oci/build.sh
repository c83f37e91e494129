# shellcheck shell=bash
# shellcheck disable=SC2154 # version and epoch are those of bin/package
# Builds the OCI image; sourced by bin/package, which sets version and epoch.

# build_image DEB ARCHIVE: a Debian system without anything but a JRE and the package, as an OCI archive. Needs root, debootstrap and
# buildah, which run without a container engine.
build_image() {
    local deb=$1 archive=$2 system container
    { command -v debootstrap && command -v buildah; } >/dev/null ||
        die "needs debootstrap and buildah to build an image: apt-get install debootstrap buildah"
    [ "$(id -u)" = 0 ] || die "needs root to build an image"
    system=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$system'" EXIT
    debootstrap --variant=minbase --include=openjdk-17-jre-headless,adduser bookworm "$system" >"$system.log" 2>&1 ||
        die "debootstrap failed, see $system.log"
    cp "$deb" "$system/tmp/summarizer.deb"
    chroot "$system" dpkg -i /tmp/summarizer.deb >>"$system.log" 2>&1 || die "the package cannot be installed, see $system.log"
    rm -rf "$system"/tmp/* "$system"/var/cache/apt/* "$system"/var/lib/apt/lists/* "$system.log"
    container=$(buildah --storage-driver vfs from scratch)
    buildah --storage-driver vfs add --quiet "$container" "$system" / >/dev/null
    buildah --storage-driver vfs config --user summarizer --workingdir /var/lib/summarizer \
        --entrypoint '["/usr/bin/summarizer"]' --cmd 'serve --config /etc/summarizer/summarizer.yaml' \
        --volume /etc/summarizer --volume /var/lib/summarizer --port 5514 --port 2514 --port 8080 \
        --label org.opencontainers.image.title=summarizer --label org.opencontainers.image.version="$version" \
        --label org.opencontainers.image.licenses=Apache-2.0 "$container"
    rm -f "$archive"
    buildah --storage-driver vfs commit --quiet --rm --timestamp "$epoch" "$container" "oci-archive:$archive" >/dev/null
}
