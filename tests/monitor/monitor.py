# SPDX-License-Identifier: MIT
"""A throw-away Ceph monitor on loopback. No OSD runs, so all of them are down."""

import json
import os
import socket
import subprocess
import time
import uuid

CONF = """[global]
fsid = {fsid}
mon initial members = a
mon host = {addresses}
auth cluster required = none
auth service required = none
auth client required = none
mon allow pool delete = true
mon allow pool size one = true
mon data avail crit = 1
mon data avail warn = 2
mon max pg per osd = 100000
mon osd crush smoke test = false
osd pool default pg autoscale mode = off
paxos propose interval = 0.01
paxos min wait = 0.005
run dir = {folder}
admin socket = {folder}/$name.asok
log file = {folder}/$name.log
[mon.a]
mon data = {folder}/data
public addr = 127.0.0.1
"""


def free_ports():
    """Two that nobody listens on, one after the other."""
    first = int(os.environ.get("CEPH_MON_PORT", "17300"))
    for port in range(first, first + 1000, 2):
        try:
            for one in (port, port + 1):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", one))
            return port, port + 1
        except OSError:
            continue
    raise SystemExit("no free port for a monitor")


class Monitor:
    def __init__(self, folder):
        self.folder = folder
        self.conf = os.path.join(folder, "ceph.conf")
        self.process = None

    def __enter__(self):
        fsid = str(uuid.uuid4())
        v1, v2 = free_ports()
        addresses = f"[v2:127.0.0.1:{v2},v1:127.0.0.1:{v1}]"
        monmap = os.path.join(self.folder, "monmap")
        with open(self.conf, "w", encoding="utf-8") as conf:
            conf.write(CONF.format(fsid=fsid, addresses=addresses, folder=self.folder))
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["monmaptool", "--create", "--clobber", "--addv", "a", addresses,
                        "--fsid", fsid, monmap], **quiet)
        subprocess.run(["ceph-mon", "-c", self.conf, "--mkfs", "-i", "a", "--monmap", monmap],
                       **quiet)
        with open(os.path.join(self.folder, "mon.out"), "wb") as out:
            self.process = subprocess.Popen(["ceph-mon", "-c", self.conf, "-i", "a", "-f"],
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        for _ in range(50):
            if self.call("osd", "dump", check=False) is not None:
                return self
            time.sleep(0.1)
        self.__exit__()
        raise SystemExit("the monitor did not answer")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ceph(self, *words, **options):
        return subprocess.run(["ceph", "-c", self.conf, "--connect-timeout", "10", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30,
                              **options)

    def call(self, *words, check=True):
        """One command; its bytes."""
        done = self.ceph(*words, stdin=subprocess.DEVNULL)
        if done.returncode == 0:
            return done.stdout
        if check:
            raise SystemExit(f"ceph {' '.join(words)}: {done.stderr.decode()}")
        return None

    def dump(self, *words):
        return json.loads(self.call(*words, "-f", "json"))

    def save(self, path, *words):
        with open(path, "wb") as file:
            file.write(self.call(*words))
        return path

    def run(self, lines):
        """Commands in one session, without the word "ceph"; what it complains of."""
        done = self.ceph(input="".join(line + "\n" for line in lines).encode())
        said = (done.stdout + done.stderr).decode()
        if self.process.poll() is not None:
            raise SystemExit("the monitor has ended")
        return [line for line in said.splitlines() if line.startswith(("Error", "Invalid"))]
