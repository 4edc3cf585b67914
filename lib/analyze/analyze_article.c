/* SPDX-License-Identifier: MIT */
/* Experiments of articles on placement, run again: doc/analyses/articles.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analyze_article_priv.h"
#include "analyze_compare_priv.h"
#include "base_error.h"

/* An experiment may show several things, and one may be asked for by several names. */
static const struct experiment {
	const char *ids; /* apart by a space */
	void (*run)(struct article *article);
} experiments[] = {
	{"A1 E4 T15", analyze_article_modulo},
	{"A2 A3 A16", analyze_article_vectors},
	{"H1 H2 H3 H4 H5 H6", analyze_article_hashes},
	{"E1 T1 T11", analyze_article_even},
	{"T2 A12", analyze_article_failure},
	{"T3", analyze_article_growth},
	{"T6", analyze_article_pairs},
	{"E5 A4 T5 A6", analyze_article_weights},
	{"E6 T4 A5", analyze_article_naive},
	{"A7", analyze_article_factors},
	{"T7", analyze_article_apart},
	{"E2 A8", analyze_article_arcs},
	{"E3 A9", analyze_article_hundred_arcs},
	{"E8 T10", analyze_article_spacings},
	{"E12", analyze_article_labels},
	{"A10", analyze_article_weighted_labels},
	{"T9 A11", analyze_article_short},
	{"T8", analyze_article_ring_moves},
	{"E9", analyze_article_deviation},
	{"T12", analyze_article_churn},
	{"A13", analyze_article_table},
	{"A14 T14", analyze_article_groups},
	{"A16", analyze_article_jump},
	{"A17", analyze_article_slots},
	{"A18", analyze_article_partitions},
	{"A24", analyze_article_agreement},
	{"E7 A15", analyze_article_requests},
	{"E10 E11 T13 A21", analyze_article_circle},
};

#define COUNT (sizeof(experiments) / sizeof(experiments[0]))

/* What articles tell without a figure. */
static const char without_figures[] = "A19 A20 A22 A23 E13 H7 H8 H9";

static const struct result_column columns[] = {
	{"id", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"what", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"article", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"ours", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"low", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"high", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"verdict", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

/* Equal, but for the last digits of floating point. */
#define SLACK 1e-9

void analyze_article_figure(struct article *article, const char *what,
			    const char *printed, double ours, struct article_band band)
{
	bool holds = ours >= band.low - fabs(band.low) * SLACK &&
		     ours <= band.high + fabs(band.high) * SLACK;

	result_row(article->table);
	result_text(article->table, article->id);
	result_text(article->table, what);
	result_text(article->table, printed);
	result_real(article->table, ours);
	result_real(article->table, band.low);
	result_real(article->table, band.high);
	result_text(article->table, isnan(ours) ? "needs --keys"
				    : holds     ? "holds"
						: "differs");
}

void analyze_article_exact(struct article *article, const char *what, const char *printed,
			   double ours, double right)
{
	analyze_article_figure(article, what, printed, ours,
			       (struct article_band){right, right});
}

/* The chance that more than k of n come; from the side of the mean where k is. */
static double chance_above(double n, double k, double p)
{
	return k >= n * p ? analyze_compare_beyond(n, k, p, true)
			  : 1 - analyze_compare_beyond(n, k + 1, p, false);
}

/* The k that the least (or the most) of `times` counts is not above, with that chance. */
static double quantile(double n, double p, int times, bool least, double chance)
{
	double low = 0, high = n;

	while (low < high) {
		double middle = floor((low + high) / 2);
		double above = chance_above(n, middle, p);
		double extreme = least ? pow(above, times) : 1 - pow(1 - above, times);

		if (1 - extreme >= chance)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static struct article_band extreme_band(double n, double p, int times, bool least)
{
	return (struct article_band){quantile(n, p, times, least, 0.001),
				     quantile(n, p, times, least, 0.999)};
}

struct article_band analyze_article_count_band(double n, double p)
{
	return extreme_band(n, p, 1, true);
}

struct article_band analyze_article_least_band(double n, double p, int times)
{
	return extreme_band(n, p, times, true);
}

struct article_band analyze_article_most_band(double n, double p, int times)
{
	return extreme_band(n, p, times, false);
}

/* Nodes are proxy-1 … */
struct nodes {
	char names[ARTICLE_NODES + 1][32];
	strew_study_node list[ARTICLE_NODES + 1];
};

static void name_nodes(struct nodes *nodes, size_t count, const double *weights)
{
	for (size_t i = 0; i < count; i++) {
		snprintf(nodes->names[i], sizeof(nodes->names[i]), "proxy-%zu", i + 1);
		nodes->list[i].name = nodes->names[i];
		nodes->list[i].weight =
			weights ? (uint32_t)(weights[i] * 65536 + 0.5) : 0x10000;
	}
}

strew_study *analyze_article_weighted(struct article *article, const char *scheme,
				      const double *weights, size_t nodes,
				      const strew_study_options *options)
{
	strew_study_options all = STREW_STUDY_OPTIONS_INIT;
	strew_study *study = NULL;
	struct nodes named;
	strew_status status;

	if (options)
		all = *options;
	all.scheme = scheme;
	all.allocator = article->allocator;
	name_nodes(&named, nodes, weights);
	status = strew_study_new(&study, &all, named.list, nodes, NULL);
	if (status != STREW_OK)
		article->status = status;
	return study;
}

strew_study *analyze_article_study(struct article *article, const char *scheme,
				   size_t nodes, const strew_study_options *options)
{
	return analyze_article_weighted(article, scheme, NULL, nodes, options);
}

static strew_study *change(struct article *article, const strew_study *from,
			   const struct nodes *nodes, size_t count)
{
	strew_study *study = NULL;
	strew_status status = STREW_ENOMEM;

	if (from)
		status = strew_study_change(&study, from, nodes->list, count, NULL);
	if (status != STREW_OK)
		article->status = status;
	return study;
}

strew_study *analyze_article_without(struct article *article, const strew_study *from,
				     size_t nodes, size_t gone)
{
	struct nodes named;

	name_nodes(&named, nodes, NULL);
	for (size_t i = gone; i + 1 < nodes; i++)
		named.list[i] = named.list[i + 1];
	return change(article, from, &named, nodes - 1);
}

strew_study *analyze_article_with_more(struct article *article, const strew_study *from,
				       size_t nodes)
{
	struct nodes named;

	name_nodes(&named, nodes + 1, NULL);
	return change(article, from, &named, nodes + 1);
}

struct article_growth analyze_article_grow(struct article *article, const char *scheme,
					   size_t nodes, size_t keys)
{
	strew_study *before = analyze_article_study(article, scheme, nodes, NULL);
	strew_study *after = analyze_article_with_more(article, before, nodes);
	struct article_growth growth = {0, 0};

	for (size_t i = 0; i < keys; i++) {
		uint64_t key = analyze_article_key(article, i);
		uint32_t was = analyze_article_first(before, key);
		uint32_t is = analyze_article_first(after, key);

		growth.moved += was != is;
		growth.astray += was != is && is != nodes;
	}
	strew_study_free(before);
	strew_study_free(after);
	return growth;
}

uint64_t analyze_article_key(const struct article *article, size_t index)
{
	strew_named_hash hash;
	char text[24];
	int length;

	if (strew_study_hash_at(0, &hash) != STREW_OK)
		return 0;
	if (article->keys && index < article->key_count)
		return hash.hash(article->keys[index].name,
				 article->keys[index].name_len);
	length = snprintf(text, sizeof(text), "key-%zu", index);
	return hash.hash(text, (size_t)length);
}

uint32_t analyze_article_first(const strew_study *study, uint64_t hash)
{
	uint32_t node = 0;

	if (study)
		strew_study_pick_hash(study, hash, 1, &node);
	return node;
}

void analyze_article_count(const struct article *article, const strew_study *study,
			   size_t keys, uint64_t *counts, size_t nodes)
{
	memset(counts, 0, nodes * sizeof(*counts));
	for (size_t i = 0; study && i < keys; i++) {
		uint32_t node;

		if (strew_study_pick_hash(study, analyze_article_key(article, i), 1,
					  &node) == 1)
			counts[node]++;
	}
}

/* Is the name one of these words, in capitals or not? */
static bool has_word(const char *words, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = words; *at; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == length && strncasecmp(at, name, length) == 0)
			return true;
	}
	return false;
}

static bool is_asked_for(const struct experiment *experiment, const char *const *ids,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(ids[i], "all") == 0 || has_word(experiment->ids, ids[i]))
			return true;
	}
	return false;
}

static strew_status refuse_id(const char *id, strew_error *error)
{
	if (has_word(without_figures, id))
		return base_error_set(error, STREW_ENOTFOUND,
				      "%s has no figures to run again; "
				      "doc/analyses/articles.md tells of it",
				      id);
	return base_error_set(
		error, STREW_ENOTFOUND,
		"no experiment is named %.32s; there are A1 to A24, E1 to "
		"E13, H1 to H9 and T1 to T15, some of which have no figures",
		id);
}

static strew_status check_ids(const char *const *ids, size_t count, strew_error *error)
{
	for (size_t i = 0; i < count; i++) {
		bool found = strcmp(ids[i], "all") == 0;

		for (size_t k = 0; k < COUNT && !found; k++)
			found = has_word(experiments[k].ids, ids[i]);
		if (!found)
			return refuse_id(ids[i], error);
	}
	return STREW_OK;
}

static void set_headline(strew_result *result, const strew_table *table)
{
	size_t rows = strew_table_row_count(table), holding = 0, waiting = 0;
	int column = strew_table_find_column(table, "verdict");

	for (size_t i = 0; i < rows; i++) {
		strew_cell cell = strew_table_cell(table, i, (size_t)column);

		if (cell.kind != STREW_CELL_TEXT)
			continue;
		holding += strcmp(cell.text, "holds") == 0;
		waiting += strcmp(cell.text, "needs --keys") == 0;
	}
	if (waiting)
		result_set_headline(result,
				    "%zu of %zu figures hold; %zu need a list of keys",
				    holding, rows, waiting);
	else
		result_set_headline(result, "%zu of %zu figures hold", holding, rows);
}

strew_status strew_articles(strew_result **out, const char *const *ids, size_t count,
			    const strew_named_object *keys, size_t key_count,
			    const strew_run *run, strew_error *error)
{
	const strew_allocator *allocator =
		base_allocator_or_heap(run ? run->allocator : NULL);
	struct article article = {
		.keys = keys, .key_count = key_count, .allocator = allocator};
	strew_status status = check_ids(ids, count, error);
	strew_result *result;

	*out = NULL;
	if (status != STREW_OK)
		return status;
	result = result_new("compare", allocator);
	if (result == NULL)
		return base_error_nomem(error);
	article.table =
		result_add_table(result, "figures", NULL, columns,
				 sizeof(columns) / sizeof(columns[0]), RESULT_NO_TITLE);
	for (size_t i = 0; i < COUNT && article.status == STREW_OK; i++) {
		char id[8];

		if (!is_asked_for(&experiments[i], ids, count))
			continue;
		snprintf(id, sizeof(id), "%.*s", (int)strcspn(experiments[i].ids, " "),
			 experiments[i].ids);
		article.id = id;
		experiments[i].run(&article);
	}
	if (article.status == STREW_OK && result_status(result) == STREW_OK) {
		set_headline(result, article.table);
		result_add_note(
			result,
			"low to high is where ours has to be: what an ideal hash "
			"gives in 998 of 1000 cases, or the room that "
			"doc/analyses/articles.md tells; exact figures have none.");
	}
	if (article.status != STREW_OK || result_status(result) != STREW_OK) {
		strew_result_free(result);
		return base_error_nomem(error);
	}
	*out = result;
	return STREW_OK;
}
