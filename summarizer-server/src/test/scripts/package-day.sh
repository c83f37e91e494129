#!/usr/bin/env bash
# A stranger's day with the package, in a clean Debian root: two builds with the same bytes, install, definitions, rsyslogd in front,
# an upgrade and a downgrade while events flow over RELP, removal, data of the formats before, purge. Nothing may be lost, and data
# stay until the purge. Needs root, network, and the packages debootstrap, lintian and curl; makes an image where there is buildah.
# All traffic is to loopback but for what debootstrap fetches; only processes that it started are ended.
#   package-day.sh PROJECT
set -euo pipefail
project=$(cd -P "$1" && pwd)
events_max=1000000
relp=12514 http=18080 tcp=15514 input=15140
# What is upgraded from is this tree, too.
before=0.0.9
version=$(sed -n 's!.*<revision>\(.*\)</revision>.*!\1!p' "$project/pom.xml")
work=$(mktemp -d)
system=$work/system
started=()

cleanup() {
    local pid
    for pid in "${started[@]}" $(cat "$system"/run/{summarizer,listener,rsyslogd}.pid 2>/dev/null); do
        kill "$pid" 2>/dev/null || true
        # What has a file of the root open keeps it mounted.
        within 120 not_running "$pid" || kill -KILL "$pid" 2>/dev/null || true
    done
    umount "$system/proc" 2>/dev/null || true
    umount "$system/dev" 2>/dev/null || true
    # Never through a mount that is still there.
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

not_running() {
    ! kill -0 "$1" 2>/dev/null
}
say() {
    echo "== $(date -u +%T) $*"
}
fail() {
    echo "FAILED: $*" >&2
    tail -n 20 "$work"/*.log "$system"/run/*.log >&2 2>/dev/null || true
    exit 1
}
inside() {
    chroot "$system" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# within SECONDS COMMAND...: until it succeeds.
within() {
    local until=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $until ] || return 1
        sleep 0.2
    done
}

# sources FOLDER: the project without what was built of it, so that a build under way there is left alone.
sources() {
    mkdir -p "$1"
    if git -C "$project" rev-parse 2>/dev/null; then
        git -C "$project" ls-files -z --cached --others --exclude-standard
    else
        (cd "$project" && find . -name target -prune -o -type f -print0)
    fi | (cd "$project" && tar -c --null --ignore-failed-read -T -) | tar -x -C "$1"
}
# build FOLDER ARGUMENTS...: packages of the sources there, all as of the same time.
build() {
    (cd "$1" && SOURCE_DATE_EPOCH=1763600000 bin/package "${@:2}") >>"$work/build.log" 2>&1 || fail "bin/package ${*:2}"
}

say "two builds of the same sources"
sources "$work/one"
sources "$work/elsewhere/two"
chmod -R go-rwx "$work/elsewhere/two"
touch "$work/elsewhere/two/pom.xml"
build "$work/one" tar deb
(
    umask 077
    export TZ=Asia/Tokyo LC_ALL=C.UTF-8
    build "$work/elsewhere/two" tar deb
)
sums() {
    (cd "$1" && sha256sum target/*.tar.gz target/*.deb target/package/summarizer-*/lib/*.jar target/package/summarizer-*/sbom.json)
}
sums "$work/one" >"$work/sums"
sums "$work/elsewhere/two" | diff "$work/sums" - || fail "two builds of the same sources differ"
cp "$work/one/target/"*.{deb,tar.gz} "$work"
rm -rf "$work/elsewhere"
build "$work/one" --version "$before" deb
cp "$work/one/target/summarizer_${before}_all.deb" "$work"
lintian --fail-on error,warning "$work"/*.deb >"$work/lintian.log" 2>&1 || fail "lintian"

say "a clean root"
debootstrap --variant=minbase --include=openjdk-17-jre-headless,adduser,procps,rsyslog,rsyslog-relp,socat,systemd bookworm "$system" \
    >"$work/debootstrap.log" 2>&1 || fail "debootstrap"
mount --bind /dev "$system/dev"
mount -t proc proc "$system/proc"
# Packages take this folder for a sign of systemd, and the program below for it.
mkdir -p "$system/run/systemd/system"
cat >"$system/usr/local/bin/systemctl" <<'END'
#!/bin/bash
# Stands in for systemd: starts and stops the service as its unit says, and is content with a start when READY=1 was said.
cd /run || exit
running() {
    [ -e summarizer.pid ] && [ ! -e summarizer.exit ]
}
case "$*" in
    *daemon-reload*) ;;
    *show*ActiveState*) if running; then echo active; else echo inactive; fi ;;
    *stop*)
        echo "stop" >>manager.log
        kill -TERM "$(cat summarizer.pid)"
        until [ -e summarizer.exit ]; do sleep 0.1; done
        grep -q '^STOPPING=1' told && [ "$(cat summarizer.exit)" = 0 ]
        ;;
    *start*)
        echo "start" >>manager.log
        kill "$(cat listener.pid 2>/dev/null)" 2>/dev/null || true # of the start before
        rm -f notify.sock told summarizer.exit summarizer.pid
        socat -u UNIX-RECV:notify.sock,mode=666 - >told 2>/dev/null &
        echo $! >listener.pid
        until [ -S notify.sock ]; do sleep 0.1; done
        command=$(sed -n 's/^ExecStart=//p' /lib/systemd/system/summarizer.service)
        (
            setpriv --reuid=summarizer --regid=summarizer --clear-groups --bounding-set=-all --no-new-privs \
                env --default-signal=HUP NOTIFY_SOCKET=/run/notify.sock SUMMARIZER_SERVE_JAVA_OPTS=-Xmx256m $command \
                >service.log 2>&1 & # with signals as systemd has them, also where this script runs under nohup
            echo $! >summarizer.pid
            wait $!
            echo $? >summarizer.exit
        ) </dev/null >/dev/null 2>&1 &
        for _ in $(seq 1200); do
            ! grep -q '^READY=1' told || exit 0
            [ ! -e summarizer.exit ] || break
            sleep 0.1
        done
        exit 1
        ;;
esac
END
chmod 755 "$system/usr/local/bin/systemctl"
ln -s systemctl "$system/usr/local/bin/deb-systemd-invoke"

install() {
    cp "$work/summarizer_$1_all.deb" "$system/root/"
    inside dpkg --force-confold -i "/root/summarizer_$1_all.deb" >>"$work/dpkg.log" 2>&1 || fail "dpkg -i $1"
    [ "$(inside summarizer --version)" = "summarizer $1" ] || fail "it says $(inside summarizer --version)"
}
# READY=1 comes before the replay.
ready() {
    within 120 curl -sf -o /dev/null "http://127.0.0.1:$http/readyz" || fail "it is not ready"
}
start() {
    inside systemctl start summarizer.service || fail "it did not say that it is ready"
    ready
}
stop() {
    inside systemctl stop summarizer.service || fail "told to stop, it ended with $(cat "$system/run/summarizer.exit")"
}
pull() {
    curl -sf --max-time 30 "http://127.0.0.1:$http/summaries/$1.csv"
}
# total COLUMN: the sum of what all rows of Orders have there; 0 while nothing answers.
total() {
    pull Orders | awk -F, -v column="$1" 'NR > 1 { sum += $column } END { print sum + 0 }'
}
has_orders() {
    [ "$(total 2)" -ge "$1" ]
}

say "install $before, without definitions"
install "$before"
[ "$(inside stat -c '%U %a' /var/lib/summarizer)" = "summarizer 700" ] || fail "the data folder is not the service's alone"
[ -n "$(ls "$system/var/cache/summarizer")" ] || fail "no archive of classes was made"
inside systemd-analyze verify --man=no summarizer.service >"$work/verify.log" 2>&1 || fail "systemd-analyze verify"
[ ! -s "$work/verify.log" ] || fail "systemd-analyze verify has remarks"
sed -i -e "s/bind: 127.0.0.1:5514/bind: 127.0.0.1:$tcp/" -e "s/bind: 127.0.0.1:2514/bind: 127.0.0.1:$relp/" \
    -e "s/bind: 127.0.0.1:8080/bind: 127.0.0.1:$http/" "$system/etc/summarizer/summarizer.yaml"
start
[ "$(curl -sf "http://127.0.0.1:$http/readyz" | head -c 5)" = ready ] || fail "an empty folder of definitions is not served"
grep -q "definitions in /etc/summarizer/definitions: 0 event types" "$system/run/service.log" || fail "it does not say which definitions it uses"
grep -q "data in /var/lib/summarizer" "$system/run/service.log" || fail "it does not say where its data are"

say "own definitions, and rsyslogd in front"
cat >"$system/etc/summarizer/definitions/shop.proto" <<'END'
syntax = "proto3";
message Order { int64 number = 1; string country = 2; }
END
cat >"$system/etc/summarizer/definitions/shop.summ" <<'END'
import "shop.proto";
event Order on "shop.order" as csv dedup by syslog.sd["ev@32473"].id within 1d;
summary Orders { key { string country = 1; } value { count orders = 1; sumint64 numbers = 2; } }
map Order into Orders { key { country; } orders += 1; numbers += number; }
END
inside summarizer check --definitions /etc/summarizer/definitions >"$work/check.log" 2>&1 || fail "check"
kill -HUP "$(cat "$system/run/summarizer.pid")"
within 120 pull Orders >/dev/null || fail "the definitions were not taken"
sed -e "s/port=\"2514\"/port=\"$relp\"/" "$system/usr/share/doc/summarizer/rsyslog/summarizer-omrelp.conf" >"$system/etc/rsyslog.d/summarizer.conf"
cat >"$system/etc/rsyslog.conf" <<END
global(workDirectory="/var/spool/rsyslog" maxMessageSize="200k")
module(load="imptcp")
input(type="imptcp" address="127.0.0.1" port="$input")
include(file="/etc/rsyslog.d/summarizer.conf")
END
mkdir -p "$system/var/spool/rsyslog"
inside rsyslogd -N1 >"$work/rsyslogd.log" 2>&1 || fail "rsyslogd -N1"
inside rsyslogd -n -i /run/rsyslogd.pid >"$work/rsyslogd.log" 2>&1 &
rsyslogd=$! # of a shell that waits for it
within 120 bash -c "exec 3<>/dev/tcp/127.0.0.1/$input" 2>/dev/null || fail "rsyslogd does not listen"

# Some thousands of events a second, until the upgrades and the downgrade have happened; their number is in $work/sent then.
send() {
    local n=0
    until [ -e "$work/enough" ] || [ $n -ge $events_max ]; do
        n=$((n + 1))
        echo "<134>1 2026-11-20T00:00:00Z shop shop - shop.order - $n,$((n % 7))"
        [ $((n % 100)) -ne 0 ] || sleep 0.1
    done >"/dev/tcp/127.0.0.1/$input"
    echo "$n" >"$work/sent"
}
send &
sender=$!
started+=("$sender")
within 120 has_orders 1000 || fail "nothing arrives"

say "upgrade to $version, and back, while events flow"
install "$version"
ready
there=$(total 2)
within 120 has_orders $((there + 500)) || fail "nothing arrives at $version"
install "$before"
ready
there=$(total 2)
within 120 has_orders $((there + 500)) || fail "nothing arrives at $before again"
kill -0 "$sender" || fail "all events were sent before the last upgrade"
install "$version"
[ "$(tr '\n' ' ' <"$system/run/manager.log")" = "start stop start stop start stop start " ] || fail "an upgrade does not stop and start the service"
touch "$work/enough"
wait "$sender"
events=$(cat "$work/sent")
within 120 has_orders "$events" || fail "of $events events $(total 2) are there"
[ "$(total 2)" = "$events" ] || fail "of $events events $(total 2) are there"
[ "$(total 3)" = $((events * (events + 1) / 2)) ] || fail "other numbers were summed: $(total 3)"

say "remove"
kill -TERM "$(cat "$system/run/rsyslogd.pid")"
wait "$rsyslogd" || true
inside dpkg -r summarizer >>"$work/dpkg.log" 2>&1 || fail "dpkg -r"
[ "$(cat "$system/run/summarizer.exit")" = 0 ] || fail "removal left the service running"
[ -n "$(ls "$system/var/lib/summarizer/checkpoints")" ] || fail "removal took the data"
[ -f "$system/etc/summarizer/definitions/shop.summ" ] || fail "removal took the definitions"
[ ! -e "$system/usr/share/summarizer" ] || fail "removal left $(find "$system/usr/share/summarizer" | head -3)"

say "install again, then the data of the formats before"
install "$version"
start
[ "$(total 2)" = "$events" ] || fail "after removal and installation $(total 2) of $events events are there"
stop
fixture=$project/summarizer-server/src/test/resources/version-1
rm -rf "$system"/var/lib/summarizer/* "$system"/etc/summarizer/definitions/*
cp -r "$fixture/definitions/." "$system/etc/summarizer/definitions"
(cd "$system/var/lib/summarizer" && "$(dirname "$(readlink -f "$(command -v javac)")")/jar" -xf "$fixture/data.zip")
inside chown -R summarizer:summarizer /var/lib/summarizer
start
for table in Shops Emptied Shops/items; do
    pull "$table" | sort | diff - <(sort "$fixture/${table//\//.}.csv") || fail "$table of version 1 differs"
done
stop

say "purge"
inside dpkg -P summarizer >>"$work/dpkg.log" 2>&1 || fail "dpkg -P"
[ ! -e "$system/var/lib/summarizer" ] || fail "a purge leaves data"
[ ! -e "$system/etc/summarizer" ] || fail "a purge leaves definitions"
[ ! -e "$system/var/cache/summarizer" ] || fail "a purge leaves the cache"

say "the tarball, for a user without a home"
tar -xzf "$work/summarizer-$version.tar.gz" -C "$system/opt"
nobody() {
    inside setpriv --reuid=nobody --regid=nogroup --clear-groups "/opt/summarizer-$version/bin/summarizer" "$@"
}
[ "$(nobody --version)" = "summarizer $version" ] || fail "the tarball does not run"
nobody check >"$work/check.log" 2>&1 || fail "check from the tarball"

if command -v buildah >/dev/null; then
    say "the image"
    build "$work/one" image
    archive=$work/one/target/summarizer-$version.oci.tar
    ls -l "$archive"
    buildah() {
        command buildah --storage-driver vfs --root "$work/storage" --runroot "$work/storage-run" "$@"
    }
    image=$(buildah from "oci-archive:$archive" 2>"$work/image.log") || fail "the image cannot be read"
    mkdir -p "$work/definitions" "$work/shared"
    owner=$(buildah inspect --format '{{.OCIv1.Config.User}}' "$image")
    [[ $owner =~ ^[1-9][0-9]*:[1-9][0-9]*$ ]] || fail "the image runs as '$owner'"
    chown "$owner" "$work/shared"
    chmod 755 "$work" "$work/definitions"
    cat >"$work/definitions/shop.proto" <<'END'
syntax = "proto3";
message Order { int64 number = 1; string country = 2; }
END
    cat >"$work/definitions/shop.summ" <<'END'
import "shop.proto";
event Order on "shop.order" as csv;
summary Orders { key { string country = 1; } value { count orders = 1; sumint64 numbers = 2; } }
map Order into Orders { key { country; } orders += 1; numbers += number; }
END
    # contained COMMAND...: runs it in the image; its network is that of this machine, and so are its processes. The data are in the
    # volume of the image.
    contained() {
        buildah run --isolation chroot --volume "$work/definitions:/etc/summarizer/definitions:ro" \
            --volume "$work/shared:/mnt" "$image" -- "$@"
    }
    [ "$(contained summarizer --version 2>"$work/image.log")" = "summarizer $version" ] || fail "the image does not run"
    [ "$(contained id -un)" = summarizer ] || fail "the image runs as $(contained id -un)"
    archives() {
        contained ls /var/cache/summarizer
    }
    [ "$(archives | wc -l)" = 1 ] || fail "the archive of classes in the image is not for its JVM and jars: $(archives)"
    # The command of the image, with other ports.
    # shellcheck disable=SC2016 # for the shell in the image
    contained bash -c 'echo $$ >/mnt/pid && exec "$@"' bash \
        summarizer serve --config /etc/summarizer/summarizer.yaml --set "http.bind=127.0.0.1:$http" \
        --set "listen.syslog-tcp.bind=127.0.0.1:$tcp" --set "listen.relp.bind=off" >"$work/image.log" 2>&1 &
    running=$!
    within 120 test -s "$work/shared/pid" || fail "the image does not start"
    started+=("$(cat "$work/shared/pid")")
    within 120 curl -sf -o "$work/ready" "http://127.0.0.1:$http/readyz" || fail "the service in the image is not ready"
    contained env "SUMMARIZER_HEALTH=127.0.0.1:$http" summarizer-healthy || fail "the health check of the image fails"
    ! contained env SUMMARIZER_HEALTH=127.0.0.1:1 summarizer-healthy 2>/dev/null || fail "the health check of the image cannot fail"
    tar -xOf "$archive" blobs | grep -a '"Healthcheck":{"Test":\["CMD","summarizer-healthy"\]' >/dev/null || fail "the image names no health check"
    echo "<134>1 2026-11-20T00:00:00Z shop shop - shop.order - 7,DE" >"/dev/tcp/127.0.0.1/$tcp"
    within 120 has_orders 1 || fail "an event sent to the image does not arrive"
    pull Orders | diff - <(printf 'country,orders,numbers\nDE,1,7\n') || fail "other rows are pulled from the image"
    kill -TERM "$(cat "$work/shared/pid")"
    wait "$running" || fail "told to stop, the service in the image ended with $?"
fi
say "done: nothing lost"
