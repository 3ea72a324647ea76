#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0

# The first process of the guest: it tells its console what it sees of its
# disks, every two seconds, in lines of NAME=VALUE words. Every disk that did
# not come from an image is written to: once with who wrote it first, in the
# sector BORN, and every time with who writes and how often, in the sector
# LAST. What was found there before comes first in a line, so that the lines
# of the next guest prove what outlived the one before.

LAST=2048
BORN=2049

/bin/busybox mkdir -p /proc /sys /dev /tmp
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
dmesg -n 1
for module in $(cat /modules/order); do
    insmod "/modules/$module"
done
exec </dev/null >/dev/ttyS0 2>&1
acpid -d -c /etc/acpi >/dev/null 2>&1 &

tag=$(cat /etc/tag)
boot=$(head -c 8 /proc/sys/kernel/random/boot_id)

# Print a sector's text, '-' when it is blank. A page in the guest's memory
# would hide what the disk has become.
get() {
    words=$(dd if=/tmp/disk bs=512 skip="$1" count=1 iflag=direct \
            2>/tmp/error | tr -cd '!-~')
    echo "${words:--}"
}

# Write a sector and print 'ok', or what came of it.
put() {
    printf '%-512s' "$2" >/tmp/sector
    if dd if=/tmp/sector of=/tmp/disk bs=512 seek="$1" count=1 \
            oflag=direct conv=notrunc 2>/tmp/error; then
        if [ "$(get "$1")" = "$2" ]; then echo ok; else echo lost; fi
    else
        sed -n 's/^dd: .*: //; s/[^A-Za-z0-9]/-/g; 1p' /tmp/error
    fi
}

serial() {
    if [ -e "/sys/block/$1/serial" ]; then
        cat "/sys/block/$1/serial"
    elif [ -e "/sys/block/$1/device/vpd_pg80" ]; then
        tail -c +5 "/sys/block/$1/device/vpd_pg80" | tr -cd '!-~'
    fi
}

tell() {
    # A node of its own: who writes to /dev/X just when the disk goes makes a
    # file of that name.
    rm -f /tmp/disk
    mknod /tmp/disk b $(tr ':' ' ' <"/sys/block/$1/dev") || return
    line="disk=$1 size=$(($(cat "/sys/block/$1/size") * 512))"
    line="$line serial=$(serial "$1") ro=$(cat "/sys/block/$1/ro")"
    first=$(dd if=/tmp/disk bs=512 count=1 iflag=direct 2>/dev/null |
            tr -c '!-~' '.')
    line="$line head=${first:0:16}"
    if [ "${first:3:8}" = SYSLINUX ]; then
        label=${first:43:11}
        echo "volops $line image=${label%%.*}"
        return
    fi
    line="$line born=$(get $BORN) last=$(get $LAST)"
    write=$(put $LAST "$boot:$tick")
    line="$line write=$write"
    if [ "$write" = ok ] && [ "$(get $BORN)" = - ]; then
        put $BORN "$boot" >/dev/null
    fi
    echo "volops $line"
}

tick=0
while :; do
    tick=$((tick + 1))
    echo "volops tag=$tag boot=$boot tick=$tick"
    for path in /sys/block/vd* /sys/block/sd*; do
        [ -e "$path" ] && tell "${path##*/}"
    done
    sleep 2
done
