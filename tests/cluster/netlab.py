# SPDX-License-Identifier: GPL-3.0-or-later
"""Several hosts on one machine, for tests: network namespaces joined by a bridge. Linux, iproute2, Python 3.9.

    import netlab
    netlab.enter()                          # first of all; the program goes on inside, or ends as skipped
    with netlab.Lab() as lab:
        a, b = lab.add_host("a"), lab.add_host("b")
        a.address                           # "10.77.0.1", on the interface "eth0"
        a.run(["ping", "-c1", b.address])   # to its end; raises when it fails; returns what it printed
        p = b.start(["constelad", ...])     # subprocess.Popen with pipes as text; killed at the end of the lab

What a host can be given:
    host.add_docker()       docker0, 172.17.0.1/16, up, with a container's end on it: the same on every host
    host.add_vpn()          wg0, 10.8.0.N/24: by it, too, all hosts that have one reach each other
    host.set_rate("1gbit")  what it sends and what it gets goes no faster; None: as fast as it can
    host.link_down()        as if the cable were pulled out (carrier gone); host.link_up()
    host.add_address("10.99.0.1/24"), host.remove_address(...)     on eth0
    host.capture("x.pcap")  tcpdump on eth0 until the lab ends, or until the Popen that it returns is ended
    lab.block_broadcast()   neither broadcast nor multicast between hosts, nor what is built on it (the hosts know each
                            other's hardware addresses, so that IPv4 goes on); lab.allow_broadcast()

All of it lies in network, mount and process namespaces of this program alone, so any number of labs run side by side,
nothing of the machine is touched, and with the program everything goes, even when it is killed. It needs root, or a
system that lets everyone make user namespaces. Where neither is, enter() ends the program with code 77 after printing
"netlab: Skipped" and the reason, which ctest and scripts/skipped-tests.awk understand; skip(reason) does the same for a
test that misses something else.
"""
import os
import re
import shutil
import signal
import subprocess
import sys

SKIPPED = 77
_INSIDE = "CONSTELA_NETLAB"


def skip(reason):
    """Ends the program as a skipped test."""
    print(f"netlab: Skipped\n{reason}\n", flush=True)
    sys.exit(SKIPPED)


def _say(command):
    """Runs it and returns what is wrong, in a line, or nothing."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    return "" if run.returncode == 0 else " ".join(run.stderr.split()) or f"{command[0]} failed"


def enter():
    """Starts this program again inside of namespaces of its own; returns there."""
    if os.environ.get(_INSIDE) == "inside":
        _prepare()
        return
    if sys.platform != "linux":
        skip("network namespaces are Linux's")
    for tool, package in (("unshare", "util-linux"), ("ip", "iproute2"), ("tc", "iproute2"), ("bridge", "iproute2")):
        if not shutil.which(tool, path=_path()):
            skip(f"the program {tool} is missing (package {package})")
    way = ["unshare", "--net", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        way[1:1] = ["--user", "--map-root-user"]
    wrong = _say([*way, "true"])
    if wrong:
        who = "root" if os.geteuid() == 0 else "this user"
        skip(f"hosts in network namespaces are not permitted to {who} here: {wrong}")
    os.environ[_INSIDE] = "inside"
    os.environ["PATH"] = _path()
    sys.stdout.flush()
    os.execvp(way[0], [*way, sys.executable, "-B", *sys.argv])


def _path():
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _prepare():
    # A place for "ip netns" that nobody else sees; what else lies in /run is not needed here.
    place = "/run/netns" if os.path.isdir("/run/netns") else "/run"
    wrong = (_say(["mount", "-t", "tmpfs", "tmpfs", place]) or _say(["ip", "link", "set", "lo", "up"]) or
             _say(["ip", "netns", "add", "try"]) or _say(["ip", "netns", "exec", "try", "true"]) or
             _say(["ip", "link", "add", "try0", "type", "veth", "peer", "name", "try1"]) or
             _say(["ip", "link", "add", "try2", "type", "bridge"]))
    if wrong:
        skip(f"hosts in network namespaces cannot be made here: {wrong}")
    for command in (["ip", "link", "del", "try0"], ["ip", "link", "del", "try2"], ["ip", "netns", "del", "try"]):
        _do(command)
    # ctest asks politely first; then the lab is to end, with what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _do(command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {run.stderr.strip() or run.stdout.strip()}")
    return run.stdout


class Host:
    """Made by Lab.add_host()."""

    def __init__(self, lab, name, number):
        self.lab, self.name, self.number = lab, name, number
        self.address = f"10.77.0.{number}"
        self.vpn_address = f"10.8.0.{number}"
        self.port_on_bridge = f"p{number}"
        _do(["ip", "netns", "add", name])
        self._ip("link", "set", "lo", "up")
        # A machine that has been up for a while has made sure of its IPv6 addresses.
        self.run(["sh", "-c", "! [ -e /proc/sys/net/ipv6 ] || echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad"])
        self._join("lan", self.port_on_bridge, "eth0", f"{self.address}/24")

    def _ip(self, *words):
        return _do(["ip", "-n", self.name, *words])

    def _join(self, bridge, port, name, address):
        _do(["ip", "link", "add", port, "type", "veth", "peer", "name", name, "netns", self.name])
        _do(["ip", "link", "set", port, "master", bridge, "up"])
        self._ip("address", "add", address, "broadcast", "+", "dev", name)
        self._ip("link", "set", name, "up")

    def command(self, command):
        """The command as it is to be started from outside to run on this host."""
        return ["ip", "netns", "exec", self.name, *command]

    def run(self, command, **options):
        run = subprocess.run(self.command(command), capture_output=True, text=True, **options)
        if run.returncode != 0:
            raise RuntimeError(f"{self.name}: {' '.join(command)}: {run.stderr.strip() or run.stdout.strip()}")
        return run.stdout

    def start(self, command, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True,
                   **options}
        process = subprocess.Popen(self.command(command), **options)
        self.lab.processes.append(process)
        return process

    def add_docker(self):
        self._ip("link", "add", "docker0", "type", "bridge")
        self._ip("address", "add", "172.17.0.1/16", "broadcast", "+", "dev", "docker0")
        self._ip("link", "add", "veth4f2a9c0", "type", "veth", "peer", "name", "container")
        self._ip("link", "set", "veth4f2a9c0", "master", "docker0", "up")
        self._ip("link", "set", "container", "up")
        self._ip("link", "set", "docker0", "up")

    def add_vpn(self):
        self.lab.need_vpn()
        self._join("vpn", f"v{self.number}", "wg0", f"{self.vpn_address}/24")

    def set_rate(self, rate):
        for command in (["tc", "-n", self.name, "qdisc"], ["tc", "qdisc"]):
            device = "eth0" if "-n" in command else self.port_on_bridge
            if rate is None:
                _do([*command, "del", "dev", device, "root"])
                continue
            # A bucket must hold what comes between two ticks of a slow clock (100 Hz), or the rate is not reached.
            burst = max(32_000, _bits_per_second(rate) // 8 // 100)
            _do([*command, "replace", "dev", device, "root", "tbf", "rate", rate, "burst", str(burst),
                 "latency", "50ms"])

    def link_down(self):
        _do(["ip", "link", "set", self.port_on_bridge, "down"])

    def link_up(self):
        _do(["ip", "link", "set", self.port_on_bridge, "up"])

    def add_address(self, address, interface="eth0"):
        self._ip("address", "add", address, "broadcast", "+", "dev", interface)

    def remove_address(self, address, interface="eth0"):
        self._ip("address", "del", address, "dev", interface)

    def capture(self, file, what=""):
        if not shutil.which("tcpdump"):
            skip("the program tcpdump is missing (package tcpdump)")
        process = self.start(["tcpdump", "-i", "eth0", "-U", "-s", "0", "-Z", "root", "-w", str(file), *what.split()])
        while "listening on" not in (line := process.stderr.readline()):
            if not line:
                raise RuntimeError(f"{self.name}: tcpdump ended before it listened")
        return process

    def hardware_address(self):
        return re.search(r"link/ether (\S+)", self._ip("link", "show", "eth0")).group(1)


def _bits_per_second(rate):
    number, unit = re.fullmatch(r"([0-9.]+)([kmg]?)bit", rate).groups()
    return int(float(number) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[unit])


class Lab:
    """One network, 10.77.0.0/24, without hosts at first. Of a program's labs one lives at a time."""

    def __init__(self):
        self.hosts, self.processes, self._has_vpn = [], [], False

    def __enter__(self):
        self._add_bridge("lan")
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
        for host in self.hosts:
            _do(["ip", "link", "del", host.port_on_bridge])
            _do(["ip", "netns", "del", host.name])
        _do(["ip", "link", "del", "lan"])
        if self._has_vpn:
            _do(["ip", "link", "del", "vpn"])
        return False

    @staticmethod
    def _add_bridge(name):
        # Snooping would drop what goes to groups until a host's report of joining one has been heard.
        _do(["ip", "link", "add", name, "type", "bridge", "mcast_snooping", "0"])
        _do(["ip", "link", "set", name, "up"])

    def need_vpn(self):
        if not self._has_vpn:
            self._has_vpn = True
            self._add_bridge("vpn")

    def add_host(self, name):
        host = Host(self, name, len(self.hosts) + 1)
        self.hosts.append(host)
        return host

    def block_broadcast(self):
        self._flood("off")
        for host in self.hosts:
            for other in self.hosts:
                if other is not host:
                    host._ip("neighbour", "replace", other.address, "lladdr", other.hardware_address(), "nud",
                             "permanent", "dev", "eth0")

    def allow_broadcast(self):
        self._flood("on")

    def _flood(self, how):
        for host in self.hosts:
            _do(["bridge", "link", "set", "dev", host.port_on_bridge, "bcast_flood", how, "mcast_flood", how])
