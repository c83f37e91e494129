#!/usr/bin/env bash
# A stranger's day with the package, in a clean Debian root: install, definitions, rsyslogd in front, an upgrade and a downgrade while
# events flow over RELP, removal, purge. Nothing may be lost, and data stay until the purge. Needs root, and the packages debootstrap,
# lintian and shellcheck. All traffic is to loopback; only processes that it started are ended.
#   package-day.sh PROJECT
set -euo pipefail
project=$(cd -P "$1" && pwd)
events=20000
relp=12514 http=18080 tcp=15514 input=15140
# In packages the version before is this tree, too.
before=0.0.9
work=$(mktemp -d)
system=$work/system
started=()

cleanup() {
    local pid
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    umount "$system/proc" "$system/dev" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

say() {
    echo "== $*"
}
fail() {
    echo "FAILED: $*" >&2
    tail -n 20 "$work"/*.log >&2 || true
    exit 1
}
inside() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
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

say "packages"
cd "$project"
bin/package --version "$before" deb >/dev/null
cp "target/summarizer_${before}_all.deb" "$work"
bin/package tar deb >/dev/null
version=$(sed -n 's!.*<revision>\(.*\)</revision>.*!\1!p' pom.xml)
cp "target/summarizer_${version}_all.deb" "target/summarizer-$version.tar.gz" "$work"
(cd "$work" && sha256sum "summarizer_${version}_all.deb" "summarizer-$version.tar.gz" >sums)
bin/package tar deb >/dev/null
(cd target && sha256sum --check --quiet "$work/sums") || fail "two builds of the same sources differ"
lintian --fail-on error,warning --suppress-tags "" "$work"/*.deb || fail "lintian"
shellcheck -x bin/* config/debian/build.sh config/oci/build.sh config/debian/p* .ci/run "$0" || fail "shellcheck"
exposure=$(systemd-analyze security --offline=yes config/systemd/summarizer.service | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
awk -v is="$exposure" 'BEGIN { exit !(is != "" && is <= 2.5) }' || fail "the unit's exposure is $exposure"

say "a clean root"
debootstrap --variant=minbase --include=openjdk-17-jre-headless,adduser,rsyslog,rsyslog-relp,socat,systemd bookworm "$system" \
    >"$work/debootstrap.log" 2>&1 || fail "debootstrap"
mount --bind /dev "$system/dev"
mount -t proc proc "$system/proc"

install() {
    cp "$work/summarizer_$1_all.deb" "$system/root/"
    inside dpkg --force-confold -i "/root/summarizer_$1_all.deb" >>"$work/dpkg.log" 2>&1 || fail "dpkg -i $1"
    [ "$(inside summarizer --version)" = "summarizer $1" ] || fail "it says $(inside summarizer --version)"
}

# As the unit does, with a listener of ours for readiness: it is ready when READY=1 was said, and not before.
start() {
    rm -f "$system/run/notify.sock" "$work/told"
    inside socat -u UNIX-RECV:/run/notify.sock,mode=666 - >"$work/told" &
    started+=($!)
    within 10 test -S "$system/run/notify.sock" || fail "nobody listens for readiness"
    local command
    command=$(sed -n 's/^ExecStart=//p' "$system/lib/systemd/system/summarizer.service")
    # shellcheck disable=SC2086 # a command with its arguments
    inside setpriv --reuid=summarizer --regid=summarizer --clear-groups env NOTIFY_SOCKET=/run/notify.sock \
        SUMMARIZER_SERVE_JAVA_OPTS=-Xmx256m $command >"$work/service.log" 2>&1 &
    service=$!
    started+=("$service")
    within 60 grep -q '^READY=1' "$work/told" || fail "it did not say that it is ready"
}
stop() {
    kill -TERM "$service"
    wait "$service" || fail "told to stop, it ended with $?"
    grep -q '^STOPPING=1' "$work/told" || fail "it did not say that it stops"
}
pull() {
    curl -sf --max-time 30 "http://127.0.0.1:$http/summaries/$1.csv"
}
orders() {
    pull Orders | awk -F, 'NR > 1 { sum += $2 } END { print sum + 0 }'
}

say "install $before, without definitions"
install "$before"
[ "$(stat -c '%U %a' "$system/var/lib/summarizer")" = "summarizer 700" ] || fail "the data folder is not the service's alone"
cat >>"$system/etc/summarizer/summarizer.yaml" <<END

listen.syslog-tcp.bind: 127.0.0.1:$tcp
listen.relp.bind: 127.0.0.1:$relp
http.bind: 127.0.0.1:$http
END
# Keys of the file and keys with dots may not say the same thing twice.
sed -i -e '0,/bind: 127.0.0.1:5514/s//bind: 127.0.0.1:'$tcp/ -e '0,/bind: 127.0.0.1:2514/s//bind: 127.0.0.1:'$relp/ \
    -e '0,/bind: 127.0.0.1:8080/s//bind: 127.0.0.1:'$http/ -e '/^listen\.\|^http\.bind/d' "$system/etc/summarizer/summarizer.yaml"
start
[ "$(curl -sf "http://127.0.0.1:$http/readyz" | head -c 5)" = ready ] || fail "an empty folder of definitions is not served"

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
kill -HUP "$service"
within 20 pull Orders >/dev/null || fail "the definitions were not taken"
sed -e "s/port=\"2514\"/port=\"$relp\"/" "$system/usr/share/doc/summarizer/rsyslog/summarizer-omrelp.conf" >"$system/etc/rsyslog.d/summarizer.conf"
cat >"$system/etc/rsyslog.conf" <<END
global(workDirectory="/var/spool/rsyslog" maxMessageSize="200k")
module(load="imptcp")
input(type="imptcp" address="127.0.0.1" port="$input")
include(file="/etc/rsyslog.d/summarizer.conf")
END
mkdir -p "$system/var/spool/rsyslog"
inside rsyslogd -n -i /run/rsyslogd.pid >"$work/rsyslogd.log" 2>&1 &
rsyslogd=$!
started+=("$rsyslogd")
within 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$input" 2>/dev/null || fail "rsyslogd does not listen"

send() { # FROM TO: events with these numbers, some thousands a second
    local n
    for n in $(seq "$1" "$2"); do
        echo "<134>1 2026-11-20T00:00:00Z shop shop - shop.order - $n,$((n % 7))"
        [ $((n % 200)) -ne 0 ] || sleep 0.05
    done >"/dev/tcp/127.0.0.1/$input"
}
send 1 $events &
sender=$!
started+=("$sender")
within 30 test "0$(orders)" -gt 1000 || fail "nothing arrives"

say "upgrade to $version, and back, while events flow"
stop
install "$version"
start
within 30 test "0$(orders)" -gt 2000 || fail "nothing arrives at $version"
stop
install "$before"
start
stop
install "$version"
start
wait "$sender"
# rsyslogd looks at a session that broke only when it has something to send.
all_there() {
    echo "<134>1 2026-11-20T00:00:00Z shop shop - shop.nothing - nudge" >"/dev/tcp/127.0.0.1/$input"
    [ "$(orders)" = $events ]
}
within 60 all_there || fail "of $events events $(orders) are there"
[ "$(pull Orders | awk -F, 'NR > 1 { sum += $3 } END { print sum }')" = $((events * (events + 1) / 2)) ] || fail "other numbers were summed"

say "remove, and purge"
kill -TERM "$rsyslogd"
wait "$rsyslogd" || true
stop
inside dpkg -r summarizer >>"$work/dpkg.log" 2>&1
[ -d "$system/var/lib/summarizer/checkpoints" ] || fail "removal took the data"
[ -f "$system/etc/summarizer/definitions/shop.summ" ] || fail "removal took the definitions"
[ ! -e "$system/usr/share/summarizer" ] || fail "removal left $(find "$system/usr/share/summarizer" | head -3)"
inside dpkg -P summarizer >>"$work/dpkg.log" 2>&1
[ ! -e "$system/var/lib/summarizer" ] || fail "a purge leaves data"
[ ! -e "$system/etc/summarizer" ] || fail "a purge leaves definitions"

say "the tarball, from a folder of any user"
mkdir "$work/home"
tar -xzf "$work/summarizer-$version.tar.gz" -C "$work/home"
chmod -R a-w "$work/home/summarizer-$version"
[ "$(SUMMARIZER_CACHE=$work/cache "$work/home/summarizer-$version/bin/summarizer" --version)" = "summarizer $version" ] || fail "the tarball does not run"
chmod -R u+w "$work/home"
say "done: nothing lost"
