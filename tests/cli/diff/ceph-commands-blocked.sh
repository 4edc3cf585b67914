# SPDX-License-Identifier: MIT
# Nothing but the whole map can bring a new type of bucket; the rest still goes by commands.
sed -e 's/"host", "rack"/"host", "shelf", "rack"/' \
	-e 's/"rack", "name": "r2"/"shelf", "name": "r9"/' \
	-e 's/"size": 3/"size": 2/' maps/small.json >"$WORK/new.json"
cp maps/small.json "$WORK"
cd "$WORK" && "$MAPTOOL" diff small.json new.json --ceph-commands go -o report && cat go
