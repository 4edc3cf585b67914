# SPDX-License-Identifier: MIT
# What no command says is warned of, and in the file.
sed -e 's/"h1",/"h1", "alg": "list",/' -e 's/firstn 0 type rack/firstn 2 type rack/' \
	maps/one-pool.json >"$WORK/new.json"
cp maps/small.json "$WORK"
cd "$WORK" && "$MAPTOOL" diff small.json new.json --ceph-commands go -o report && cat go
