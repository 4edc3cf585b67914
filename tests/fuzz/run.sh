#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SECONDS [TARGET...]: builds the fuzz preset and runs each target, or those named, for so
# long. What it learns stays in build/fuzz/corpus, what breaks a promise in build/fuzz/found.
# FUZZ_SEED=N always tries the same, as far as it gets.
set -eu
cd "$(dirname "$0")/../.."

seconds=$1
shift
sh tools/dev/build.sh fuzz
cd build/fuzz
mkdir -p found
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls ./*.seeds | sed 's|./||; s/\.seeds$//')

status=0
for target; do
	mkdir -p "corpus/$target"
	echo "$target, $seconds seconds"
	tests/fuzz/fuzz_"$target" "corpus/$target" -max_total_time="$seconds" \
		-seed_inputs=@tests/fuzz/"$target".seeds -dict=tests/fuzz/words.dict \
		-artifact_prefix=found/"$target"- -timeout=20 -rss_limit_mb=1024 \
		-max_len=32768 -seed="${FUZZ_SEED:-0}" -print_final_stats=1 \
		>found/"$target".log 2>&1 ||
		{ status=1; grep -v '^#' found/"$target".log | head -60; }
	grep -E '^stat::(number_of_executed_units|average_exec|slowest)' found/"$target".log || :
done
exit $status
