# SPDX-License-Identifier: MIT
"""A real monitor takes the commands that we print, and what we place is what it places.

    check_monitor.py MAPTOOL [SEED [CASES]]

Random edits are made by the monitor itself. Then it gets the old map back and runs what
`maptool diff --ceph-commands` prints for the two dumps: it must come to the edited map, and by
--undo to the old one. Where no fact is said to be missing, every byte that decides a placement
must be the same; where one is, the maps must really differ, or the map is to be set as a whole.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

from monitor import Monitor

DEVICES = 12
HOSTS = 6
RACKS = 3

START = (
    ["osd create"] * DEVICES
    + [f"osd crush add-bucket r{i} rack root=default" for i in range(RACKS)]
    + [f"osd crush add-bucket h{i} host rack=r{i % RACKS}" for i in range(HOSTS)]
    + [f"osd crush add osd.{i} {1 + i / 7:.5f} host=h{i % HOSTS}" for i in range(DEVICES - 2)]
    + ["osd crush set-device-class hdd " + " ".join(f"osd.{i}" for i in range(6)),
       "osd crush set-device-class ssd osd.6 osd.7 osd.8",
       "osd crush rule create-replicated fast default host ssd",
       "osd erasure-code-profile set k2m1 k=2 m=1 crush-failure-domain=rack",
       "osd crush rule create-erasure coded k2m1",
       "osd set-require-min-compat-client luminous",
       "osd pool create rbd 32 32 replicated replicated_rule",
       "osd pool create 'two words' 16 16 replicated fast",
       "osd pool create ec 16 16 erasure k2m1 coded"])

def fail(text):
    print(text)
    sys.exit(1)


class Work:
    def __init__(self, maptool, monitor, folder):
        self.maptool = maptool
        self.monitor = monitor
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def ours(self, *words, allowed=(0,)):
        done = subprocess.run([self.maptool, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode not in allowed:
            fail(f"maptool {' '.join(words)}: {done.returncode}\n{done.stderr.decode()}")
        return done.stdout.decode()

    def save(self, name):
        """What the monitor has: the CRUSH map as JSON and binary, and its OSD map."""
        self.monitor.save(self.path(name + ".bin"), "osd", "getcrushmap")
        self.monitor.save(self.path(name + ".json"), "osd", "crush", "dump", "-f", "json")
        self.monitor.save(self.path(name + ".osd"), "osd", "dump", "-f", "json")

    def load(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


def in_order(things, order):
    return things if order is None else [things[at] for at in order]


def placing(dump):
    """What decides placements, of a dump: no names of devices that aren't there, of tunables not
    what only follows from the others, and not the order of items where nothing depends on it."""
    tunables = {key: value for key, value in dump["tunables"].items()
                if key.startswith(("choose", "straw", "allowed"))}
    rules = [{key: rule[key] for key in ("rule_id", "rule_name", "type", "steps")}
             for rule in dump["rules"]]
    devices = [device for device in dump["devices"] if device["name"].startswith("osd.")]
    orders = {bucket["id"]: sorted(range(len(bucket["items"])),
                                   key=lambda at, bucket=bucket: bucket["items"][at]["id"])
              for bucket in dump["buckets"] if bucket["alg"] == "straw2"}
    buckets = [{**bucket, "items": [(item["id"], item["weight"]) for item in
                                    in_order(bucket["items"], orders.get(bucket["id"]))]}
               for bucket in dump["buckets"]]
    sets = {name: [{**bucket, "weight_set": [in_order(row, orders.get(bucket["bucket_id"]))
                                             for row in bucket.get("weight_set", [])]}
                   for bucket in buckets_of_set]
            for name, buckets_of_set in dump["choose_args"].items()}
    return {**dump, "tunables": tunables, "rules": rules, "devices": devices,
            "buckets": buckets, "choose_args": sets}


def differences(wanted, got):
    return [f"{key}:\n  wanted {json.dumps(wanted[key])}\n  got    {json.dumps(got[key])}"
            for key in wanted if wanted[key] != got[key]]


def random_edits(draw, dump):
    """Commands; some of them can't be run, and then do nothing."""
    real = [bucket for bucket in dump["buckets"] if "~" not in bucket["name"]]
    hosts = [bucket["name"] for bucket in real if bucket["type_name"] == "host"]
    racks = [bucket["name"] for bucket in real if bucket["type_name"] == "rack"]
    edits = []
    for _ in range(draw.randint(1, 5)):
        host, rack, device = draw.choice(hosts), draw.choice(racks), draw.randrange(DEVICES)
        weight, new = f"{draw.uniform(0, 9):.5f}", f"n{draw.randrange(100000)}"
        edits += draw.choice([
            [f"osd crush add-bucket {new} host rack={rack}"],
            [f"osd crush add-bucket {new} rack root=default", f"osd crush move {host} rack={new}"],
            [f"osd crush move {host} rack={rack}"],
            [f"osd crush rename-bucket {host} {new}"],
            [f"osd crush rm {host}"],
            [f"osd crush link {host} rack={rack}"],
            [f"osd crush reweight osd.{device} {weight}"],
            [f"osd crush move osd.{device} host={host}"],
            [f"osd crush rm osd.{device}", f"osd crush add osd.{device} {weight} host={host}"],
            [f"osd crush set osd.{device} {weight} host={host}"],
            [f"osd crush rm osd.{device}"],
            [f"osd crush rm-device-class osd.{device}",
             f"osd crush set-device-class {draw.choice(['hdd', 'ssd', 'nvme'])} osd.{device}"],
            ["osd crush weight-set create-compat",
             f"osd crush weight-set reweight-compat osd.{device} {weight}"],
            ["osd crush weight-set create rbd flat",
             f"osd crush weight-set reweight rbd osd.{device} {weight}"],
            ["osd crush weight-set rm rbd"],
            [f"osd crush rule create-replicated {new} default {draw.choice(['host', 'osd'])} hdd"],
            [f"osd crush rule create-simple {new} {rack} host indep"],
            [f"osd crush tunables {draw.choice(['bobtail', 'hammer', 'jewel'])}"],
        ])
    return edits


def lines_of(path):
    """The commands of a file without the word "ceph", and whether a fact is missing."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return ([line[5:] for line in lines if line.startswith("ceph ")],
            [line for line in lines if line.startswith("#   - ")])


def check_way(work, start, end, commands):
    """From one saved map to the other. @return whether it is the other, exactly."""
    lines, lost = lines_of(work.path(commands))
    if lost and any(line.startswith("osd setcrushmap") for line in lines):
        return False
    work.monitor.call("osd", "setcrushmap", "-i", work.path(start + ".bin"))
    errors = work.monitor.run(lines)
    got = placing(work.monitor.dump("osd", "crush", "dump"))
    wrong = differences(placing(work.load(end + ".json")), got)
    if errors or bool(wrong) != bool(lost):
        fail("\n".join([f"from {start} to {end}:", *lines, *lost, *errors, *wrong]))
    return not wrong


def check_commands(work, draw, cases):
    exact = 0
    for case in range(cases):
        work.save("old")
        edits = random_edits(draw, work.load("old.json"))
        work.monitor.run(edits)
        work.save("new")
        work.ours("diff", work.path("old.json"), work.path("new.json"),
                  "--join-old", work.path("old.osd"), "--join-new", work.path("new.osd"),
                  "--ceph-commands", work.path("go"), "--undo", work.path("back"))
        print(f"case {case}: {'; '.join(edits)}", flush=True)
        exact += check_way(work, "old", "new", "go")
        exact += check_way(work, "new", "old", "back")
        work.monitor.call("osd", "setcrushmap", "-i", work.path("new.bin"))
    print(f"{exact} of {2 * cases} ways came to the map exactly")
    if exact < cases:
        fail("too few to tell")


def sibling(devices):
    """The same hosts, other devices."""
    return [device - HOSTS if device >= HOSTS else device + HOSTS if device + HOSTS < DEVICES - 2
            else device for device in devices]


def words(devices):
    return " ".join(map(str, devices))


def pairs(devices):
    return words(device for pair in zip(devices, sibling(devices)) if pair[0] != pair[1]
                 for device in pair)


def check_cluster_commands(work):
    """Pools, upmaps, devices: the osd dump is the same."""
    complaints = work.monitor.run(["osd pg-upmap 1.4 " + words(sibling(work.raw["1.4"]))])
    work.save("old")
    complaints += work.monitor.run([
        *[f"osd pg-upmap-items {pg} {pairs(work.raw[pg])}" for pg in ("1.3", "1.7", "1.1f", "3.2")],
        "osd rm-pg-upmap 1.4", "osd pg-upmap 1.9 " + words(sibling(work.raw["1.9"])),
        "osd out osd.3", "osd primary-affinity osd.2 0.3",
        "osd pool rename ec 'ec 2'", "osd pool create more 8 8 replicated fast",
        "osd pool set more size 2"])
    if complaints:
        fail("\n".join(complaints))
    work.save("new")
    work.ours("diff", work.path("old.json"), work.path("new.json"),
              "--join-old", work.path("old.osd"), "--join-new", work.path("new.osd"),
              "--ceph-commands", work.path("go"), "--undo", work.path("back"))
    print("cluster:", *lines_of(work.path("go"))[0], sep="\n  ")
    # Ceph 16's monitor dies of `osd in` where no OSD has ever run.
    complaints = work.monitor.run([line for line in lines_of(work.path("back"))[0]
                                   if not line.startswith("osd in ")])
    back = work.monitor.dump("osd", "dump")
    complaints += work.monitor.run(lines_of(work.path("go"))[0])
    forth = work.monitor.dump("osd", "dump")
    if complaints:
        fail("\n".join(complaints))
    for wanted, got in ((work.load("old.osd"), back), (work.load("new.osd"), forth)):
        for key in ("osds", "pg_upmap", "pg_upmap_items"):
            if strip(wanted[key]) != strip(got[key]):
                fail(f"{key}: wanted {wanted[key]}\ngot {got[key]}")
        for pool, same in zip(wanted["pools"], got["pools"]):
            for key in ("pool_name", "size", "pg_num", "crush_rule"):
                if pool[key] != same[key]:
                    fail(f"pool {pool['pool_name']}: {key}: {pool[key]}, got {same[key]}")


def strip(things):
    return [{key: thing[key] for key in thing
             if key in ("osd", "primary_affinity", "pgid", "osds", "mappings")}
            for thing in things]


def check_placements(work, title):
    """Every PG, with all OSDs up and in."""
    work.save("now")
    osd_map = work.monitor.save(work.path("osdmap"), "osd", "getmap")
    dump = work.load("now.osd")
    for osd in dump["osds"]:
        osd.update({"up": 1, "in": 1, "weight": 1, "state": ["exists", "up"]})
    with open(work.path("up.osd"), "w", encoding="utf-8") as file:
        json.dump(dump, file)
    theirs = subprocess.run(["osdmaptool", osd_map, "--mark-up-in", "--test-map-pgs-dump-all"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    ours = work.ours("place", work.path("now.json"), "--join", work.path("up.osd"),
                     "--layout", "osdmaptool")
    row = re.compile(r"^\d+\.[0-9a-f]+\s.*$", re.M)
    theirs = [line.split() for line in row.findall(theirs.stdout.decode())]
    ours = [line.split() for line in row.findall(ours)]
    if theirs != ours or not ours:
        fail(f"{title}: {len(ours)} placements, the first that differ: "
             f"{next((pair for pair in zip(theirs, ours) if pair[0] != pair[1]), None)}")
    work.raw = {line[0]: json.loads(line[2][1:].split("],")[0] + "]") for line in ours}
    print(f"{title}: {len(ours)} PGs lie where osdmaptool says")


def check_whole(work):
    """The report and the binary OSD map hold all; they place what the dumps place."""
    work.save("now")
    report = work.monitor.save(work.path("report"), "report")
    osd_map = work.monitor.save(work.path("osdmap"), "osd", "getmap")
    joined = work.ours("place", work.path("now.json"), "--join", work.path("now.osd"),
                       "--layout", "osdmaptool")
    for name, path in (("report", report), ("OSD map", osd_map)):
        if work.ours("place", path, "--layout", "osdmaptool") != joined:
            fail(f"the {name} places otherwise than the dumps of the same cluster")
        print(f"the {name} loads by itself")


EDITS = ["add host:h8 to rack:r1", "add device 10 to host:h8 weight 3.5", "move osd.1 to h8",
         "reweight osd.4 2.25", "set class osd.9 hdd", "move host:h3 to rack:r2"]


def check_edit(work):
    """After the commands of `maptool edit` the monitor has the map that edit wrote."""
    work.save("old")
    operations = [word for edit in EDITS for word in ("-e", edit)]
    work.ours("edit", work.path("old.json"), "--to", "crush-json", "-o", work.path("new.json"),
              "--ceph-commands", work.path("go"), "--undo", work.path("back"), *operations)
    for name, wanted in (("go", "new.json"), ("back", "old.json")):
        lines, lost = lines_of(work.path(name))
        errors = work.monitor.run(lines)
        wrong = differences(placing(work.load(wanted)),
                            placing(work.monitor.dump("osd", "crush", "dump")))
        if lost or errors or wrong:
            fail("\n".join(["edit:", *lines, *lost, *errors, *wrong]))
    print("edit: there and back")


def check_binary(work):
    """The monitor's map comes back from us as it was, and the monitor takes ours."""
    work.save("now")
    work.ours("convert", work.path("now.bin"), "--to", "crush-bin", "-o", work.path("ours.bin"))
    with open(work.path("now.bin"), "rb") as now, open(work.path("ours.bin"), "rb") as ours:
        if now.read() != ours.read():
            fail("the monitor's binary map isn't the same after we have read and written it")
    work.ours("convert", work.path("now.json"), "--to", "crush-bin", "--lossy",
              "-o", work.path("ours.bin"))
    work.monitor.call("osd", "setcrushmap", "-i", work.path("ours.bin"))
    wrong = differences(placing(work.load("now.json")),
                        placing(work.monitor.dump("osd", "crush", "dump")))
    if wrong:
        fail("\n".join(["our binary map:", *wrong]))
    print("our binary map is accepted")


def weights_in_parents(dump):
    """By parent and bucket, both by name; the lowest first."""
    names = {bucket["id"]: bucket["name"] for bucket in dump["buckets"]}
    return {(bucket["name"], names[item["id"]]): item["weight"]
            for bucket in sorted(dump["buckets"], key=lambda bucket: bucket["type_id"])
            for item in bucket["items"] if item["id"] < 0}


def check_frozen_parents(work):
    """What diff advises where parents grow moves as much as it says, once it is done."""
    start = work.monitor.save(work.path("start.bin"), "osd", "getcrushmap")
    complaints = work.monitor.run(["osd crush rule create-replicated slow default host hdd",
                                   "osd pool create big 512 512 replicated slow"])
    work.save("old")
    complaints += work.monitor.run([f"osd crush {word} osd.{osd}{rest}" for osd in (10, 11)
                                    for word, rest in (("set-device-class hdd", ""),
                                                       ("add", " 1.5 host=h1"))])
    work.save("new")
    up = work.load("new.osd")
    for osd in up["osds"]:
        osd.update({"up": 1, "in": 1, "weight": 1, "state": ["exists", "up"]})
    with open(work.path("up.osd"), "w", encoding="utf-8") as file:
        json.dump(up, file)
    both = ["--join", work.path("up.osd"), "--pool", "big", "--report", "json"]
    told = json.loads(work.ours("diff", work.path("old.json"), work.path("new.json"), *both))
    cure = next(row for row in told["cures"] if row["cure"] == "freeze-parents")
    old = weights_in_parents(work.load("old.json"))
    complaints += work.monitor.run(
        ["osd crush weight-set create-compat",
         *[f"osd crush weight-set reweight-compat {place[1]} {old[place] / 65536}"
           for place, weight in weights_in_parents(work.load("new.json")).items()
           if place in old and old[place] != weight]])
    work.save("held")
    held = json.loads(work.ours("diff", work.path("old.json"), work.path("held.json"), *both))
    complaints += work.monitor.run(["osd pool delete big big --yes-i-really-really-mean-it"])
    work.monitor.call("osd", "setcrushmap", "-i", start)
    if complaints or cure["shards_moved"] != held["summary"]["shards_moved"]:
        fail("\n".join([*complaints, f"frozen parents: {cure}, got {held['summary']}"]))
    print(f"frozen parents: {cure['shards_moved']} shards move, as diff says")


def main():
    maptool = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    cases = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    with tempfile.TemporaryDirectory() as folder, Monitor(folder) as monitor:
        work = Work(maptool, monitor, folder)
        complaints = monitor.run(START)
        if complaints:
            fail("\n".join(complaints))
        check_placements(work, "plain")
        check_cluster_commands(work)
        check_placements(work, "with upmaps")
        check_whole(work)
        check_edit(work)
        check_binary(work)
        check_frozen_parents(work)
        check_commands(work, random.Random(seed), cases)
        check_binary(work)
        check_placements(work, "after all edits")


main()
