"""A PostgreSQL cluster run by Patroni on the loopback: three nodes, of which one writes and one is its synchronous
replica, and an etcd.

Whatever reaches a node, or leaves it for etcd, goes through relays of its own, so that it can be cut off from the
network; only this file asks it directly. Nothing runs as root."""
import http.client
import json
import os
import signal
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "cluster"))
from cluster import PATIENCE, Relay, until
from spread import free_ports

# Small, and yet what a busy machine can keep: loop_wait + 2 * retry_timeout <= ttl. (Patroni 3.2 and newer take no ttl below 20.)
SETTINGS = {"ttl": 8, "loop_wait": 1, "retry_timeout": 3, "synchronous_mode": True}
USER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []


def start(command, name):
    """A process of its own session, whose number NAME.pid has."""
    with open(name + ".log", "ab") as out:
        process = subprocess.Popen(USER + command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
    with open(name + ".pid", "w") as file:
        print(process.pid, file=file)
    return process


def wait_end(process):
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Etcd:
    def __init__(self, folder):
        client, peer = ("http://127.0.0.1:%d" % port for port in free_ports(2))
        self.port = int(client.split(":")[-1])
        self.process = start(
            ["etcd", "--name", "etcd", "--data-dir", folder + "/etcd", "--log-level", "error", "--enable-v2", "--listen-client-urls", client,
             "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", "etcd=" + peer], folder + "/etcd")

    def end(self):
        self.process.kill()
        wait_end(self.process)


class Node:
    stopped = False

    def __init__(self, name, folder, bin_dir, etcd):
        self.name, self.data = name, "%s/%s" % (folder, name)
        self.config = self.data + ".json"
        self.server, self.api = free_ports(2)
        self.relays = {"server": Relay(self.server), "api": Relay(self.api), "etcd": Relay(etcd.port)}
        reached = {way: "127.0.0.1:%d" % relay.port for way, relay in self.relays.items()}
        with open(self.config, "w") as file:
            json.dump({
                "scope": "koikoi", "name": name,
                "restapi": {"listen": "127.0.0.1:%d" % self.api, "connect_address": reached["api"]},
                # Over etcd's third API Patroni 3.0, by its source, takes the leader's key from another when it wakes.
                "etcd": {"hosts": [reached["etcd"]], "use_proxies": True},
                "bootstrap": {"dcs": dict(SETTINGS, postgresql={"use_pg_rewind": True, "parameters": {"max_connections": 60}}),
                              "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "no-sync"]},
                "postgresql": {
                    "listen": "127.0.0.1:%d" % self.server, "connect_address": reached["server"], "data_dir": self.data,
                    "bin_dir": bin_dir, "pgpass": self.data + ".pgpass",
                    "authentication": {"superuser": {"username": "koi"}, "replication": {"username": "replica"}},
                    "parameters": {"unix_socket_directories": folder, "fsync": False},
                    "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                               "host replication all 127.0.0.1/32 trust"]}}, file)
        self.start()

    def start(self):
        self.process = start(["patroni", self.config], self.data)

    # ---- what Patroni says ----

    def ask(self, path):
        """Status and answer of this node; 0 if there is none."""
        if self.stopped:
            return 0, {}
        try:
            visit = http.client.HTTPConnection("127.0.0.1", self.api, timeout=2)
            visit.request("GET", path)
            answer = visit.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        except (OSError, ValueError, http.client.HTTPException):
            return 0, {}

    # ---- faults ----

    def pids(self):
        """Of Patroni, of the server and of the processes of that one."""
        try:
            with open(self.data + "/postmaster.pid") as file:
                master = int(file.readline())
            with open("/proc/%d/cmdline" % master) as file:
                mine = self.data in file.read()
        except (OSError, ValueError):
            mine = False
        found = [self.process.pid] if self.process.poll() is None else []
        if not mine:
            return found
        with open("/proc/%d/task/%d/children" % (master, master)) as file:
            return found + [master] + [int(pid) for pid in file.read().split()]

    def signal(self, number):
        self.stopped = number == signal.SIGSTOP
        for pid in self.pids():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """As when the machine is switched off. A process that was born meanwhile is in the next list."""
        until(lambda: self.signal(signal.SIGKILL) or not self.pids() or self.process.poll() is not None and len(self.pids()) < 2, 5)
        wait_end(self.process)
        until(lambda: not self.pids(), 10)

    def set_cut_off(self, cut):
        """While it is, all that is sent to it or by it is lost; what was connected then is no longer."""
        for relay in self.relays.values():
            if not cut:
                relay.set_cut(True)
            relay.silent = cut
            relay.cut = False


class Cluster:
    def __init__(self, folder, bin_dir):
        self.folder, self.nodes = folder, []
        self.etcd = Etcd(folder)
        for name in "abc":
            self.nodes.append(Node(name, folder, bin_dir, self.etcd))

    def store(self, database):
        return "postgresql://koi@%s/%s" % (",".join("127.0.0.1:%d" % n.relays["server"].port for n in self.nodes), database)

    def roles(self):
        """Of each node, by what the leader knows: "leader", "sync_standby" or "replica", those alone that follow it."""
        leader = self.primary()
        _, said = leader.ask("/cluster") if leader else (0, {})
        timeline = next((m.get("timeline") for m in said.get("members", []) if m["name"] == leader.name), None)
        return {m["name"]: m["role"] for m in said.get("members", [])
                if m["state"] in ("running", "streaming") and m.get("timeline") == timeline}

    def primary(self, but=None):
        return next((n for n in self.nodes if n is not but and n.ask("/primary")[0] == 200), None)

    def replica(self):
        """The synchronous one."""
        roles = self.roles()
        return next((n for n in self.nodes if roles.get(n.name) == "sync_standby"), None)

    def is_whole(self):
        return sorted(self.roles().values()) == ["leader", "replica", "sync_standby"]

    def wait_whole(self, seconds):
        return until(lambda: self.is_whole() or time.sleep(0.2), seconds)

    def switch_over(self):
        """To the synchronous replica, as an administrator does it."""
        return subprocess.Popen(USER + ["patronictl", "-c", self.nodes[0].config, "switchover", "koikoi", "--candidate",
                                        self.replica().name, "--force"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                cwd=self.folder, text=True, env=dict(os.environ, HOME=self.folder))

    def end(self):
        for node in self.nodes:
            node.kill()
        self.etcd.end()
