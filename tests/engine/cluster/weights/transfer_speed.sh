#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# transfer_speed.sh PROGRAM FOLDER [RATE [MEGABYTES]]: iperf3 and the transfer of weights in turn, over one link of this
# rate (tc tbf, 1gbit by default) between two network namespaces. Needs root, iproute2 and iperf3. FOLDER takes the model
# and its copy.
set -euo pipefail
program=$(realpath -- "$1")
folder=$(realpath -- "$2")
rate=${3:-1gbit}
megabytes=${4:-600}
a=weights-a-$$
b=weights-b-$$
work=$(mktemp -d -- "$folder/transfer-speed-XXXXXX")
pids=()
clean() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    ip netns del "$a" 2>/dev/null || true
    ip netns del "$b" 2>/dev/null || true
    rm -rf -- "$work"
}
trap clean EXIT

ip netns add "$a"
ip netns add "$b"
ip link add wa$$ netns "$a" type veth peer name wb$$ netns "$b"
for end in "$a wa$$ 10.77.0.1" "$b wb$$ 10.77.0.2"; do
    read -r space link address <<<"$end"
    ip -n "$space" addr add "$address/24" dev "$link"
    ip -n "$space" link set "$link" up
    ip -n "$space" link set lo up
    ip netns exec "$space" tc qdisc add dev "$link" root tbf rate "$rate" burst 256kb latency 50ms
done

head -c "${megabytes}M" /dev/urandom >"$work/model.gguf"
mkfifo "$work/input"
ip netns exec "$a" "$program" serve "$work/model.gguf" 10.77.0.1 7799 <"$work/input" >"$work/served" &
pids+=($!)
exec 3>"$work/input"
until [[ -s $work/served ]]; do sleep 0.1; done
read -r key hash <"$work/served"
ip netns exec "$a" iperf3 --server --one-off >/dev/null &
pids+=($!)
sleep 0.5
for round in 1 2 3; do
    if ((round > 1)); then
        ip netns exec "$a" iperf3 --server --one-off >/dev/null &
        pids+=($!)
        sleep 0.5
    fi
    printf 'iperf3:  '
    ip netns exec "$b" iperf3 --client 10.77.0.1 --reverse --time 5 --format m | awk '/receiver/ {print $7, $8}'
    printf 'weights: '
    ip netns exec "$b" "$program" fetch "$hash" "$work/cache" "$key" 10.77.0.1 7799
done
exec 3>&-
