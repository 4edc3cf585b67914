/* SPDX-License-Identifier: MIT */
/* Tables, slots, groups and jumps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze_article_priv.h"

/* Keys that stay on other nodes than the third, and those that go to their second. */
void analyze_article_table(struct article *article)
{
	strew_study *before = analyze_article_study(article, "glb", 8, NULL);
	strew_study *after = analyze_article_without(article, before, 8, 2);
	double astray = 0, lost = 0, seconds = 0;

	for (size_t i = 0; before && after && i < ARTICLE_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);
		uint32_t rows[2] = {0}, is = analyze_article_first(after, key);

		strew_study_pick_hash(before, key, 2, rows);
		is += is >= 2;
		lost += rows[0] == 2;
		seconds += rows[0] == 2 && rows[1] == is;
		astray += rows[0] != 2 && rows[0] != is;
	}
	analyze_article_exact(article, "draining: keys of other rows that move", "0",
			      astray, 0);
	analyze_article_exact(article, "… of its own, that go to their secondary", "all",
			      seconds, lost);
	strew_study_free(before);
	strew_study_free(after);
}

#define MANY 4096u

static strew_study *study_of_many(struct article *article)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	size_t room = MANY * (sizeof(strew_study_node) + 8);
	strew_study_node *nodes = base_alloc(article->allocator, room, 1);
	char *names = (char *)(nodes + MANY);
	strew_study *study = NULL;

	if (nodes == NULL) {
		article->status = STREW_ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names + 8 * i, 8, "n%zu", i);
		nodes[i] = (strew_study_node){names + 8 * i, 0x10000};
	}
	options.scheme = "groups";
	options.allocator = article->allocator;
	if (strew_study_new(&study, &options, nodes, MANY, NULL) != STREW_OK)
		article->status = STREW_ENOMEM;
	base_free(article->allocator, nodes, room);
	return study;
}

/* The sum of branch sizes on the way down. How many levels there are is told by the size
 * of the table: five words a node and two, then the weights of each level. */
static double count_hashes(const strew_study *study)
{
	double left = (double)strew_study_bytes(study) / 4 - 5 * MANY - 2, hashes = 0;

	for (size_t level = MANY; left >= (double)level; level = (level + 15) / 16) {
		left -= (double)level;
		if (level == 1)
			break;
		hashes += 16;
	}
	return left == 0 ? hashes : NAN;
}

void analyze_article_groups(struct article *article)
{
	strew_study *many = study_of_many(article);
	strew_study *study =
		analyze_article_study(article, "groups", ARTICLE_NODES, NULL);
	struct article_band band =
		analyze_article_most_band(20000, 1.0 / ARTICLE_NODES, ARTICLE_NODES);
	uint64_t counts[ARTICLE_NODES], most = 0;

	if (many)
		analyze_article_exact(article, "hashes for one of 4096 in groups of 16",
				      "48", count_hashes(many), 48);
	analyze_article_count(article, study, 20000, counts, ARTICLE_NODES);
	for (int i = 0; i < ARTICLE_NODES; i++)
		most = counts[i] > most ? counts[i] : most;
	analyze_article_figure(article, "most keys of 64 nodes in groups: the flat law",
			       "as flat", (double)most, band);
	strew_study_free(many);
	strew_study_free(study);
}

void analyze_article_jump(struct article *article)
{
	struct article_growth growth = analyze_article_grow(article, "jump", 8, 100000);

	analyze_article_figure(article, "keys of 100,000 that move from 8 to 9", "11106",
			       growth.moved, analyze_article_count_band(100000, 1 / 9.0));
	analyze_article_exact(article, "… to another than the new one", "0",
			      growth.astray, 0);
}

void analyze_article_slots(struct article *article)
{
	static const struct {
		const char *key, *printed;
		double slot;
	} slots[] = {
		{"123456789", "0x31c3 = 12739", 0x31c3},
		{"foo", "12182", 12182},
		{"{user1000}.following", "3443", 3443},
		{"{user1000}.followers", "3443", 3443},
		{"foo{}{bar}", "8363", 8363},
		{"foo{{bar}}zap", "4015", 4015},
		{"foo{bar}{zap}", "5061", 5061},
	};
	strew_study *before = analyze_article_study(article, "hash-slots", 8, NULL);
	strew_study *after = analyze_article_with_more(article, before, 8);
	double moved = 0, astray = 0;

	for (size_t i = 0; before && i < sizeof(slots) / sizeof(slots[0]); i++)
		analyze_article_exact(article, slots[i].key, slots[i].printed,
				      (double)(strew_study_hash(before, slots[i].key,
								strlen(slots[i].key)) %
					       16384),
				      slots[i].slot);
	for (uint32_t slot = 0; slot < 16384; slot++) {
		uint32_t was = analyze_article_first(before, slot),
			 is = analyze_article_first(after, slot);

		moved += was != is;
		astray += was != is && is != 8;
	}
	analyze_article_exact(article, "slots that a ninth node gets", "1/9", moved,
			      16384 / 9);
	analyze_article_exact(article, "slots that move between the old", "0", astray, 0);
	strew_study_free(before);
	strew_study_free(after);
}

/* Each partition once: the hash is taken as it comes, and its top says which. */
void analyze_article_partitions(struct article *article)
{
	strew_study_options raw = STREW_STUDY_OPTIONS_INIT;
	strew_study *before, *after;
	double moved = 0, few = 0;

	raw.raw = 1;
	before = analyze_article_study(article, "partitions", 8, &raw);
	after = analyze_article_with_more(article, before, 8);
	for (uint64_t i = 0; before && after && i < 1024; i++) {
		uint64_t key = i << 54;
		uint32_t nodes[3];

		moved += analyze_article_first(before, key) !=
			 analyze_article_first(after, key);
		few += strew_study_pick_hash(before, key, 3, nodes) < 3;
	}
	analyze_article_figure(article, "partitions of 1024 that a ninth node takes",
			       "Q/(N+1) ± 1", moved,
			       (struct article_band){1024 / 9.0 - 1, 1024 / 9.0 + 1});
	analyze_article_exact(article, "partitions on fewer than 3 nodes", "0", few, 0);
	strew_study_free(before);
	strew_study_free(after);
}
