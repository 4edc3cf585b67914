# SPDX-License-Identifier: MIT
# What nohup ignores stays ignored: the run ends by itself.
trap '' HUP
"$MAPTOOL" place maps/small.json --rule 0 --size 3 --inputs 0-499999 -o "$WORK/file" &
sleep 0.1
kill -HUP $!
wait $!
