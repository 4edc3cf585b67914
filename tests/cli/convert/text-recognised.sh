# SPDX-License-Identifier: MIT
# CRUSH text that crushtool didn't print is recognised by its first words.
for first in "tunable choose_total_tries 50" "device 0 osd.0" "type 0 osd"; do
	printf '# ours\n%s\n' "$first" | "$MAPTOOL" convert - --to crush-json 2>&1 | cut -c1-60
done
