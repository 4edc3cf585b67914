/* SPDX-License-Identifier: MIT */
#include "analyze_show_priv.h"

#include "base_error.h"

/* A cell of text, which is freed. */
static void add_text(struct show *show, strew_table *table, struct base_str *text)
{
	result_text(table, base_str_text(text));
	show->out_of_memory = show->out_of_memory || !base_str_ok(text);
	base_str_free(text);
}

static void add_rule(struct show *show, strew_table *table, const struct map_rule *rule)
{
	struct base_str words, steps;

	base_str_init(&words, show->allocator);
	base_str_init(&steps, show->allocator);
	analyze_show_rule(&words, show->map, rule, 0);
	analyze_add_steps(&steps, show->map, rule);
	result_row(table);
	result_integer(table, rule->id);
	result_text(table, rule->name);
	result_text(table, analyze_kind_name(rule->kind));
	add_text(show, table, &words);
	add_text(show, table, &steps);
}

static const struct result_column rule_columns[] = {
	{"id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"type", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"text", "in words", STREW_CELL_TEXT, RESULT_NAME},
	{"steps", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static void add_rules(struct show *show)
{
	strew_table *table =
		result_add_table(show->result, "rules", NULL, rule_columns,
				 sizeof(rule_columns) / sizeof(rule_columns[0]), 0);

	for (size_t i = 0; i < show->map->rule_count; i++)
		add_rule(show, table, &show->map->rules[i]);
}

/* "3 copies, each in another host of default; serves with 2 or more" */
static void describe_pool(const struct show *show, struct base_str *text,
			  const strew_pool *pool)
{
	const struct map_rule *rule = map_rule_by_id(show->map, pool->rule);

	if (rule)
		analyze_show_rule(text, show->map, rule, pool->size);
	if (pool->kind == STREW_KIND_ERASURE && pool->k > 0)
		base_str_addf(text, "; any %d hold the data", pool->k);
	if (pool->min_size < pool->size)
		base_str_addf(text, "; serves with %d or more", pool->min_size);
	else
		base_str_add(text, "; serves only with all");
}

static void add_pool(struct show *show, strew_table *table, const strew_pool *pool)
{
	struct base_str words;

	base_str_init(&words, show->allocator);
	describe_pool(show, &words, pool);
	result_row(table);
	result_integer(table, pool->id);
	result_text(table, pool->name);
	result_text(table, analyze_kind_name(pool->kind));
	result_integer(table, pool->size);
	result_integer(table, pool->min_size);
	result_integer(table, pool->pg_num);
	result_integer(table, pool->rule);
	result_text(table, strew_map_rule_name(show->map, pool->rule));
	result_integer(table, pool->has_bytes && pool->bytes <= INT64_MAX
				      ? (int64_t)pool->bytes
				      : INT64_MIN);
	add_text(show, table, &words);
}

static const struct result_column pool_columns[] = {
	{"id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"type", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"min_size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg_num", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"rule", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"rule_name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"text", "in words", STREW_CELL_TEXT, RESULT_NAME},
};

static void add_pools(struct show *show)
{
	strew_table *table =
		result_add_table(show->result, "pools", NULL, pool_columns,
				 sizeof(pool_columns) / sizeof(pool_columns[0]), 0);

	for (size_t i = 0; i < show->map->pool_count; i++)
		add_pool(show, table, &show->map->pools[i]);
}

static strew_status fill(struct show *show)
{
	const strew_map *map = show->map;
	strew_status status =
		analyze_tree_new(&show->tree, map, show->allocator, show->error);

	if (status == STREW_OK && map->pool_count > 0)
		status = analyze_show_expect(show);
	if (status == STREW_OK)
		status = analyze_show_tree(show);
	if (status == STREW_OK) {
		add_rules(show);
		add_pools(show);
		status = analyze_show_summary(show);
	}
	if (status == STREW_OK && (show->out_of_memory || result_status(show->result)))
		status = base_error_nomem(show->error);
	analyze_show_forget(show);
	analyze_tree_free(&show->tree, show->allocator);
	return status;
}

strew_status strew_show(strew_result **out, const strew_placer *placer,
			const strew_show_options *options, const strew_run *run,
			strew_error *error)
{
	strew_show_options how = STREW_SHOW_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	struct show show = {
		.placer = placer, .map = strew_placer_map(placer), .error = error};
	strew_status status;

	*out = NULL;
	analyze_read_options(&how, options);
	analyze_read_options(&with, run);
	show.how = how;
	show.run = &with;
	show.allocator = base_allocator_or_heap(with.allocator);
	show.result = result_new("show", show.allocator);
	if (show.result == NULL)
		return base_error_nomem(error);
	status = fill(&show);
	if (status)
		strew_result_free(show.result);
	else
		*out = show.result;
	return status;
}
