/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

#define COUNT_DEFAULT 100000
#define NODES_DEFAULT 8
#define NODES_MAX     100000
#define NAME_ROOM     32
#define WEIGHT_MAX    65535.0

struct compare {
	struct cli_inputs keys;
	struct cli_output output;
	struct cli_run run;
	struct cli_integer count;
	struct cli_list node_names;
	struct cli_integer node_count;
	struct cli_list scheme_names;
	struct cli_list event_texts;
	struct cli_integer replicas;
	struct cli_integer hot;
	struct cli_integer copies;
	const char *hash;
	int raw;
	struct cli_integer labels;
	struct cli_integer rows;
	struct cli_integer branch;
	int untimed;
	struct cli_list articles;

	strew_study_options *schemes;
	strew_study_node *nodes;
	char (*made_names)[NAME_ROOM];
	strew_compare_event *events;
	strew_compare_options options;
};

static const struct cli_option key_options[] = {
	CLI_OPTION("keys", "FILE", CLI_TEXT, struct compare, keys.objects_from,
		   "a key a line, optionally a tab and how often it is asked for; -: "
		   "standard input"),
	CLI_INTEGER_OPTION("count", "N", struct compare, count, 1, 100000000,
			   "so many keys, key-0 and so on (default: 100000)"),
	CLI_INTEGER_OPTION("hot", "N", struct compare, hot, 1, 100000000,
			   "copy the N keys that are asked for most …"),
	CLI_INTEGER_OPTION("copies", "R", struct compare, copies, 2, STREW_STUDY_WANT_MAX,
			   "… to R nodes each, which share their requests"),
};

static const struct cli_option node_options[] = {
	CLI_OPTION("node", "NAME[=WEIGHT]", CLI_LIST, struct compare, node_names,
		   "a node, of weight 1 if none is told; may be repeated"),
	CLI_INTEGER_OPTION("nodes", "N", struct compare, node_count, 1, NODES_MAX,
			   "so many nodes of weight 1, node-1 and so on (default: 8)"),
	CLI_OPTION(
		"event", "EVENT", CLI_LIST, struct compare, event_texts,
		"what happens then: fail:NAME, drain:NAME (its weight becomes 0), "
		"add:NAME[=WEIGHT], reweight:NAME=WEIGHT, or churn:N (N nodes leave or "
		"join); may be repeated, one after the other"),
	CLI_INTEGER_OPTION("replicas", "K", struct compare, replicas, 1,
			   STREW_STUDY_WANT_MAX,
			   "on how many nodes a key is; who has fewer is counted "
			   "(default: 1)"),
};

static const struct cli_option scheme_options[] = {
	CLI_OPTION("scheme", "NAME", CLI_LIST, struct compare, scheme_names,
		   "a scheme of the list below, or all; may be repeated (default: those "
		   "that are used most)"),
	CLI_OPTION("hash", "NAME", CLI_TEXT, struct compare, hash,
		   "the hash of keys, nodes and labels (default: as the scheme is used, "
		   "mostly fnv1a)"),
	CLI_OPTION("raw", NULL, CLI_FLAG, struct compare, raw,
		   "use hashes as they come, without a last mix"),
	CLI_INTEGER_OPTION("labels", "V", struct compare, labels, 1, 4096,
			   "rings: labels of a node of weight 1 (default: 100)"),
	CLI_INTEGER_OPTION("rows", "N", struct compare, rows, 1, 1 << 24,
			   "rows of tables, slots, partitions (default: as is common)"),
	CLI_INTEGER_OPTION("branch", "N", struct compare, branch, 2, 1 << 16,
			   "members of a group (default: 16)"),
	CLI_OPTION(
		"article", "ID", CLI_LIST, struct compare, articles,
		"instead, run an article's experiment again: E1 to E12, or what is told "
		"in doc/analyses/articles.md, or all; may be repeated"),
	CLI_OPTION("untimed", NULL, CLI_FLAG, struct compare, untimed,
		   "don't time look-ups, so that the same comes out each time"),
};

static const char about[] = "Compare placement schemes on your keys and nodes: how even "
			    "they are beside an ideal "
			    "hash, what moves when nodes come and go beside what has to, "
			    "how long a look-up takes "
			    "and how large its table is.";

static const char examples[] =
	"  maptool compare --nodes 8 --event fail:node-3\n"
	"  maptool compare --keys requests.tsv --node a=1 --node b=2 --node c=4\n"
	"  maptool compare --scheme ring --scheme straw2 --labels 256 --event add:new\n"
	"  maptool compare --keys requests.tsv --hot 20 --copies 4\n";

/* What people choose between when they don't say. */
static const char *const usual[] = {"straw2", "rendezvous", "rendezvous-log",
				    "ring",   "jump",       "maglev",
				    "glb",    "modulo"};

static void list_schemes(void)
{
	strew_scheme scheme;
	strew_named_hash hash;

	printf("\nSchemes:\n");
	for (size_t i = 0; strew_scheme_at(i, &scheme) == STREW_OK; i++) {
		printf("  %-17s ", scheme.name);
		cli_print_wrapped(scheme.summary, 20, 20);
	}
	printf("\nHashes:\n");
	for (size_t i = 0; strew_study_hash_at(i, &hash) == STREW_OK; i++) {
		printf("  %-17s ", hash.name);
		cli_print_wrapped(hash.summary, 20, 20);
	}
}

static int check(const struct compare *compare)
{
	int code;

	if (compare->keys.objects_from && compare->count.given)
		return cli_usage_error("--keys or --count, not both");
	if (compare->node_names.count && compare->node_count.given)
		return cli_usage_error("--node or --nodes, not both");
	if (compare->hot.given != compare->copies.given)
		return cli_usage_error("--hot and --copies go together");
	if (compare->hot.given && compare->keys.objects_from == NULL)
		return cli_usage_error("--hot needs --keys with requests: made "
				       "up keys have none");
	code = cli_output_check(&compare->output);
	return code == CLI_DONE ? cli_run_check(&compare->run) : code;
}

/* NAME or NAME=WEIGHT, cut off where the weight begins. @return NULL or what is wrong */
static const char *parse_node(const char **name, uint32_t *weight, const char *text,
			      int needs_weight)
{
	char *copy = strdup(text), *equals;
	double value = 1;

	if (copy == NULL)
		cli_no_memory();
	*name = copy;
	equals = strrchr(copy, '=');
	if (equals == NULL && needs_weight)
		return "its new weight is missing, as in reweight:a=2";
	if (equals != NULL) {
		*equals = '\0';
		if (cli_parse_number(&value, equals + 1) != 0 || value < 0 ||
		    value > WEIGHT_MAX)
			return "a weight is a number from 0 to 65535";
	}
	*weight = (uint32_t)(value * 65536 + 0.5);
	return copy[0] == '\0' ? "a node has a name" : NULL;
}

static int parse_nodes(struct compare *compare)
{
	size_t count = compare->node_names.count;

	compare->nodes = cli_resize(NULL, count, sizeof(*compare->nodes));
	memset(compare->nodes, 0, count * sizeof(*compare->nodes));
	compare->options.nodes = compare->nodes;
	for (size_t i = 0; i < count; i++) {
		const char *text = compare->node_names.items[i];
		const char *wrong;

		compare->options.node_count++;
		wrong = parse_node(&compare->nodes[i].name, &compare->nodes[i].weight,
				   text, 0);
		if (wrong)
			return cli_usage_error("--node %s: %s", text, wrong);
	}
	return CLI_DONE;
}

static void make_nodes(struct compare *compare)
{
	size_t count = compare->node_count.given ? (size_t)compare->node_count.value
						 : NODES_DEFAULT;

	compare->nodes = cli_resize(NULL, count, sizeof(*compare->nodes));
	compare->made_names = cli_resize(NULL, count, sizeof(*compare->made_names));
	for (size_t i = 0; i < count; i++) {
		snprintf(compare->made_names[i], NAME_ROOM, "node-%zu", i + 1);
		compare->nodes[i] =
			(strew_study_node){compare->made_names[i], STREW_WEIGHT_ONE};
	}
	compare->options.nodes = compare->nodes;
	compare->options.node_count = count;
}

static const char *parse_churn(strew_compare_event *event, const char *text)
{
	int64_t count;

	if (cli_parse_integer(&count, text, 1, 10000) != 0)
		return "a churn is of 1 to 10000 nodes";
	event->weight = (uint32_t)count;
	return NULL;
}

/* Without a weight: whatever there is belongs to the name. */
static const char *parse_name(strew_compare_event *event, const char *text)
{
	event->node = strdup(text);
	if (event->node == NULL)
		cli_no_memory();
	return text[0] == '\0' ? "a node has a name" : NULL;
}

static const char *parse_event(strew_compare_event *event, const char *text)
{
	static const char *const words[] = {
		"fail:", "drain:", "add:", "reweight:", "churn:"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t len = strlen(words[i]);

		if (strncmp(text, words[i], len) != 0)
			continue;
		event->kind = (strew_compare_kind)i;
		if (event->kind == STREW_COMPARE_CHURN)
			return parse_churn(event, text + len);
		if (event->kind == STREW_COMPARE_FAIL ||
		    event->kind == STREW_COMPARE_DRAIN)
			return parse_name(event, text + len);
		return parse_node(&event->node, &event->weight, text + len,
				  event->kind == STREW_COMPARE_REWEIGHT);
	}
	return "an event is fail:NAME, drain:NAME, add:NAME, reweight:NAME=WEIGHT or "
	       "churn:N";
}

static int parse_events(struct compare *compare)
{
	size_t count = compare->event_texts.count;

	compare->events = cli_resize(NULL, count + 1, sizeof(*compare->events));
	memset(compare->events, 0, (count + 1) * sizeof(*compare->events));
	compare->options.events = compare->events;
	for (size_t i = 0; i < count; i++) {
		const char *text = compare->event_texts.items[i];
		const char *wrong = parse_event(&compare->events[i], text);

		compare->options.event_count++;
		if (wrong)
			return cli_usage_error("--event %s: %s", text, wrong);
	}
	return CLI_DONE;
}

static void add_scheme(struct compare *compare, const char *name)
{
	strew_study_options scheme = STREW_STUDY_OPTIONS_INIT;
	size_t count = compare->options.scheme_count++;

	scheme.scheme = name;
	scheme.hash = compare->hash;
	scheme.raw = compare->raw ? 1 : -1;
	if (compare->labels.given)
		scheme.labels = (uint32_t)compare->labels.value;
	if (compare->rows.given)
		scheme.rows = (uint32_t)compare->rows.value;
	if (compare->branch.given)
		scheme.branch = (uint32_t)compare->branch.value;
	compare->schemes =
		cli_resize(compare->schemes, count + 1, sizeof(*compare->schemes));
	compare->schemes[count] = scheme;
	compare->options.schemes = compare->schemes;
}

/* At most, while events happen. */
static size_t count_nodes(const struct compare *compare)
{
	size_t count = compare->options.node_count;

	for (size_t i = 0; i < compare->options.event_count; i++) {
		if (compare->events[i].kind == STREW_COMPARE_ADD)
			count++;
		else if (compare->events[i].kind == STREW_COMPARE_CHURN)
			count += compare->events[i].weight;
	}
	return count;
}

/* Who didn't ask for it by its name is told why it isn't there. */
static void add_if_fit(struct compare *compare, const strew_scheme *scheme)
{
	if (count_nodes(compare) > scheme->nodes_max)
		cli_error("warning: %s takes at most %zu nodes, and is left out",
			  scheme->name, scheme->nodes_max);
	else
		add_scheme(compare, scheme->name);
}

static void add_all_schemes(struct compare *compare)
{
	strew_scheme scheme;

	for (size_t i = 0; strew_scheme_at(i, &scheme) == STREW_OK; i++)
		add_if_fit(compare, &scheme);
}

static int find_scheme(strew_scheme *scheme, const char *name)
{
	for (size_t i = 0; strew_scheme_at(i, scheme) == STREW_OK; i++)
		if (strcmp(scheme->name, name) == 0)
			return 1;
	return 0;
}

static int refuse_scheme(const char *name)
{
	struct cli_nearest nearest = {.word = name};
	strew_scheme scheme;

	for (size_t i = 0; strew_scheme_at(i, &scheme) == STREW_OK; i++)
		cli_nearest_offer(&nearest, scheme.name);
	if (nearest.best)
		return cli_usage_error("no scheme is named \"%s\"; did you mean \"%s\"?",
				       name, nearest.best);
	return cli_usage_error("no scheme is named \"%s\"", name);
}

static int add_named_scheme(struct compare *compare, const char *name)
{
	strew_scheme scheme;

	if (strcmp(name, "all") == 0)
		add_all_schemes(compare);
	else if (find_scheme(&scheme, name))
		add_scheme(compare, scheme.name);
	else
		return refuse_scheme(name);
	return CLI_DONE;
}

static void add_usual_schemes(struct compare *compare)
{
	strew_scheme scheme;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (find_scheme(&scheme, usual[i]))
			add_if_fit(compare, &scheme);
}

static int name_schemes(struct compare *compare)
{
	int code = CLI_DONE;

	for (size_t i = 0; i < compare->scheme_names.count && code == CLI_DONE; i++)
		code = add_named_scheme(compare, compare->scheme_names.items[i]);
	if (compare->scheme_names.count == 0)
		add_usual_schemes(compare);
	return code;
}

static int read_keys(struct compare *compare)
{
	strew_compare_options *options = &compare->options;
	int code;

	options->key_count =
		compare->count.given ? (size_t)compare->count.value : COUNT_DEFAULT;
	if (compare->keys.objects_from == NULL)
		return CLI_DONE;
	compare->keys.are_keys = 1;
	code = cli_objects_read(&compare->keys);
	options->keys = compare->keys.inputs.objects;
	options->key_count = compare->keys.inputs.object_count;
	return code;
}

static double tell_time(void *ctx)
{
	struct timespec time;

	(void)ctx;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare_schemes(struct compare *compare)
{
	strew_compare_options *options = &compare->options;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	if (compare->replicas.given)
		options->replicas = (size_t)compare->replicas.value;
	options->hot = (size_t)compare->hot.value;
	options->copies = (size_t)compare->copies.value;
	options->clock = compare->untimed ? NULL : tell_time;
	cli_run_start(&compare->run, "placing keys");
	status = strew_compare(&result, options, &compare->run.run, &error);
	cli_run_end(&compare->run);
	if (status == STREW_ENOTFOUND || status == STREW_EINVAL ||
	    status == STREW_ERANGE || status == STREW_EMAP)
		return cli_usage_error("%s", error.text);
	return cli_output_analysis(&compare->output, status, result, &error);
}

/* Experiments have nodes, schemes and events of their own. */
static int check_articles(const struct compare *compare)
{
	if (compare->node_names.count || compare->node_count.given ||
	    compare->scheme_names.count || compare->event_texts.count ||
	    compare->replicas.given || compare->count.given || compare->hot.given ||
	    compare->copies.given || compare->hash || compare->raw ||
	    compare->labels.given || compare->rows.given || compare->branch.given ||
	    compare->untimed)
		return cli_usage_error("--article goes with --keys only: its "
				       "experiments have nodes, schemes and "
				       "events of their own");
	return check(compare);
}

static int run_articles(struct compare *compare)
{
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int code = check_articles(compare);

	if (code == CLI_DONE)
		code = read_keys(compare);
	if (code == CLI_DONE)
		code = cli_output_open(&compare->output);
	if (code == CLI_DONE) {
		cli_run_start(&compare->run, "experiments");
		status = strew_articles(&result, compare->articles.items,
					compare->articles.count, compare->options.keys,
					compare->options.key_count, &compare->run.run,
					&error);
		cli_run_end(&compare->run);
		code = status == STREW_ENOTFOUND
			       ? cli_usage_error("%s", error.text)
			       : cli_output_analysis(&compare->output, status, result,
						     &error);
	}
	return cli_output_close(&compare->output, code);
}

static int run_events(struct compare *compare)
{
	int code = check(compare);

	if (code == CLI_DONE && compare->node_names.count)
		code = parse_nodes(compare);
	else if (code == CLI_DONE)
		make_nodes(compare);
	if (code == CLI_DONE)
		code = parse_events(compare);
	if (code == CLI_DONE)
		code = name_schemes(compare);
	if (code == CLI_DONE)
		code = read_keys(compare);
	if (code == CLI_DONE)
		code = cli_output_open(&compare->output);
	if (code == CLI_DONE)
		code = compare_schemes(compare);
	return cli_output_close(&compare->output, code);
}

static void free_all(struct compare *compare)
{
	for (size_t i = 0; compare->made_names == NULL && i < compare->options.node_count;
	     i++)
		free((char *)compare->nodes[i].name);
	for (size_t i = 0; i < compare->options.event_count; i++)
		free((char *)compare->events[i].node);
	free(compare->made_names);
	free(compare->nodes);
	free(compare->events);
	free(compare->schemes);
	cli_inputs_free(&compare->keys);
}

static int run(void *command, const char *const *args)
{
	struct compare *compare = command;
	int code;

	(void)args;
	compare->options = (strew_compare_options)STREW_COMPARE_OPTIONS_INIT;
	code = compare->articles.count ? run_articles(compare) : run_events(compare);
	free_all(compare);
	return code;
}

static const struct cli_group key_group = CLI_GROUP("Keys", key_options);
static const struct cli_group node_group = CLI_GROUP("Nodes", node_options);
static const struct cli_group scheme_group = CLI_GROUP("Schemes", scheme_options);

const struct cli_usage cmd_compare = {
	.args = "",
	.about = about,
	.list = list_schemes,
	.examples = examples,
	.parts = {{&key_group, 0},
		  {&node_group, 0},
		  {&scheme_group, 0},
		  CLI_PART(cli_output_group, struct compare, output),
		  CLI_PART(cli_run_group, struct compare, run)},
	.size = sizeof(struct compare),
	.run = run,
};
