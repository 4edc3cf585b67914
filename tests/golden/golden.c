/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"

#define EXIT_SKIPPED 77

struct kind {
	const char *name;
	void (*run)(const char *folder, struct golden_tally *tally);
	int optional; /* is the data not ours, and may be absent? */
};

static const struct kind kinds[] = {
	{"crush", golden_crush, 0},
	{"decompiled", golden_decompiled, 0},
	{"expect", golden_expect, 0},
	{"expect-cases", golden_expect_cases, 1},
	{"invalid", golden_invalid, 0},
	{"osdmap", golden_osdmap, 0},
	{"real", golden_real, 1},
	{"spread", golden_spread, 0},
	{"spread-real", golden_spread_real, 1},
	{"upmaps", golden_upmaps, 0},
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	golden_stop("%s: no such kind of test", name);
}

int main(int argc, char **argv)
{
	struct golden_tally tally = {0};
	const struct kind *kind;

	if (argc != 3)
		golden_stop("usage: %s KIND FOLDER", argv[0]);
	kind = find_kind(argv[1]);
	if (kind->optional && access(argv[2], R_OK) != 0) {
		printf("skipped: %s is not there\n", argv[2]);
		return EXIT_SKIPPED;
	}
	kind->run(argv[2], &tally);
	if (tally.mismatches == 0)
		printf("%zu answers equal\n", tally.compared);
	else
		printf("%zu of %zu answers differ\n", tally.mismatches, tally.compared);
	return tally.compared && tally.mismatches == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
