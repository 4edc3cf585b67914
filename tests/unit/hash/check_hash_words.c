/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "hash.h"
#include "support.h"

static uint32_t hash_of(const uint32_t *words, int count)
{
	switch (count) {
	case 1:
		return hash_1(words[0]);
	case 2:
		return hash_2(words[0], words[1]);
	case 3:
		return hash_3(words[0], words[1], words[2]);
	case 4:
		return hash_4(words[0], words[1], words[2], words[3]);
	default:
		return hash_5(words[0], words[1], words[2], words[3], words[4]);
	}
}

/* Numbers separated by commas. @return how many. */
static int read_words(const char *text, uint32_t words[5])
{
	int count = 0;
	char *end = NULL;

	for (; count < 5 && end != text; count++) {
		words[count] = (uint32_t)strtoul(text, &end, 10);
		if (*end != ',')
			return count + 1;
		text = end + 1;
	}
	return count;
}

START_TEST(words_hash_as_the_reference_hashes)
{
	FILE *file = fopen(support_path("tests/golden/vectors/hash32.tsv"), "r");
	char line[256], inputs[128];
	uint32_t expected, words[5];
	int seen[6] = {0};

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		int count;

		if (sscanf(line, "%127[0-9,]\t%u", inputs, &expected) != 2)
			continue;
		count = read_words(inputs, words);
		seen[count]++;
		if (hash_of(words, count) != expected)
			ck_abort_msg("%s", line);
	}
	fclose(file);
	for (int count = 1; count <= 5; count++)
		ck_assert_int_gt(seen[count], 100);
}
END_TEST

TCase *check_hash_words(void)
{
	TCase *tcase = tcase_create("hash_words");

	tcase_add_test(tcase, words_hash_as_the_reference_hashes);
	return tcase;
}
