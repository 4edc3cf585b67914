# SPDX-License-Identifier: MIT
printf "logo\t700\nindex\t200\na\t30\nb\t30\nc\t40\n" |
	"$MAPTOOL" compare --keys - --untimed --scheme rendezvous --hot 1 --copies 4 --nodes 4
