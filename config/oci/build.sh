# shellcheck shell=bash
# shellcheck disable=SC2154 # version and epoch are those of bin/package
# Builds the OCI image; sourced by bin/package, which sets version and epoch.

# The JDK's modules that the service, its commands and jcmd use.
image_modules=java.base,java.compiler,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.management,jdk.unsupported
# The service's user and group, the same in every build: volumes belong to it.
image_user=5514
image_jvm=/usr/lib/jvm/summarizer

# build_image DEB ARCHIVE: builds an OCI archive of a Debian system that has only a Java runtime and the package. Needs
# root, debootstrap and buildah, but no container engine.
build_image() {
    local deb=$1 archive=$2 container
    { command -v debootstrap && command -v buildah; } >/dev/null ||
        die "needs debootstrap and buildah to build an image: apt-get install debootstrap buildah"
    [ "$(id -u)" = 0 ] || die "needs root to build an image"
    image_work=$(mktemp -d)
    trap 'umount "$image_work"/*/proc 2>/dev/null || true; rm -rf --one-file-system "$image_work"' EXIT
    image_files "$deb" "$image_work/system" >"$image_work/log" 2>&1 || {
        tail -n 20 "$image_work/log" >&2
        die "the image's files could not be made"
    }
    buildah() {
        command buildah --storage-driver vfs --root "$image_work/storage" --runroot "$image_work/run" "$@"
    }
    container=$(buildah from scratch)
    # What buildah adds belongs to root.
    cp -a "$image_work/system/." "$(buildah mount "$container")"
    buildah umount "$container" >/dev/null
    # The user as a number, so that Kubernetes sees that it is not root.
    buildah config --user "$image_user:$image_user" --workingdir /var/lib/summarizer \
        --entrypoint '["/usr/bin/summarizer"]' --cmd 'serve --config /etc/summarizer/summarizer.yaml' \
        --volume /etc/summarizer --volume /var/lib/summarizer --port 5514 --port 2514 --port 8080 \
        --label org.opencontainers.image.title=summarizer --label org.opencontainers.image.version="$version" \
        --label org.opencontainers.image.licenses=Apache-2.0 "$container"
    buildah commit --quiet --rm --disable-compression=false --timestamp "$epoch" "$container" "oci:$image_work/layout:$version" >/dev/null
    image_health_check "$image_work/layout" || die "the image has no configuration to put a health check into"
    rm -f "$archive"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --format=gnu -C "$image_work/layout" \
        -cf "$archive" blobs index.json oci-layout
}

# in_root ROOT COMMAND...: runs COMMAND in ROOT. Of the caller's environment, COMMAND gets only the
# setting of a proxy.
in_root() {
    chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} "${@:2}"
}

# image_files DEB ROOT: puts the image's files into ROOT. Temporary files are in folders beside
# ROOT.
image_files() {
    local deb=$1 to=$2 builder=$2-builder runtime=$2-runtime
    debootstrap --variant=minbase --include=procps bookworm "$to" &&
        echo "deb http://deb.debian.org/debian-security bookworm-security main" >>"$to/etc/apt/sources.list" &&
        in_root "$to" apt-get -qq update &&
        in_root "$to" apt-get -qq -y upgrade || return
    # The JDK is installed into a copy of the system. The image gets only the runtime that jlink
    # makes, a quarter of the JDK's size.
    cp -a "$to" "$builder" &&
        mount -t proc proc "$builder/proc" && # Java's packages start a JVM, which needs this
        in_root "$builder" apt-get -qq -y --no-install-recommends install openjdk-17-jdk-headless &&
        in_root "$builder" jlink --add-modules "$image_modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
            --compress=2 --output "$image_jvm" &&
        in_root "$builder" "$image_jvm/bin/java" -Xshare:dump &&
        umount "$builder/proc" || return
    # Makes a package of the runtime. So dpkg knows that the image has a Java runtime, and packages that are installed
    # later do not bring another one.
    mkdir -p "$runtime/DEBIAN" "$runtime${image_jvm%/*}" &&
        mv "$builder$image_jvm" "$runtime$image_jvm" &&
        find "$runtime" -exec touch -h -d "@$epoch" {} + || return
    cat >"$runtime/DEBIAN/control" <<END
Package: summarizer-runtime
Version: $version
Architecture: $(in_root "$to" dpkg --print-architecture)
Maintainer: $(sed -n 's/^Maintainer: //p' config/debian/control)
Provides: java17-runtime-headless
Description: Java runtime with the modules that Summarizer uses
END
    dpkg-deb --root-owner-group -Znone -b "$runtime" "$to/tmp/runtime.deb" &&
        cp "$deb" "$to/tmp/summarizer.deb" &&
        mount -t proc proc "$to/proc" &&
        in_root "$to" groupadd --system --gid "$image_user" summarizer &&
        in_root "$to" useradd --system --uid "$image_user" --gid "$image_user" --home-dir /var/lib/summarizer --no-create-home \
            --shell /usr/sbin/nologin summarizer &&
        # All files of an image get the same modification time. When the package is installed, it makes the archive of
        # classes. This archive is valid only while the jars and the JVM keep their modification times. So the jars and
        # the JVM get the common modification time before the package is installed.
        in_root "$to" dpkg -i /tmp/runtime.deb &&
        in_root "$to" dpkg -i /tmp/summarizer.deb &&
        umount "$to/proc" || return
    [ -n "$(ls "$to/var/cache/summarizer")" ] || return
    rm -rf "$to"/usr/share/{man,locale,info,lintian,bash-completion,zsh} "$to"/var/{cache/apt,lib/apt/lists,log}/* "$to"/tmp/*
    find "$to/usr/share/doc" -type f -not -name copyright -not -name NOTICE -delete
    install -m 755 config/oci/healthy "$to/usr/bin/summarizer-healthy"
}

# image_health_check LAYOUT: adds a health check to the image's configuration. OCI has no field for health checks, so
# buildah does not write one; but Docker reads the field "Healthcheck". A blob is named by the hash of its content, so
# the blobs that refer to the changed blob change, too.
image_health_check() {
    local layout=$1 blobs=$1/blobs/sha256 manifest config made
    # blob OLD NEW FILE: replaces the blob OLD by the file NEW. FILE contains the hash and the size
    # of the blob, so "blob" changes both in FILE, too.
    blob() {
        made=$(sha256sum <"$2" | cut -d' ' -f1)
        sed -i -E "s/(\"digest\":\"sha256:)$1(\",\"size\":)[0-9]+/\1$made\2$(stat -c %s "$2")/" "$3" && grep -q "$made" "$3" &&
            mv "$2" "$blobs/$made" && rm "$blobs/$1"
    }
    manifest=$(sed -nE 's/.*"digest":"sha256:([0-9a-f]{64})".*/\1/p' "$layout/index.json")
    config=$(sed -nE 's/.*"config":\{[^}]*"digest":"sha256:([0-9a-f]{64})".*/\1/p' "$blobs/$manifest")
    sed 's/"config":{/&"Healthcheck":{"Test":["CMD","summarizer-healthy"],"Interval":30000000000,"Timeout":10000000000,"StartPeriod":10000000000},/' \
        "$blobs/$config" >"$layout/config"
    cp "$blobs/$manifest" "$layout/manifest"
    grep -q Healthcheck "$layout/config" &&
        blob "$config" "$layout/config" "$layout/manifest" &&
        blob "$manifest" "$layout/manifest" "$layout/index.json" || return
}
