# SPDX-License-Identifier: MIT
# Each fact that the text can't hold is named.
cat >"$WORK/map.json" <<'END'
{ "format": "strew-map/1", "name": "lab", "types": ["osd", "host", {"id": 7, "name": "two words"}],
  "tunables": {"profile": "jewel", "straw_calc_version": 0, "choose_total_tries": 4294967295},
  "classes": ["hdd", "ssd"],
  "tree": [{"type": "host", "name": "h", "id": -1, "stored_weight": 9, "children": [
      {"device": 0, "class": "ssd", "weight": 0.0001},
      {"device": 1, "class": "hdd", "weight": 101, "reweight": 0.5},
      {"device": 2, "weight": 1}]}],
  "rules": [{"name": "r", "id": 300, "type": "replicated", "steps": ["take h", "noop", "emit"]}],
  "weight_sets": [{"id": 1, "name": "w",
      "buckets": [{"bucket": "h", "weights": [[0.0001, 2, 3]]}]}] }
END
"$MAPTOOL" convert "$WORK/map.json" --to crush-text 2>&1 | sed "s,$WORK/,,"
