/* SPDX-License-Identifier: MIT */
/* Rendezvous, weights and other schemes that are hashes alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_article_priv.h"

static uint64_t hash_of(const char *name, const char *text)
{
	strew_named_hash hash;

	for (size_t i = 0; strew_study_hash_at(i, &hash) == STREW_OK; i++) {
		if (strcmp(hash.name, name) == 0)
			return hash.hash(text, strlen(text));
	}
	return 0;
}

static size_t common_divisor(size_t a, size_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

/* As many places as both have in common: hashes as they come, so that it's exact. */
static void keep_of_modulo(struct article *article, size_t from, size_t to,
			   const char *printed)
{
	strew_study_options raw = STREW_STUDY_OPTIONS_INIT;
	strew_study *before, *after;
	size_t kept = 0, all = from * to;
	char what[64];

	raw.raw = 1;
	before = analyze_article_study(article, "modulo", from, &raw);
	after = analyze_article_study(article, "modulo", to, &raw);
	for (size_t i = 0; i < all; i++)
		kept += analyze_article_first(before, i) ==
			analyze_article_first(after, i);
	snprintf(what, sizeof(what), "modulo %zu to %zu keeps, %%", from, to);
	analyze_article_exact(article, what, printed, 100.0 * (double)kept / (double)all,
			      100.0 * (double)(from < to ? from : to) *
				      (double)common_divisor(from, to) / (double)all);
	strew_study_free(before);
	strew_study_free(after);
}

void analyze_article_modulo(struct article *article)
{
	strew_study *before = analyze_article_study(article, "modulo", 8, NULL);
	strew_study *after = analyze_article_study(article, "modulo", 7, NULL);
	uint64_t counts[8], least = UINT64_MAX, most = 0, moved = 0;

	for (size_t i = 0; i < ARTICLE_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);

		moved += analyze_article_first(before, key) !=
			 analyze_article_first(after, key);
	}
	analyze_article_figure(article, "keys of 4258 that modulo 8 to 7 moves", "3725",
			       (double)moved,
			       analyze_article_count_band(ARTICLE_KEYS, 7 / 8.0));
	keep_of_modulo(article, 8, 7, "1/8");
	keep_of_modulo(article, 8, 9, "1/9");
	keep_of_modulo(article, 32, 33, "1/33");
	keep_of_modulo(article, 10, 20, "1/2");
	analyze_article_count(article, before, ARTICLE_KEYS, counts, 8);
	for (int i = 0; i < 8; i++) {
		least = counts[i] < least ? counts[i] : least;
		most = counts[i] > most ? counts[i] : most;
	}
	analyze_article_figure(article, "least keys of 8 nodes by modulo", NULL,
			       (double)least,
			       analyze_article_least_band(ARTICLE_KEYS, 1 / 8.0, 8));
	analyze_article_figure(article, "most keys of 8 nodes by modulo", NULL,
			       (double)most,
			       analyze_article_most_band(ARTICLE_KEYS, 1 / 8.0, 8));
	strew_study_free(before);
	strew_study_free(after);
}

void analyze_article_vectors(struct article *article)
{
	static const struct {
		const char *text, *printed;
		double slots[2];
	} slots[] = {{"hello", "4", {4, 23}},
		     {"consistent", "14", {14, 18}},
		     {"marmot", "5", {5, 31}}};
	strew_study *study = analyze_article_study(article, "rendezvous", 8, NULL);
	uint32_t order[8] = {0};
	double digits = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t hash = hash_of("md5-folded", slots[i].text);

		analyze_article_exact(article, "md5 slot modulo 32", slots[i].printed,
				      (double)(hash % 32), slots[i].slots[0]);
		analyze_article_exact(article, "md5 slot modulo 33", NULL,
				      (double)(hash % 33), slots[i].slots[1]);
	}
	if (study)
		strew_study_pick(study, "hello", 5, 8, order);
	for (int i = 0; i < 8; i++)
		digits = 10 * digits + order[i] + 1;
	analyze_article_exact(article, "order of proxies for hello", "54687321", digits,
			      54687321);
	strew_study_free(study);
}

/* As Java's % has it, for the articles' languages. */
static double java_modulo(uint64_t hash, int divisor)
{
	return abs((int32_t)(uint32_t)hash) % divisor;
}

void analyze_article_hashes(struct article *article)
{
	analyze_article_exact(article, "additive(hello) mod 31", "10",
			      java_modulo(hash_of("additive", "hello"), 31), 10);
	analyze_article_exact(article, "additive(consistent) mod 31", "23",
			      java_modulo(hash_of("additive", "consistent"), 31), 23);
	analyze_article_exact(article, "rotating(hello) mod 31", "19",
			      java_modulo(hash_of("rotating", "hello"), 31), 19);
	analyze_article_exact(article, "rotating(marmot) mod 31", "11",
			      java_modulo(hash_of("rotating", "marmot"), 31), 11);
	analyze_article_exact(article, "bernstein(consistent)", "671999690",
			      (double)hash_of("bernstein", "consistent"), 671999690);
	analyze_article_exact(article, "md5(hello), first 32 bits",
			      "5d41402a = 1564557354",
			      (double)(hash_of("md5", "hello") >> 32), 0x5d41402a);
	analyze_article_exact(article, "fnv1a(hello), first 32 bits",
			      "a430d846 = 2754664518",
			      (double)(hash_of("fnv1a", "hello") >> 32), 0xa430d846);
	analyze_article_exact(
		article, "mixed fnv1a(hello), first 32 bits", "16fe05a1 = 385746337",
		(double)(strew_study_mix(hash_of("fnv1a", "hello")) >> 32), 0x16fe05a1);
}

struct extremes {
	uint64_t least;
	uint64_t most;
};

static struct extremes find_extremes(const uint64_t *counts, size_t count)
{
	struct extremes extremes = {UINT64_MAX, 0};

	for (size_t i = 0; i < count; i++) {
		if (counts[i] < extremes.least)
			extremes.least = counts[i];
		if (counts[i] > extremes.most)
			extremes.most = counts[i];
	}
	return extremes;
}

void analyze_article_even(struct article *article)
{
	strew_study *study = analyze_article_study(article, "rendezvous", 8, NULL);
	struct extremes extremes;
	uint64_t counts[8];

	analyze_article_count(article, study, ARTICLE_KEYS, counts, 8);
	extremes = find_extremes(counts, 8);
	analyze_article_figure(article, "least keys of 8 proxies, 4258 keys", "502",
			       (double)extremes.least,
			       analyze_article_least_band(ARTICLE_KEYS, 1 / 8.0, 8));
	analyze_article_figure(article, "most keys of 8 proxies", "593",
			       (double)extremes.most,
			       analyze_article_most_band(ARTICLE_KEYS, 1 / 8.0, 8));
	strew_study_free(study);
}

/* Where the keys of proxy-3 go when it fails. */
void analyze_article_failure(struct article *article)
{
	strew_study *before = analyze_article_study(article, "rendezvous", 8, NULL);
	strew_study *after = analyze_article_without(article, before, 8, 2);
	uint64_t taken[7] = {0}, lost = 0, astray = 0, seconds = 0;
	struct extremes extremes;

	for (size_t i = 0; before && after && i < ARTICLE_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);
		uint32_t order[2] = {0}, is = analyze_article_first(after, key);

		strew_study_pick_hash(before, key, 2, order);
		lost += order[0] == 2;
		if (order[0] == 2) {
			taken[is]++;
			seconds += order[1] == is + (is >= 2);
		} else {
			astray += order[0] != is + (is >= 2);
		}
	}
	extremes = find_extremes(taken, 7);
	analyze_article_exact(article, "keys of other proxies that move", "0",
			      (double)astray, 0);
	analyze_article_figure(article, "keys of proxy-3", "537", (double)lost,
			       analyze_article_count_band(ARTICLE_KEYS, 1 / 8.0));
	analyze_article_figure(article, "least of them that another takes", "67",
			       (double)extremes.least,
			       analyze_article_least_band((double)lost, 1 / 7.0, 7));
	analyze_article_figure(article, "most of them that another takes", "89",
			       (double)extremes.most,
			       analyze_article_most_band((double)lost, 1 / 7.0, 7));
	analyze_article_exact(article, "of them, that were on their second before", NULL,
			      (double)seconds, (double)lost);
	strew_study_free(before);
	strew_study_free(after);
}

void analyze_article_growth(struct article *article)
{
	struct article_growth growth =
		analyze_article_grow(article, "rendezvous", 8, ARTICLE_KEYS);

	analyze_article_figure(article, "keys that a ninth server takes", "1/9",
			       growth.moved,
			       analyze_article_count_band(ARTICLE_KEYS, 1 / 9.0));
	analyze_article_exact(article, "keys that move between the old", "0",
			      growth.astray, 0);
}

/* Copies on two of 8: each other node gets new ones when one leaves. */
void analyze_article_pairs(struct article *article)
{
	strew_study *before = analyze_article_study(article, "rendezvous", 8, NULL);
	strew_study *after = analyze_article_without(article, before, 8, 0);
	uint64_t taken[7] = {0}, lost = 0;
	struct extremes extremes;

	for (size_t i = 0; before && after && i < ARTICLE_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);
		uint32_t was[2] = {0}, is[2] = {0};

		strew_study_pick_hash(before, key, 2, was);
		strew_study_pick_hash(after, key, 2, is);
		lost += was[0] == 0 || was[1] == 0;
		for (int k = 0; k < 2; k++)
			taken[is[k]] += is[k] + 1 != was[0] && is[k] + 1 != was[1];
	}
	extremes = find_extremes(taken, 7);
	analyze_article_figure(article, "keys with a copy on the node that leaves", "2/8",
			       (double)lost,
			       analyze_article_count_band(ARTICLE_KEYS, 1 / 4.0));
	analyze_article_figure(article, "least new copies of another node", "152.1 mean",
			       (double)extremes.least,
			       analyze_article_least_band((double)lost, 1 / 7.0, 7));
	analyze_article_figure(article, "most new copies of another node", NULL,
			       (double)extremes.most,
			       analyze_article_most_band((double)lost, 1 / 7.0, 7));
	strew_study_free(before);
	strew_study_free(after);
}

static const double mixed[8] = {1, 1, 1, 1, 2, 2, 4, 4};

static void weigh(struct article *article, const char *scheme, const char *const texts[3])
{
	strew_study *study = analyze_article_weighted(article, scheme, mixed, 8, NULL);
	uint64_t counts[8];
	struct extremes light, heavy;

	analyze_article_count(article, study, ARTICLE_KEYS, counts, 8);
	light = find_extremes(counts, 4);
	heavy = find_extremes(counts + 6, 2);
	analyze_article_figure(article, texts[0], "5.6 %", (double)light.least,
			       analyze_article_least_band(ARTICLE_KEYS, 1 / 16.0, 4));
	analyze_article_figure(article, texts[1], "6.6 %", (double)light.most,
			       analyze_article_most_band(ARTICLE_KEYS, 1 / 16.0, 4));
	analyze_article_figure(article, texts[2], "25.6 %", (double)heavy.most,
			       analyze_article_most_band(ARTICLE_KEYS, 1 / 4.0, 2));
	strew_study_free(study);
}

void analyze_article_weights(struct article *article)
{
	static const char *const rendezvous[3] = {
		"log method: least keys of weight 1 of 16",
		"log method: most keys of weight 1",
		"log method: most keys of weight 4",
	};
	static const char *const straw2[3] = {
		"straw2: least keys of weight 1 of 16",
		"straw2: most keys of weight 1",
		"straw2: most keys of weight 4",
	};

	weigh(article, "rendezvous-log", rendezvous);
	weigh(article, "straw2", straw2);
}

void analyze_article_naive(struct article *article)
{
	strew_study *study =
		analyze_article_weighted(article, "naive-weights", mixed, 8, NULL);
	double shares[8] = {0};
	uint64_t counts[8];

	if (strew_study_naive_shares(mixed, 8, shares, article->allocator) != STREW_OK)
		article->status = STREW_ENOMEM;
	analyze_article_exact(article, "share of weight 1 of 16, times 512", "1",
			      512 * shares[0], 1);
	analyze_article_exact(article, "share of weight 2, times 512", "31",
			      512 * shares[4], 31);
	analyze_article_exact(article, "share of weight 4, times 512", "223",
			      512 * shares[7], 223);
	analyze_article_count(article, study, ARTICLE_KEYS, counts, 8);
	analyze_article_figure(article, "keys of one of weight 4 (a quarter was meant)",
			       "43 %", (double)counts[7],
			       analyze_article_count_band(ARTICLE_KEYS, 223 / 512.0));
	analyze_article_figure(article, "keys of one of weight 1", "0.1 … 0.3 %",
			       (double)counts[0],
			       analyze_article_count_band(ARTICLE_KEYS, 1 / 512.0));
	strew_study_free(study);
}

void analyze_article_factors(struct article *article)
{
	uint32_t weights[8];
	double factors[8] = {0}, shares[8] = {0}, worst = 0;

	for (int i = 0; i < 8; i++)
		weights[i] = (uint32_t)mixed[i];
	if (strew_study_factors(weights, 8, factors, article->allocator) != STREW_OK ||
	    strew_study_naive_shares(factors, 8, shares, article->allocator) != STREW_OK)
		article->status = STREW_ENOMEM;
	for (int i = 0; i < 8; i++)
		worst = fmax(worst, fabs(shares[i] - mixed[i] / 16));
	analyze_article_exact(article, "load factor of weight 1 of 16", "0.917004",
			      round(factors[0] * 1e6) / 1e6, 0.917004);
	analyze_article_exact(article, "load factor of weight 2", "1.014832",
			      round(factors[4] * 1e6) / 1e6, 1.014832);
	analyze_article_exact(article, "load factor of weight 4", "1.171827",
			      round(factors[7] * 1e6) / 1e6, 1.171827);
	analyze_article_figure(article, "worst share that they give, off by",
			       "1e-12 at most", worst, (struct article_band){0, 1e-12});
}

/* Orders of 8 servers, each as a number. */
static uint64_t order_of(const strew_study *study, uint64_t key)
{
	uint32_t nodes[8] = {0};
	uint64_t order = 0;

	strew_study_pick_hash(study, key, 8, nodes);
	for (int i = 0; i < 8; i++)
		order = order << 3 | nodes[i];
	return order;
}

static int compare_orders(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

#define ORDER_KEYS 10000

static double count_orders(struct article *article, const strew_study *study)
{
	uint64_t *orders = base_alloc(article->allocator, ORDER_KEYS, sizeof(*orders));
	double count = 0;

	if (orders == NULL || study == NULL) {
		article->status = STREW_ENOMEM;
		base_free(article->allocator, orders, ORDER_KEYS * sizeof(*orders));
		return 0;
	}
	for (size_t i = 0; i < ORDER_KEYS; i++)
		orders[i] = order_of(study, analyze_article_key(article, i));
	qsort(orders, ORDER_KEYS, sizeof(*orders), compare_orders);
	for (size_t i = 0; i < ORDER_KEYS; i++)
		count += i == 0 || orders[i] != orders[i - 1];
	base_free(article->allocator, orders, ORDER_KEYS * sizeof(*orders));
	return count;
}

void analyze_article_apart(struct article *article)
{
	strew_study *together = analyze_article_study(article, "rendezvous", 8, NULL);
	strew_study *apart = analyze_article_study(article, "rendezvous-apart", 8, NULL);
	strew_study *after = analyze_article_without(article, apart, 8, 2);
	bool takes[7] = {false};
	double takers = 0;

	/* 40320 orders, of which 10,000 throws hit about 8850. */
	analyze_article_figure(article, "orders of 8 servers, of 10,000 keys",
			       "about 8900", count_orders(article, together),
			       (struct article_band){8700, 9050});
	analyze_article_figure(article, "… when key and server are mixed apart", "32",
			       count_orders(article, apart),
			       (struct article_band){2, 64});
	for (size_t i = 0; apart && after && i < ORDER_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);

		if (analyze_article_first(apart, key) == 2)
			takes[analyze_article_first(after, key)] = true;
	}
	for (int i = 0; i < 7; i++)
		takers += takes[i];
	analyze_article_exact(article, "… others that take all of proxy-3's keys", "1",
			      takers, 1);
	strew_study_free(together);
	strew_study_free(apart);
	strew_study_free(after);
}

/* All who ask agree, in whatever order they have the list. */
void analyze_article_agreement(struct article *article)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study_node nodes[2][8];
	static const char *const names[8] = {"proxy-1", "proxy-2", "proxy-3", "proxy-4",
					     "proxy-5", "proxy-6", "proxy-7", "proxy-8"};
	strew_study *studies[2] = {NULL, NULL};
	double differing = 0;

	options.scheme = "rendezvous";
	options.allocator = article->allocator;
	for (int i = 0; i < 8; i++) {
		nodes[0][i] = (strew_study_node){names[i], 0x10000};
		nodes[1][i] = (strew_study_node){names[7 - i], 0x10000};
	}
	for (int k = 0; k < 2; k++) {
		if (strew_study_new(&studies[k], &options, nodes[k], 8, NULL) != STREW_OK)
			article->status = STREW_ENOMEM;
	}
	for (size_t i = 0; studies[0] && studies[1] && i < ARTICLE_KEYS; i++) {
		uint64_t key = analyze_article_key(article, i);

		differing += analyze_article_first(studies[0], key) !=
			     7 - analyze_article_first(studies[1], key);
	}
	analyze_article_exact(
		article, "keys on which two disagree whose lists are in other orders",
		"0", differing, 0);
	strew_study_free(studies[0]);
	strew_study_free(studies[1]);
}

/* By requests: how much the fullest has, and what copies of the hottest keys make of it.
 */
static double copied_load(const struct article *article, const strew_study *study,
			  size_t hot, size_t copies)
{
	double loads[8] = {0}, total = 0, most = 0;

	for (size_t i = 0; i < article->key_count; i++) {
		uint32_t nodes[8] = {0};
		size_t on = i < hot ? copies : 1;

		strew_study_pick_hash(study, analyze_article_key(article, i), on, nodes);
		for (size_t k = 0; k < on; k++)
			loads[nodes[k]] += (double)article->keys[i].bytes / (double)on;
		total += (double)article->keys[i].bytes;
	}
	for (int i = 0; i < 8; i++)
		most = fmax(most, loads[i]);
	return total > 0 ? 8 * most / total : NAN;
}

/* Is the list sorted, the hottest first? Then the first few are the hot ones. */
static bool has_requests(const struct article *article)
{
	for (size_t i = 0; article->keys && i < article->key_count; i++) {
		if (!article->keys[i].has_bytes ||
		    (i && article->keys[i].bytes > article->keys[i - 1].bytes))
			return false;
	}
	return article->keys && article->key_count > 0;
}

void analyze_article_requests(struct article *article)
{
	strew_study *study = analyze_article_study(article, "rendezvous", 8, NULL);
	bool known = study && has_requests(article);

	analyze_article_figure(article, "requests of the fullest of 8, over the mean",
			       "1.43", known ? copied_load(article, study, 0, 1) : NAN,
			       (struct article_band){1.16, 2.6});
	analyze_article_figure(article, "… when the 6 hottest keys are on all 8", "1.19",
			       known ? copied_load(article, study, 6, 8) : NAN,
			       (struct article_band){1.02, 1.4});
	analyze_article_figure(article, "… when the 100 hottest are", "1.02",
			       known ? copied_load(article, study, 100, 8) : NAN,
			       (struct article_band){1, 1.15});
	strew_study_free(study);
}
