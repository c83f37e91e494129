# shellcheck shell=bash
# shellcheck disable=SC2154 # version and epoch are those of bin/package
# Builds the OCI image; sourced by bin/package, which sets version and epoch.

# What the service and its commands use of the JDK.
jdk_modules=java.base,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.crypto.ec,jdk.management,jdk.unsupported

# build_image DEB ARCHIVE: a Debian system without anything but a Java runtime and the package, as an OCI archive. Needs root,
# debootstrap and buildah, which run without a container engine.
build_image() {
    local deb=$1 archive=$2 container
    { command -v debootstrap && command -v buildah; } >/dev/null ||
        die "needs debootstrap and buildah to build an image: apt-get install debootstrap buildah"
    [ "$(id -u)" = 0 ] || die "needs root to build an image"
    image_work=$(mktemp -d)
    trap 'umount "$image_work/system/proc" 2>/dev/null || true; rm -rf --one-file-system "$image_work"' EXIT
    image_system "$deb" "$image_work/system" >"$image_work/log" 2>&1 || {
        tail -n 20 "$image_work/log" >&2
        die "the image's system could not be made"
    }
    buildah() {
        command buildah --storage-driver vfs --root "$image_work/storage" --runroot "$image_work/run" "$@"
    }
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$image_work/system" / >/dev/null
    buildah config --user summarizer --workingdir /var/lib/summarizer \
        --entrypoint '["/usr/bin/summarizer"]' --cmd 'serve --config /etc/summarizer/summarizer.yaml' \
        --volume /etc/summarizer --volume /var/lib/summarizer --port 5514 --port 2514 --port 8080 \
        --label org.opencontainers.image.title=summarizer --label org.opencontainers.image.version="$version" \
        --label org.opencontainers.image.licenses=Apache-2.0 "$container"
    rm -f "$archive"
    buildah commit --quiet --rm --timestamp "$epoch" "$container" "oci-archive:$archive" >/dev/null
}

# image_system DEB FOLDER: the image's files.
image_system() {
    local deb=$1 to=$2 jvm=/usr/lib/jvm/summarizer
    in_image() {
        chroot "$to" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    }
    image_packages() {
        in_image dpkg --get-selections | cut -f1
    }
    debootstrap --variant=minbase bookworm "$to" || return
    mount -t proc proc "$to/proc" || return # Java's packages start it, and it needs this
    echo "deb http://deb.debian.org/debian-security bookworm-security main" >>"$to/etc/apt/sources.list"
    in_image apt-get -qq update && in_image apt-get -qq -y upgrade || return
    # A runtime with these modules alone is a quarter of the whole one.
    image_packages | sort >"$to.packages"
    in_image apt-get -qq -y --no-install-recommends install openjdk-17-jdk-headless || return
    in_image jlink --add-modules "$jdk_modules" --strip-java-debug-attributes --no-header-files --no-man-pages --compress=2 \
        --output "$jvm" || return
    image_packages | sort | comm -13 "$to.packages" - |
        xargs chroot "$to" dpkg --purge --force-depends || return
    in_image "$jvm/bin/java" -Xshare:dump || return
    in_image useradd --system --user-group --home-dir /var/lib/summarizer --shell /usr/sbin/nologin summarizer || return
    dpkg -x "$deb" "$to" || return
    in_image install -d -o summarizer -g summarizer -m 700 /var/lib/summarizer /var/cache/summarizer || return
    # Makes the archive of classes.
    in_image setpriv --reuid=summarizer --regid=summarizer --clear-groups summarizer --version || return
    umount "$to/proc" || return
    rm -rf "$to"/usr/share/{man,locale,info,lintian,bash-completion,zsh} "$to"/var/{cache/apt,lib/apt/lists,log}/* "$to"/tmp/*
    find "$to/usr/share/doc" -type f -not -name copyright -not -name NOTICE -delete
}
