# SPDX-License-Identifier: MIT
# What is asked for; then what a joined file tells.
ratios() {
	"$MAPTOOL" spread "$@" --report json | grep -o '"[a-z]*_ratio": [0-9.]*'
}
ratios ../../maps/flat.json --full-ratio 1 --backfillfull-ratio 0.8
sed 's/"full_ratio":[0-9.]*/"full_ratio":0.9700000286102295/' \
	maps/cluster.osd-dump.json >"$WORK/dump.json"
ratios maps/cluster.crush.json --join "$WORK/dump.json"
