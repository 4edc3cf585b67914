# SPDX-License-Identifier: MIT
# words.awk FILE.gperf...: their words, as a dictionary for libFuzzer.
FNR == 1 { words = 0 }
words { sub(/,.*/, ""); print "\"" $0 "\"" }
/^%%$/ { words = 1 }
