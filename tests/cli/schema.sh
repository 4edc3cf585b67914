#!/bin/sh
# SPDX-License-Identifier: MIT
# schema.sh MAPTOOL SOURCE: what --report json prints is what doc/formats/strew-result.schema.json
# describes: in these runs, and in all cases of this folder.
set -eu

maptool=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import jsonschema' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || {
	echo "no python3 with jsonschema (apt-get install python3-jsonschema)"
	exit 77
}

# holds FILE...: they are as the schema describes.
holds()
{
	"$python" "$source/tests/support/schema.py" \
		"$source/doc/formats/strew-result.schema.json" "$@"
}

# run NAME ARGUMENT...
run()
{
	name=$1
	shift
	"$maptool" "$@" --report json -o "$work/$name.json"
}

cd "$source/maps"
run pgs place flat.json
run stages place three-hosts.json --pg 1.2f --stages
run raw place three-dc.json --rule 0 --size 5 --inputs 0-9 --stages
run objects place three-dc.json --pool vms --object a --object b
run same diff flat.json flat.json --list
run erasure diff mixed.json mixed+larger.json --pg 1.0 --list
run pools diff three-hosts.json three-hosts-1.json --pool scratch
run list diff flat.json flat.json --new-reweight osd.1 0 --list
run size diff flat.json flat.json --new-size 5
run rule diff mixed.json mixed.json --rule 1 --size 3 --inputs 0-9 --new-size 4 --list
run upmaps diff three-dc.json three-dc+rack.json --backfill-rate 60MB
run named diff three-dc.json three-dc+rack.json --pool vms --object a --object b --list
run healthy check mixed.json
run faulty check ../tests/cli/maps/faults.json || [ $? -eq 3 ]
run twice check ../tests/cases/maps/c11-osd-in-two-places.json || [ $? -eq 1 ]
run tree show mixed.json --shadow
run even spread mixed.json
run uneven spread three-dc.json --rule 0 --size 3 --inputs 0-99
run host where three-hosts.json --item h1
run inputs where mixed.json --rule 1 --size 3 --item osd.1
run names where mixed.json --pool 1 --object a --object b --item default
run replaced trace three-dc.json --rule 1 --size 3 --x 7 --candidates all
run shards trace mixed.json --pg 1.0
run steps trace ../tests/golden/msr/two-level.crush --rule 0 --size 4 --x 5
run nodes trace ../tests/golden/crush/flat-tree.crush --rule 0 --size 3 --x 5
run swaps trace ../tests/golden/crush/flat-uniform.crush --rule 1 --size 3 --x 5
run speed bench tiny three-dc.json --quick --kernel plain
holds "$work"/*.json

cases=$(grep -l '"schema": "strew-result/1"' "$source"/tests/cli/*/*.out)
holds $cases

# breaks NAME EDIT: the run of that name, edited, is one more that should not hold.
mkdir "$work/broken"
count=0
breaks()
{
	count=$((count + 1))
	sed "$2" "$work/$1.json" >"$work/broken/$count.json"
	echo "$count.json $2" >>"$work/edits"
}

breaks stages 's|strew-result/1|strew-result/2|'
breaks stages '/"notes"/d; s/^  \],$/  ]/'
breaks stages 's/"x": \([0-9]*\)/"x": "\1"/'
breaks stages 's/"acting_primary"/"acting_first"/'
breaks stages 's/"devices": \[/"devices": [-1, /'
breaks pools 's/"command": "diff"/"command": "Diff"/'
breaks pools 's/"pgs_changed": [0-9]*, //'
breaks named 's/"what": "added"/"what": "grown"/'
breaks twice 's/"severity": "error"/"severity": "fatal"/'
breaks tree 's/"share_percent"/"share"/'
breaks even 's/"basis": "expected"/"basis": "guess"/'
breaks host 's/"position": \([0-9]*\)/"position": -1/'
breaks speed 's/"mode": "batch"/"mode": "bulk"/'
breaks pools 's/"domains"/"flows"/'
breaks list 's/"pg": /"group": /'

! holds "$work"/broken/*.json >"$work/said" || : >"$work/said"
while read -r name edit; do
	grep -q "/broken/$name: " "$work/said" || {
		echo "the schema allows $edit"
		exit 1
	}
done <"$work/edits"
