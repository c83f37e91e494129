# Shared by the scripts beside it: where the project is, which JDK to run on, and building when something changed.
# Sourced by a script of this folder, which finds it through any symlink to itself.

root=$(cd -P "$(dirname "$(readlink -f "$0")")/.." && pwd)

die() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# The feature release of the JDK in folder $1 (17, 25), from its release file or by asking it.
java_feature() {
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([0-9.]*\).*/\1/p' "$1/release" 2>/dev/null)
    [ -n "$version" ] || version=$("$1/bin/java" -version 2>&1 | sed -n '1s/.*"\([0-9.]*\).*/\1/p')
    version=${version#1.}
    echo "${version%%.*}"
}

# Sets java_bin and java_version: JAVA_HOME when set, else the newest under /usr/lib/jvm, else what is on the PATH.
find_java() {
    local home best='' newest=0 feature
    if [ -n "${JAVA_HOME:-}" ]; then
        [ -x "$JAVA_HOME/bin/java" ] || die "JAVA_HOME is $JAVA_HOME, which has no bin/java"
        best=$JAVA_HOME
    else
        for home in /usr/lib/jvm/*; do
            [ -x "$home/bin/java" ] || continue
            feature=$(java_feature "$home")
            if [ "${feature:-0}" -gt "$newest" ]; then
                newest=$feature
                best=$home
            fi
        done
        if [ -z "$best" ]; then
            home=$(command -v java) || die "no Java found; install a JDK, 17 or later, or set JAVA_HOME"
            best=$(dirname "$(dirname "$(readlink -f "$home")")")
        fi
    fi
    java_bin=$best/bin/java
    java_version=$(java_feature "$best")
    [ "${java_version:-0}" -ge 17 ] || die "needs Java 17 or later; $java_bin is ${java_version:-of unknown version}"
}

# build MODULE: packages it and what it depends on, unless nothing changed since. Runs that meet wait for each other.
build() {
    local module=$1 stamp=$1/target/.built
    built "$module" && return
    command -v mvn >/dev/null || die "needs Maven (mvn) to build"
    mkdir -p "$module/target"
    (
        if command -v flock >/dev/null; then
            flock 9
            built "$module" && exit 0
        fi
        [ -t 2 ] && echo "building $module (once; a first build fetches its libraries) ..." >&2
        # Made before the build, so that what is edited while it runs counts as newer.
        touch "$stamp.started"
        mvn -q -B -Dstyle.color=never -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "$module" -am package 2>&1 |
            sed $'s/\033\\[[0-9;]*m//g' >&2 || exit 1 # some Mavens reset colours that they never set
        mv "$stamp.started" "$stamp"
    ) 9>"$module/target/.build-lock" || die "the build failed"
}

built() {
    local stamp=$1/target/.built
    [ -f "$stamp" ] && [ -d "$1/target/lib" ] && ls "$1"/target/"$1"-*.jar >/dev/null 2>&1 || return 1
    [ -z "$(find pom.xml ./*/pom.xml ./*/src/main -newer "$stamp" -print -quit)" ]
}

# Sets jvm_flags for every JVM of ours. State is chunks of 16 KiB that live long, and hardly anything else is allocated: a
# young generation of 4 MiB that is promoted at once copies each chunk once, in pauses of some ms. A heap that has its size from
# the start need not grow within those pauses, and takes no memory before it is used; one that never shrinks does not have
# to get it back within them, where a virtual machine's host is slow to give it. Huge pages spare random updates of a large
# state their TLB misses. What adds to a set is short for one with registers and long for others, and as a whole too large to be
# inlined into updates once it was compiled by itself, if not for InlineSmallCode (2500 bytes by default). Netty and hash4j reach
# for native code, of which later JDKs warn.
set_jvm_flags() {
    local heap_full="summarizer: the heap is full. What was acknowledged is kept in the data folder: raise the"
    heap_full+=" heap (-Xmx in SUMMARIZER_JAVA_OPTS), or lower limits.state and cuts.memory, and start again"
    jvm_flags=(-XX:+UseG1GC -XX:NewSize=4m -XX:MaxNewSize=4m -XX:MaxTenuringThreshold=0
        -XX:+UseTransparentHugePages -XX:InlineSmallCode=6000
        -XX:InitialRAMPercentage=50 -XX:MaxRAMPercentage=50 -XX:MaxHeapFreeRatio=100
        -XX:+ExitOnOutOfMemoryError "-XX:OnOutOfMemoryError=echo '$heap_full' >&2" -Xlog:disable -Xlog:all=error:stderr)
    if [ "$java_version" -ge 22 ]; then
        jvm_flags+=(--enable-native-access=ALL-UNNAMED)
    fi
    if [ "$java_version" -ge 24 ]; then
        jvm_flags+=(--sun-misc-unsafe-memory-access=allow)
    fi
}
