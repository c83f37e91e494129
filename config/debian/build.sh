# shellcheck shell=bash
# shellcheck disable=SC2154 # version and epoch are those of bin/package

# Builds the Debian package; sourced by bin/package, which sets version and epoch.

# build_deb TREE ROOT DEB: makes the package DEB from the staged TREE. The file system of the
# package is made in ROOT.
build_deb() {
    local tree=$1 to=$2 deb=$3 share=$2/usr/share/summarizer doc=$2/usr/share/doc/summarizer
    command -v dpkg-deb >/dev/null || die "needs dpkg-deb to build a Debian package"
    rm -rf "$to"
    mkdir -p "$share" "$doc" "$to"/usr/{bin,share/man,share/bash-completion/completions,share/zsh/vendor-completions} \
        "$to"/etc/summarizer/definitions "$to"/lib/systemd/system "$to"/DEBIAN
    cp -r "$tree"/{bin,lib,schemas,sbom.json} "$share"
    ln -s ../share/summarizer/bin/summarizer "$to/usr/bin/summarizer"
    ln -s /etc/summarizer "$share/config"
    ln -s ../doc/summarizer/docs "$share/docs" # as the demo names them
    cp -r "$tree"/share/man/man1 "$to/usr/share/man"
    sed 1d "$tree"/share/completions/summarizer.bash >"$to/usr/share/bash-completion/completions/summarizer" # without its #!
    cp "$tree"/share/completions/_summarizer "$to/usr/share/zsh/vendor-completions"
    cp -r "$tree"/docs "$tree"/README.md "$tree"/NOTICE "$tree"/config/rsyslog "$doc"
    mkdir "$doc/config" # for the links of the pages
    ln -s ../rsyslog "$doc/config/rsyslog"
    ln -s ../../summarizer/schemas "$doc/schemas"
    cp "$tree"/config/systemd/summarizer.service "$to/lib/systemd/system"
    install -m 644 config/debian/copyright "$doc" # as are the others from the checkout, whatever their permissions there
    gzip -9nc CHANGELOG.md >"$doc/NEWS.gz"
    gzip -9n >"$doc/changelog.gz" <<END
summarizer ($version) stable; urgency=medium

  * NEWS.gz beside this file says what changed.

 -- $(sed -n 's/^Maintainer: //p' config/debian/control)  $(LC_ALL=C date -u -R -d "@$epoch")
END
    # Makes the configuration of an installed service: only the definitions and data folders differ
    # from the project's file.
    sed -e 's|^# definitions: schemas$|definitions: /etc/summarizer/definitions|' \
        -e 's|^# data: data$|data: /var/lib/summarizer|' "$tree/config/summarizer.yaml" >"$to/etc/summarizer/summarizer.yaml"
    [ "$(grep -c -e '^definitions: /etc' -e '^data: /var' "$to/etc/summarizer/summarizer.yaml")" = 2 ] ||
        die "config/summarizer.yaml has no lines for definitions and data to set"
    install -m 755 config/debian/{postinst,prerm,postrm} "$to/DEBIAN"
    install -m 644 config/debian/conffiles "$to/DEBIAN"
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(installed_kib "$to")/" config/debian/control >"$to/DEBIAN/control"
    (cd "$to" && find usr lib -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    find "$to" -exec touch -h -d "@$epoch" {} +
    # One thread: with more the bytes depend on how many processors there are.
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz -b "$to" "$deb" >/dev/null
}

# installed_kib ROOT: prints the size of ROOT as dpkg counts it: each file rounded up to whole KiB, and 1 KiB for
# anything else. So the size is the same on every file system.
installed_kib() {
    find "$1" -printf '%y %s\n' | awk '{ sum += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print sum }'
}
