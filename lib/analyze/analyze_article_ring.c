/* SPDX-License-Identifier: MIT */
/* Rings: their arcs, labels and replicas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_article_priv.h"
#include "analyze_compare_priv.h"
#include "base_compare.h"

/* A ring of our own, to measure its arcs without a list of keys. */
struct label {
	uint64_t at;
	uint32_t node;
};

struct circle {
	struct label *labels;
	size_t count;
	size_t room;
	const strew_allocator *allocator;
};

static int compare_labels(const void *left, const void *right)
{
	const struct label *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* Labels NAME-1#0 … : the articles' own, as far as their figures tell. */
static bool make_circle(struct circle *circle, struct article *article, const char *name,
			size_t nodes, size_t labels)
{
	strew_named_hash fnv1a;
	char text[64];

	*circle = (struct circle){
		.room = nodes * labels,
		.allocator = article->allocator,
	};
	circle->labels =
		base_alloc(circle->allocator, circle->room, sizeof(*circle->labels));
	if (circle->labels == NULL || strew_study_hash_at(0, &fnv1a) != STREW_OK) {
		article->status = STREW_ENOMEM;
		return false;
	}
	for (size_t node = 0; node < nodes; node++) {
		for (size_t i = 0; i < labels; i++) {
			int length = snprintf(text, sizeof(text), "%s%zu#%zu", name,
					      node + 1, i);

			circle->labels[circle->count++] = (struct label){
				strew_study_mix(fnv1a.hash(text, (size_t)length)),
				(uint32_t)node};
		}
	}
	qsort(circle->labels, circle->count, sizeof(*circle->labels), compare_labels);
	return true;
}

static void free_circle(struct circle *circle)
{
	base_free(circle->allocator, circle->labels,
		  circle->room * sizeof(*circle->labels));
}

/* The part of the circle that ends at a label. */
static double arc_of(const struct circle *circle, size_t index)
{
	size_t before = index ? index - 1 : circle->count - 1;
	uint64_t arc = circle->labels[index].at - circle->labels[before].at;

	return (double)arc * 0x1p-64;
}

static void add_arcs(const struct circle *circle, double *shares, size_t nodes)
{
	memset(shares, 0, nodes * sizeof(*shares));
	for (size_t i = 0; i < circle->count; i++)
		shares[circle->labels[i].node] += arc_of(circle, i);
}

/* The node that takes an arc when another goes. */
static uint32_t heir_of(const struct circle *circle, size_t index, uint32_t gone)
{
	while (circle->labels[index].node == gone)
		index = (index + 1) % circle->count;
	return circle->labels[index].node;
}

/* A number of keys that an article counted: within 3.3 deviations of what arcs expect. */
static struct article_band around(double printed)
{
	double room = 3.3 * sqrt(printed * (1 - printed / ARTICLE_KEYS));

	return (struct article_band){printed - room, printed + room};
}

void analyze_article_arcs(struct article *article)
{
	struct circle circle;
	double shares[8], third, takers = 0;
	bool takes[8] = {false};

	if (!make_circle(&circle, article, "proxy-", 8, 1))
		return;
	add_arcs(&circle, shares, 8);
	third = shares[2];
	qsort(shares, 8, sizeof(shares[0]), base_compare_doubles);
	analyze_article_figure(article, "one label: keys of the shortest arc, expected",
			       "25", shares[0] * ARTICLE_KEYS, around(25));
	analyze_article_figure(article, "keys of the longest arc, expected", "1505",
			       shares[7] * ARTICLE_KEYS, around(1505));
	analyze_article_figure(article, "keys of proxy-3, expected", "439",
			       third * ARTICLE_KEYS, around(439));
	for (size_t i = 0; i < circle.count; i++) {
		if (circle.labels[i].node == 2)
			takes[heir_of(&circle, i, 2)] = true;
	}
	for (int i = 0; i < 8; i++)
		takers += takes[i];
	analyze_article_exact(article, "others that take them when it fails", "1", takers,
			      1);
	free_circle(&circle);
}

void analyze_article_hundred_arcs(struct article *article)
{
	struct circle circle;
	double taken[8] = {0};

	if (!make_circle(&circle, article, "proxy-", 8, 100))
		return;
	for (size_t i = 0; i < circle.count; i++) {
		if (circle.labels[i].node == 2)
			taken[heir_of(&circle, i, 2)] += arc_of(&circle, i);
	}
	taken[2] = taken[0];
	qsort(taken, 8, sizeof(taken[0]), base_compare_doubles);
	analyze_article_figure(article, "100 labels: least keys that another takes", "28",
			       taken[0] * ARTICLE_KEYS, around(28));
	analyze_article_figure(article, "most keys that another takes", "126",
			       taken[7] * ARTICLE_KEYS, around(126));
	free_circle(&circle);
}

#define RINGS 2000

/* The deviation of a node's degrees, over many rings of 20 nodes. */
static double spread_degrees(struct article *article, size_t labels)
{
	double shares[20], sum = 0;

	for (int ring = 0; ring < RINGS; ring++) {
		struct circle circle;
		char name[32];

		snprintf(name, sizeof(name), "ring-%d/node-", ring);
		if (!make_circle(&circle, article, name, 20, labels)) {
			free_circle(&circle);
			return 0;
		}
		add_arcs(&circle, shares, 20);
		for (int i = 0; i < 20; i++)
			sum += (360 * shares[i] - 18) * (360 * shares[i] - 18);
		free_circle(&circle);
	}
	return sqrt(sum / (20.0 * RINGS));
}

/* sqrt((1/N) (1 - 1/N) / (N V + 1)) of the circle; 40,000 draws tell it to a percent. */
static struct article_band deviation_band(double nodes, double labels)
{
	double deviation = 360 * sqrt(1 / nodes * (1 - 1 / nodes) / (nodes * labels + 1));

	return (struct article_band){deviation * 0.97, deviation * 1.03};
}

void analyze_article_spacings(struct article *article)
{
	analyze_article_figure(article, "degrees that 20 nodes deviate, mean 18", "17",
			       spread_degrees(article, 1), deviation_band(20, 1));
	analyze_article_figure(article, "… with 10 labels each", "5.5",
			       spread_degrees(article, 10), deviation_band(20, 10));
}

/* How much a share deviates, in percent of it, by labels: among many nodes. */
void analyze_article_labels(struct article *article)
{
	static const size_t labels[] = {64, 100, 256, 500};
	static const char *const printed[] = {"12.5", "10", "6.25", "4.5"};
	double shares[ARTICLE_NODES], right;

	for (int i = 0; i < 4; i++) {
		struct circle circle;
		double sum = 0;
		char what[64];

		if (!make_circle(&circle, article, "node-", ARTICLE_NODES, labels[i]))
			return;
		add_arcs(&circle, shares, ARTICLE_NODES);
		for (int k = 0; k < ARTICLE_NODES; k++)
			sum += pow(shares[k] * ARTICLE_NODES - 1, 2);
		right = 100 / sqrt((double)labels[i]);
		snprintf(what, sizeof(what), "%% that a share of %zu labels deviates",
			 labels[i]);
		/* 64 of them tell it to a third, in 998 of 1000 cases. */
		analyze_article_figure(article, what, printed[i],
				       100 * sqrt(sum / ARTICLE_NODES),
				       (struct article_band){right * 0.68, right * 1.32});
		free_circle(&circle);
	}
}

void analyze_article_weighted_labels(struct article *article)
{
	static const double weights[3] = {10, 5, 2};
	strew_study *study = analyze_article_weighted(article, "ring", weights, 3, NULL);
	uint64_t counts[3];

	/* Three words a label, four a node, and two counts. */
	analyze_article_exact(
		article, "labels of weights 10, 5, 2", "1700",
		study ? (double)(strew_study_bytes(study) / 4 - 2 - 12) / 3 : 0, 1700);
	analyze_article_count(article, study, 100000, counts, 3);
	analyze_article_figure(article, "% of the first: 58.82, give or take 1.19",
			       "58.82", (double)counts[0] / 1000,
			       (struct article_band){58.82 - 4.1, 58.82 + 4.1});
	analyze_article_figure(article, "% of the second", "29.41",
			       (double)counts[1] / 1000,
			       (struct article_band){29.41 - 4, 29.41 + 4});
	strew_study_free(study);
}

static double percent_short(struct article *article, const char *scheme, size_t nodes)
{
	strew_study *study = analyze_article_study(article, scheme, nodes, NULL);
	size_t few = 0;

	for (size_t i = 0; study && i < 20000; i++) {
		uint32_t out[3];

		few += strew_study_pick_hash(study, analyze_article_key(article, i), 3,
					     out) < 3;
	}
	strew_study_free(study);
	return (double)few / 200;
}

void analyze_article_short(struct article *article)
{
	static const size_t nodes[] = {5, 8, 20};
	static const char *const printed[] = {"52", "34", "14.5"};

	for (int i = 0; i < 3; i++) {
		double n = (double)nodes[i];
		/* That three labels in a row are of three nodes. */
		double right = 100 * (1 - (1 - 1 / n) * (1 - 2 / n));
		char what[64];

		snprintf(what, sizeof(what), "%% of keys short, 3 steps, %zu nodes",
			 nodes[i]);
		analyze_article_figure(article, what, printed[i],
				       percent_short(article, "ring-short", nodes[i]),
				       (struct article_band){right - 5, right + 5});
		analyze_article_exact(article, "… when the walk goes on until 3 differ",
				      "0", percent_short(article, "ring", nodes[i]), 0);
	}
}

static double moved_keys(struct article *article, const strew_study *before,
			 const strew_study *after)
{
	double moved = 0;

	for (size_t i = 0; before && after && i < 20000; i++) {
		uint64_t key = analyze_article_key(article, i);

		moved += analyze_article_first(before, key) !=
			 analyze_article_first(after, key);
	}
	return moved;
}

void analyze_article_ring_moves(struct article *article)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study *before, *after;

	options.labels = 500;
	before = analyze_article_study(article, "ring", 10, &options);
	after = analyze_article_with_more(article, before, 10);
	analyze_article_figure(
		article, "% of keys that an 11th node of a ring takes", "1/N",
		moved_keys(article, before, after) / 200,
		(struct article_band){100 / 11.0 * 0.85, 100 / 11.0 * 1.15});
	strew_study_free(before);
	strew_study_free(after);
}

/* The root mean square of what nodes' keys are off, in deviations that an ideal ring with
 * so many labels would have. */
static double deviation(struct article *article, size_t labels, bool raw)
{
	static const char *const names[5] = {"10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80",
					     "10.0.0.4:80", "10.0.0.5:80"};
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study_node nodes[5];
	strew_study *study = NULL;
	uint64_t counts[5];
	double sum = 0, ideal;

	for (int i = 0; i < 5; i++)
		nodes[i] = (strew_study_node){names[i], 0x10000};
	options.scheme = "ring";
	options.labels = (uint32_t)labels;
	options.first_label = 1;
	options.raw = raw;
	options.allocator = article->allocator;
	if (strew_study_new(&study, &options, nodes, 5, NULL) != STREW_OK)
		article->status = STREW_ENOMEM;
	analyze_article_count(article, study, 10000, counts, 5);
	for (int i = 0; i < 5; i++)
		sum += ((double)counts[i] - 2000) * ((double)counts[i] - 2000);
	ideal = 10000 * sqrt(0.16 / (5 * (double)labels + 1) + 0.16 / 10000);
	strew_study_free(study);
	return sqrt(sum / 5) / ideal;
}

void analyze_article_deviation(struct article *article)
{
	static const size_t labels[] = {1, 10, 100, 512, 1024, 2048, 4096};
	static const char *const printed[] = {"0.9", "2.6", "4.7", "1.0",
					      "4.6", "1.7", "2.1"};

	for (int i = 0; i < 7; i++) {
		char what[64];

		snprintf(what, sizeof(what), "5 nodes, %zu labels: off, in ideal ones",
			 labels[i]);
		analyze_article_figure(article, what, printed[i],
				       deviation(article, labels[i], false),
				       (struct article_band){0, 2});
	}
	analyze_article_figure(article, "100 labels of unmixed FNV-1a: off", "4.7",
			       deviation(article, 100, true),
			       (struct article_band){2, 50});
}

/* A hundred nodes join and leave a ring: what moves, over the least. */
void analyze_article_churn(struct article *article)
{
	strew_compare_options options = STREW_COMPARE_OPTIONS_INIT;
	strew_compare_event event = {STREW_COMPARE_CHURN, NULL, 100};
	strew_study_options scheme = STREW_STUDY_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_study_node nodes[8];
	static const char *const names[8] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	strew_result *result = NULL;
	const strew_table *table;

	for (int i = 0; i < 8; i++)
		nodes[i] = (strew_study_node){names[i], 0x10000};
	scheme.scheme = "rendezvous";
	options.schemes = &scheme;
	options.scheme_count = 1;
	options.nodes = nodes;
	options.node_count = 8;
	options.key_count = 5000;
	options.events = &event;
	options.event_count = 1;
	run.allocator = article->allocator;
	if (strew_compare(&result, &options, &run, NULL) != STREW_OK) {
		article->status = STREW_ENOMEM;
		return;
	}
	table = strew_result_table(result, "events");
	analyze_article_exact(article, "100 joins and leaves: keys moved between others",
			      "0", (double)strew_table_cell(table, 0, 5).integer, 0);
	analyze_article_figure(article, "… keys moved, over the least", "1",
			       (double)strew_table_cell(table, 0, 2).integer /
				       strew_table_cell(table, 0, 4).real,
			       (struct article_band){0.97, 1.03});
	strew_result_free(result);
}

/* Nodes and keys that are numbers on a circle of 1024: what a key at a place belongs to.
 */
static double owner(struct article *article, const char *const *texts, size_t count,
		    const char *key)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_study_node nodes[8];
	strew_study *study = NULL;
	uint32_t node = 0;

	for (size_t i = 0; i < count; i++)
		nodes[i] = (strew_study_node){texts[i], 0x10000};
	options.scheme = "ring";
	options.hash = "decimal";
	options.raw = 1;
	options.labels = 1;
	options.label_join = "#";
	options.allocator = article->allocator;
	if (strew_study_new(&study, &options, nodes, count, NULL) != STREW_OK) {
		article->status = STREW_ENOMEM;
		return -1;
	}
	strew_study_pick(study, key, strlen(key), 1, &node);
	strew_study_free(study);
	return strtod(texts[node], NULL);
}

void analyze_article_circle(struct article *article)
{
	static const char *const five[] = {"100", "300", "500", "700", "900"};
	static const char *const without[] = {"100", "300", "700", "900"};
	static const char *const with[] = {"100", "200", "300", "500", "700", "900"};
	static const char *const one[] = {"512"};

	analyze_article_exact(article, "key at 450 belongs to the node at", "N3",
			      owner(article, five, 5, "450"), 500);
	analyze_article_exact(article, "… when 500 goes: its successor", "next",
			      owner(article, without, 4, "450"), 700);
	analyze_article_exact(article, "key at 150, when 200 comes", "N6",
			      owner(article, with, 6, "150"), 200);
	analyze_article_exact(article, "key at 250 stays: (predecessor, new] moves",
			      "stays", owner(article, with, 6, "250"), 300);
	analyze_article_exact(article, "key at 200 moves, too: the arc has its end",
			      "moves", owner(article, with, 6, "200"), 200);
	analyze_article_exact(article, "key at 1000 wraps to the first", "wraps",
			      owner(article, five, 5, "1000"), 100);
	analyze_article_exact(article, "a ring of one node has all", "all",
			      owner(article, one, 1, "1000"), 512);
}
