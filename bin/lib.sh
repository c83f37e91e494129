# shellcheck shell=bash
# Shared by the scripts beside it: the project's or package's root, the JDK to run on, and building. Sourced by a script
# of this folder, which sets here to that folder, even if the script was called through a symlink. A command takes a few
# tenths of a second, so the code that every command runs starts few processes.

root=$(CDPATH="" cd -P -- "${here:?}/.." && pwd)

die() {
    echo "$(basename "$0"): $*" >&2
    exit 3
}

# Sets feature to the feature release of the JDK in folder $1 (17, 25), from its release file or by asking it; to 0 when neither says.
java_feature() {
    local line
    feature=0
    if [ -r "$1/release" ]; then
        while read -r line; do
            [[ $line =~ ^JAVA_VERSION=\"(1\.)?([0-9]+) ]] && feature=${BASH_REMATCH[2]}
        done <"$1/release"
    fi
    if [ "$feature" = 0 ]; then
        line=$("$1/bin/java" -version 2>&1) || true
        ! [[ $line =~ version\ \"(1\.)?([0-9]+) ]] || feature=${BASH_REMATCH[2]}
    fi
}

# Sets java_home, java_bin and java_version: JAVA_HOME when set, else the newest under /usr/lib/jvm, else what is on the PATH.
find_java() {
    local home newest=0 feature
    java_home=''
    if [ -n "${JAVA_HOME:-}" ]; then
        [ -x "$JAVA_HOME/bin/java" ] || die "JAVA_HOME is $JAVA_HOME, which has no bin/java"
        java_home=$JAVA_HOME
    else
        for home in /usr/lib/jvm/*; do
            [ -x "$home/bin/java" ] || continue
            java_feature "$home"
            if [ "$feature" -gt "$newest" ]; then
                newest=$feature
                java_home=$home
            fi
        done
        if [ -z "$java_home" ]; then
            home=$(command -v java) || die "no Java found; install a JRE or JDK, 17 or later, or set JAVA_HOME"
            java_home=$(dirname "$(dirname "$(readlink -f "$home")")")
        fi
    fi
    java_bin=$java_home/bin/java
    java_feature "$java_home"
    java_version=$feature
    [ "$java_version" != 0 ] || die "needs Java 17 or later; the version of $java_bin is unknown"
    [ "$java_version" -ge 17 ] || die "needs Java 17 or later; $java_bin is Java $java_version"
}

# Sets java_home, java_bin and java_version as find_java does, for Flink, which runs on Java 17 and 21: JAVA_HOME when it is one of
# them, else the newest of them under /usr/lib/jvm, else what is on the PATH.
find_flink_java() {
    local home
    java_version=0
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/* "$(dirname "$(dirname "$(readlink -f "$(command -v java || true)")")")"; do
        if [ -z "$home" ] || [ "$home" = . ] || [ ! -x "$home/bin/java" ]; then continue; fi
        java_feature "$home"
        if { [ "$feature" = 17 ] || [ "$feature" = 21 ]; } && [ "$feature" -gt "$java_version" ]; then
            java_home=$home
            java_bin=$home/bin/java
            java_version=$feature
        fi
        [ "$home" != "${JAVA_HOME:-}" ] || [ "$java_version" = 0 ] || return 0
    done
    [ "$java_version" != 0 ] || die "Flink runs on Java 17 or 21, and there is none; install a JDK of these, or set JAVA_HOME to one"
}

# Sets app to the folder that holds the jars of the job and of Flink. They are no part of a package; in a checkout as find_app.
find_flink_app() {
    [ -f "$root/pom.xml" ] || die "the Flink job is no part of this package; build it in a checkout"
    cd_root build_unless test -d summarizer-flink/target/app/kafka/ summarizer-flink
    app=$(readlink -f "$root/summarizer-flink/target/app")
    tell_newer_sources summarizer-core summarizer-dsl summarizer-flink
}

# Sets app to the folder that holds all jars: lib/ of a package; of a checkout, a copy of what was built last, which no later build
# touches, so that a service goes on running from it. Builds when nothing was built, and only then: newer sources are told.
find_app() {
    if [ ! -f "$root/pom.xml" ]; then
        app=$root/lib
        return
    fi
    cd_root build_unless test -d summarizer-server/target/app/ summarizer-server
    app=$(readlink -f "$root/summarizer-server/target/app")
    tell_newer_sources summarizer-core summarizer-dsl summarizer-server
}

tell_newer_sources() {
    if [ -n "$(newer_sources "$app" "$@")" ]; then
        echo "$(basename "$0"): the sources are newer than what runs here; bin/package tree builds them" >&2
    fi
}

# Unpacks the distribution of Flink below target/, as the archive for Python has it: a cluster of processes runs from it.
unpack_flink() {
    local version to=$root/target/flink
    version=$(sed -n 's!.*<flink.version>\(.*\)</flink.version>.*!\1!p' "$root/pom.xml")
    [ "$(cat "$to/version" 2>/dev/null)" != "$version" ] || return 0
    echo "fetching Flink $version to target/, once: 300 MB (demo --flink --one-process does without) ..." >&2
    rm -rf "$to"
    mkdir -p "$to"
    pip download -q --no-deps --no-binary apache-flink-libraries -d "$to/archive" "apache-flink-libraries==$version" \
        >"$to/log" 2>&1
    tar -xzf "$to"/archive/*.tar.gz -C "$to" --strip-components=2 --wildcards '*/deps/lib' '*/deps/plugins' 2>>"$to/log" || return
    rm -rf "$to/archive"
    echo "$version" >"$to/version"
}

cd_root() {
    local there=$PWD
    cd "$root" || exit 3
    "$@"
    cd "$there" || exit 3
}

# current MODULE: whether it was built, and no source is newer.
current() {
    [ -f "$1/target/.built" ] && [ -z "$(newer_sources "$1/target/.built" summarizer-core summarizer-dsl summarizer-server "$1")" ]
}

# newer_sources FILE MODULE...: a source file of these modules that is newer than FILE, if there is one.
newer_sources() {
    (cd "$root" && find pom.xml "${@:2:$#}" -newer "$1" \( -path '*/src/main/*' -o -path '*/src/jcstress/*' -o -name pom.xml \) -type f \
        -not -path '*/target/*' -print -quit)
}

# build MODULE [MAVEN-ARGS]: packages it and what it depends on, and copies the jars of the server and of the Flink job, as far as they
# were built, to a folder of their own, the target of the link MODULE/target/app. Runs that meet wait for each other.
build() {
    local module=$1 stamp=$1/target/.built
    command -v mvn >/dev/null || die "needs Maven (mvn) to build"
    echo "building $module (a first build fetches its libraries) ..." >&2
    mkdir -p "$module/target"
    # Made before the build, so that what is edited while it runs counts as newer.
    touch "$stamp.started"
    # Jars of another version, or of a library that is gone, must not stay beside the new ones. Without jars, a module is
    # not built. A benchmark that builds another module while it runs still needs its own jars; the next benchmark
    # builds them anew.
    rm -rf ./*/target/.built
    rm -rf ./summarizer-*/target/lib ./summarizer-*/target/*.jar "./$module"/target/lib "./$module"/target/*.jar
    mvn -q -B -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true "${@:2}" -pl "$module" -am package 2>&1 |
        sed $'s/\033\\[[0-9;]*m//g' >&2 || return # some Mavens reset colours that they never set
    [ ! -d summarizer-server/target/lib ] ||
        copy_app "$stamp.started" summarizer-server/target summarizer-server-*.jar || return
    # The shaded jar is for a cluster; beside it are our classes alone.
    [ ! -d summarizer-flink/target/lib ] ||
        copy_app "$stamp.started" summarizer-flink/target original-summarizer-flink-*.jar \
            'kafka-lib/*.jar:kafka' 'summarizer-flink-*.jar:cluster' || return
    mv "$stamp.started" "$stamp"
}

# copy_app STAMP TARGET JAR [JARS:FOLDER]...: copies the libraries and the jar of a module's target to a new folder there, other jars to
# folders in it, and links it.
copy_app() {
    local target=$2 new old more
    new=app-$(date +%Y%m%d%H%M%S)-$$
    mkdir "$target/$new" || return
    # shellcheck disable=SC2086 # names of jars are patterns
    cp -p "$target"/lib/*.jar "$target"/$3 "$target/$new" || return
    for more in "${@:4}"; do
        mkdir "$target/$new/${more#*:}" || return
        # shellcheck disable=SC2086
        cp -p "$target"/${more%:*} "$target/$new/${more#*:}" || return
    done
    touch -r "$1" "$target/$new" || return
    ln -sfn "$new" "$target/app" || return
    # Those that a process runs from stay.
    for old in "$target"/app-*; do
        [ "$old" = "$target/$new" ] || grep -qsF "$(basename "$old")" /proc/[0-9]*/cmdline || rm -rf "$old"
    done
}

# build_unless CONDITION... MODULE: builds the module unless the command CONDITION holds.
build_unless() {
    local condition=("${@:1:$#-1}") module=${*: -1}
    ! "${condition[@]}" || return 0
    (
        if command -v flock >/dev/null; then
            flock 9
            ! "${condition[@]}" || exit 0
        fi
        build "$module"
    ) 9>.build-lock || die "the build failed"
}

# Sets jvm_flags for a service. State is chunks of 16 KiB that live long, and hardly anything else is allocated: a young generation
# of 4 MiB that is promoted at once copies each chunk once, in pauses of some ms. These collections are so frequent that they find
# references from old to new objects by themselves: threads that look for them in between do so again and again for the
# same few places, which takes more time than everything else the collector does.
set_jvm_flags() {
    set_batch_jvm_flags
    jvm_flags+=(-XX:NewSize=4m -XX:MaxNewSize=4m -XX:MaxTenuringThreshold=0 -XX:G1ConcRefinementThreads=0)
    add_late_compiling_flags
}

# Changes jvm_flags of a service so that they suit Kafka's client, which makes hundreds of bytes of objects for each record. Most
# are garbage at once, so collections of a larger young generation copy little more and are fewer. What is left of a poll
# is gone at the second collection; promoted at the first one, it would fill memory that nothing used before.
add_kafka_jvm_flags() {
    jvm_flags+=(-XX:NewSize=64m -XX:MaxNewSize=64m -XX:MaxTenuringThreshold=1)
}

# reads_kafka ARGUMENT...: serve with these arguments reads from Kafka.
reads_kafka() {
    local argument before='' file=$root/config/summarizer.yaml
    [ -z "${SUMMARIZER_LISTEN_KAFKA_BROKERS:-}" ] || return 0
    for argument; do
        [[ $argument != *listen.kafka.brokers=* ]] || return 0
        [[ $argument != --config=* ]] || file=${argument#*=}
        [ "$before" != --config ] || file=$argument
        before=$argument
    done
    grep -Es '^[^#]*brokers:' "$file" | grep -Evq 'brokers: *off *(#.*)?$'
}

# Sets jvm_flags for a JVM that holds state and ends with its work, so that pauses do no harm. A heap that has its size from the start
# need not grow within pauses, and takes no memory before it is used; one that never shrinks does not have to get it back
# within them, where a virtual machine's host is slow to give it. Huge pages spare random updates of a large state their TLB
# misses. What adds to a set is short for one with registers and long for others, and as a whole too large to be inlined
# into updates once it was compiled by itself, if not for InlineSmallCode (2500 bytes by default).
set_batch_jvm_flags() {
    jvm_flags=(-XX:+UseG1GC -XX:+UseTransparentHugePages -XX:InlineSmallCode=6000
        -XX:InitialRAMPercentage=50 -XX:MaxRAMPercentage=50 -XX:MaxHeapFreeRatio=100)
    add_common_flags
}

# Changes jvm_flags of a JVM that ends with its work so that compiling takes less of its time, which is a fifth or more
# of a run of some seconds. Less inlining costs a long run less than compiling it costs a short one. With the default
# FreqInlineSize of 325, C2 may compile the update of a row together with all that it calls, to over 40 KB of code.
add_short_lived_jvm_flags() {
    add_late_compiling_flags
    jvm_flags+=(-XX:InlineSmallCode=2500 -XX:FreqInlineSize=150)
}

# Changes jvm_flags so that C2 compiles less. Only methods that run for each event are worth C2's time, and those reach
# ten times its usual thresholds at once.
add_late_compiling_flags() {
    jvm_flags+=(-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000
        -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000)
}

# Sets jvm_flags for a Flink cluster in one process, which looks into the JDK. Kafka's client and checkpoints make much garbage: a
# young generation that may grow to gigabytes would always write to memory that nothing used before.
set_flink_jvm_flags() {
    local opened
    set_batch_jvm_flags
    jvm_flags+=(-XX:NewSize=256m -XX:MaxNewSize=256m)
    for opened in lang lang.reflect net io nio text time util util.concurrent util.concurrent.atomic util.concurrent.locks; do
        jvm_flags+=(--add-opens "java.base/java.$opened=ALL-UNNAMED")
    done
    jvm_flags+=(--add-opens java.base/sun.nio.ch=ALL-UNNAMED --add-exports java.base/sun.net.util=ALL-UNNAMED)
}

# Sets jvm_flags for a command that asks or checks, and is gone within a second.
set_light_jvm_flags() {
    jvm_flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)
    add_common_flags
}

# Netty uses what later JDKs warn of.
add_common_flags() {
    jvm_flags+=(-XX:+ExitOnOutOfMemoryError -Xlog:disable -Xlog:all=error:stderr)
    if [ "$java_version" -ge 24 ]; then
        jvm_flags+=(--sun-misc-unsafe-memory-access=allow)
    fi
}

# Sets jar, and adds to jvm_flags the archive of the classes that commands load (class-data sharing), which takes more than half of
# a start away. From JDK 25 on it is a cache that has linked classes, too (JEP 483). An archive is for this JVM and these
# jars. A user who has none makes it, once, where it can be kept: in SUMMARIZER_CACHE, in /var/cache/summarizer where that
# is writable, else in ~/.cache/summarizer.
use_class_archive() {
    local cache archive use=-XX:SharedArchiveFile kind=jsa
    local caches=(/var/cache/summarizer "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/summarizer")
    [ -z "${SUMMARIZER_CACHE:-}" ] || caches=("$SUMMARIZER_CACHE")
    [ "$java_version" -lt 25 ] || { use=-XX:AOTCache && kind=aot; }
    jar=("$app"/summarizer-server-*.jar)
    archive=$(stat -c '%n %s %Y' "$java_bin" "$app"/*.jar | cksum)
    archive=classes-${archive// /}.$kind
    for cache in "${caches[@]}"; do
        if [ -r "$cache/$archive" ] && is_trusted "$cache" "$cache/$archive"; then
            jvm_flags+=("$use=$cache/$archive")
            return
        fi
    done
    for cache in "${caches[@]}"; do
        [ "$cache" = /var/cache/summarizer ] || (umask 022 && mkdir -p "$cache") 2>/dev/null || continue
        # Versions before made it with the umask of their user, which may let the group write.
        [ -n "${SUMMARIZER_CACHE:-}" ] || [ ! -O "$cache" ] || chmod go-w "$cache" 2>/dev/null || true
        if [ -w "$cache" ] && is_trusted "$cache"; then
            # Without an archive, commands only start more slowly.
            ! make_class_archive "$cache/$archive" || jvm_flags+=("$use=$cache/$archive")
            return 0
        fi
    done
}

# is_trusted FILE...: each belongs to the caller or root, and nobody else may write to it. An archive is code: root does not run what
# the service's user may have written.
is_trusted() {
    local files owner mode
    files=$(stat -L -c '%u %a' "$@" 2>/dev/null) || return
    while read -r owner mode; do
        [[ $owner == "$EUID" || $owner == 0 ]] && (((8#$mode & 8#22) == 0)) || return
    done <<<"$files"
}

# make_class_archive FILE: has a JVM do what commands do, and write the archive to FILE when it ends. A JVM archives no class of a signed
# jar, as are those of Janino, 375 of the classes: here it takes no signature for one. The cache gets no profiles of
# methods (JEP 515): by those of a rehearsal, C2 would compile too much and too early.
make_class_archive() {
    local new=$1.$$ flags=("${jvm_flags[@]}")
    [ ! -t 2 ] || echo "making the archive of classes for this JVM, once ..." >&2
    if [[ $1 == *.aot ]]; then
        set_batch_jvm_flags # G1 archives objects of the heap
        jvm_flags+=(-XX:AOTCacheOutput="$new" -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions
            -XX:-AOTRecordTraining)
    else
        set_light_jvm_flags
        jvm_flags+=(-XX:ArchiveClassesAtExit="$new")
    fi
    if echo 'jdk.jar.disabledAlgorithms=DSA, RSA, EC' 2>/dev/null >"$new.security" && (umask 022 && "$java_bin" "${jvm_flags[@]}" \
        -Djava.security.properties="$new.security" -Dsummarizer.home="$root" \
        -cp "${jar[0]}" io.summarizer.server.cli.Rehearsal >/dev/null 2>&1) && [ -s "$new" ]; then
        mv "$new" "$1"
        # Keeps the newest three archives. Deletes unfinished files of killed commands.
        find "${1%/*}" \( -name 'classes-*.jsa.*' -o -name 'classes-*.aot.*' \) -mmin +10 -exec rm -f {} +
        find "${1%/*}" \( -name 'classes-*.jsa' -o -name 'classes-*.aot' \) -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d' ' -f2- | xargs -r -d '\n' rm -f
    fi
    jvm_flags=("${flags[@]}")
    rm -f "$new" "$new.security" "$new.config"
    [ -r "$1" ] && is_trusted "$1"
}
