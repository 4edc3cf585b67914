/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyze_compare_priv.h"
#include "base_error.h"

/* What follows from a scheme's counts. */
struct balance {
	double *shares; /* by member of the first state, as the scheme means them */
	double least;
	double most;
	double over_mean; /* the most keys of a node, in proportion to its share */
	double requests_over_mean;
	double hot_over_mean;
	struct compare_band least_band;
	struct compare_band most_band;
	struct compare_band request_band;
};

struct report {
	const struct compare *compare;
	const struct compare_tally *tallies;
	struct balance *balances;
	strew_result *result;
	struct base_str text; /* a piece at a time */
	bool failed;          /* was there no memory for one? */
};

/* The piece that was put together. */
static const char *take_text(struct report *report)
{
	report->failed |= !base_str_ok(&report->text);
	return base_str_text(&report->text);
}

static const struct result_column scheme_columns[] = {
	{"scheme", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"nodes", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"keys", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"min", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"max_over_mean", "max/mean", STREW_CELL_REAL, RESULT_FACTOR},
	{"ideal_low", "ideal from", STREW_CELL_REAL, RESULT_FACTOR},
	{"ideal_high", "to", STREW_CELL_REAL, RESULT_FACTOR},
	{"requests_max_over_mean", "requests", STREW_CELL_REAL, RESULT_FACTOR},
	{"moved_keys", "moved", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"moved_minimum", "least", STREW_CELL_REAL, RESULT_PLAIN},
	{"moved_between_old", "astray", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"short_keys", "short", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"ns_per_lookup", "ns", STREW_CELL_REAL, RESULT_PLAIN},
	{"memory_bytes", "memory", STREW_CELL_INTEGER, RESULT_BYTES},
	{"verdict", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column event_columns[] = {
	{"event", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"scheme", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"moved_keys", "moved", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"moved_percent", "of all", STREW_CELL_REAL, RESULT_PERCENT},
	{"moved_minimum", "least", STREW_CELL_REAL, RESULT_PLAIN},
	{"moved_between_old", "astray", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"takers", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"taken_min", "takes least", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"taken_max", "most", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"max_over_mean", "max/mean after", STREW_CELL_REAL, RESULT_FACTOR},
};

static const struct result_column node_columns[] = {
	{"scheme", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"node", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"weight", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"keys", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"requests", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"share_percent", "share", STREW_CELL_REAL, RESULT_PERCENT},
	{"target_percent", "target", STREW_CELL_REAL, RESULT_PERCENT},
};

static const struct result_column hot_columns[] = {
	{"scheme", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"hot_keys", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"copies", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"requests_max_over_mean", "max/mean", STREW_CELL_REAL, RESULT_FACTOR},
	{"copied_max_over_mean", "when copied", STREW_CELL_REAL, RESULT_FACTOR},
};

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

static bool is_weighted(const struct compare_tally *tally)
{
	return tally->scheme.flags & STREW_SCHEME_WEIGHTED;
}

/* A part of `total`, in proportion to what a share is of it. */
static double over_share(double part, double share, double total)
{
	return share > 0 && total > 0 ? part / share / total : 0;
}

static void weigh_up(const struct report *report, struct balance *balance,
		     const struct compare_tally *tally)
{
	const struct compare *compare = report->compare;
	const struct compare_state *state = &compare->states[0];
	double keys = (double)compare->options.key_count;

	balance->least = INFINITY;
	for (size_t i = 0; i < state->count; i++) {
		uint32_t node = state->members[i];
		double share = analyze_compare_share(state, i, is_weighted(tally));

		balance->shares[i] = share;
		if (share == 0)
			continue;
		balance->least = fmin(balance->least, (double)tally->keys[node]);
		balance->most = fmax(balance->most, (double)tally->keys[node]);
		balance->over_mean =
			fmax(balance->over_mean,
			     over_share((double)tally->keys[node], share, keys));
		balance->requests_over_mean =
			fmax(balance->requests_over_mean,
			     over_share(tally->requests[node], share, compare->requests));
		balance->hot_over_mean = fmax(
			balance->hot_over_mean,
			over_share(tally->hot_requests[node], share, compare->requests));
	}
}

static strew_status balance_scheme(struct report *report, size_t index)
{
	const struct compare *compare = report->compare;
	struct balance *balance = &report->balances[index];
	size_t count = compare->states[0].count;

	weigh_up(report, balance, &report->tallies[index]);
	if (index && memcmp(balance->shares, report->balances[index - 1].shares,
			    count * sizeof(double)) == 0) {
		balance->least_band = report->balances[index - 1].least_band;
		balance->most_band = report->balances[index - 1].most_band;
		balance->request_band = report->balances[index - 1].request_band;
		return STREW_OK;
	}
	analyze_compare_bands(&balance->least_band, &balance->most_band, balance->shares,
			      count, compare->options.key_count);
	if (compare->requests == 0)
		return STREW_OK;
	return analyze_compare_request_band(&balance->request_band, compare,
					    balance->shares, count);
}

static uint64_t sum_events(const uint64_t *counts, size_t events)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < events; i++)
		sum += counts[i];
	return sum;
}

static double sum_minima(const struct compare_tally *tally, size_t events)
{
	double sum = 0;

	for (size_t i = 0; i < events; i++)
		sum += tally->minimum[i];
	return sum;
}

/* The state after an event. */
static const struct compare_state *state_after(const struct compare *compare,
					       size_t event)
{
	size_t step = 0;

	while (step < compare->step_count && compare->steps[step].event <= event)
		step++;
	return &compare->states[step];
}

static uint64_t count_weightless(const struct compare_state *state, const uint64_t *keys)
{
	uint64_t count = 0;

	for (size_t i = 0; i < state->count; i++)
		count += state->nodes[i].weight == 0 ? keys[state->members[i]] : 0;
	return count;
}

/* Keys on nodes that are to have none, before or after any event. */
static uint64_t sum_weightless(const struct compare *compare,
			       const struct compare_tally *tally)
{
	uint64_t sum = count_weightless(&compare->states[0], tally->keys);

	for (size_t i = 0; i < compare->options.event_count; i++)
		sum += count_weightless(state_after(compare, i),
					tally->after + i * compare->node_count);
	return sum;
}

static const char *verdict_of(const struct report *report, size_t index)
{
	const struct compare_tally *tally = &report->tallies[index];
	const struct balance *balance = &report->balances[index];
	size_t events = report->compare->options.event_count;

	if (tally->scheme.flags & STREW_SCHEME_WRONG)
		return "wrong on purpose";
	if (tally->short_keys)
		return "too few replicas";
	if (sum_weightless(report->compare, tally))
		return "puts keys on nodes without weight";
	if (sum_events(tally->between, events))
		return "moves keys between nodes that stay";
	if (balance->over_mean > balance->most_band.high)
		return "uneven beyond chance";
	return "as an ideal hash";
}

static void add_scheme(struct report *report, strew_table *table, size_t index)
{
	const struct compare *compare = report->compare;
	const struct compare_tally *tally = &report->tallies[index];
	const struct balance *balance = &report->balances[index];
	size_t events = compare->options.event_count;

	result_row(table);
	result_text(table, tally->scheme.name);
	result_integer(table, (int64_t)compare->states[0].live);
	result_integer(table, (int64_t)compare->options.key_count);
	result_integer(table, (int64_t)balance->least);
	result_integer(table, (int64_t)balance->most);
	result_real(table, balance->over_mean);
	result_real(table, balance->most_band.low);
	result_real(table, balance->most_band.high);
	result_real(table, compare->requests > 0 ? balance->requests_over_mean : NAN);
	result_integer(table, (int64_t)sum_events(tally->moved, events));
	result_real(table, sum_minima(tally, events));
	result_integer(table, (int64_t)sum_events(tally->between, events));
	result_integer(table, (int64_t)tally->short_keys);
	result_real(table, tally->ns);
	result_integer(table, (int64_t)tally->bytes);
	result_text(table, verdict_of(report, index));
}

static void add_schemes(struct report *report)
{
	strew_table *table =
		result_add_table(report->result, "schemes", NULL, scheme_columns,
				 COUNT(scheme_columns), RESULT_NO_TITLE);

	for (size_t i = 0; i < report->compare->options.scheme_count; i++)
		add_scheme(report, table, i);
}

static void print_event(struct base_str *text, const strew_compare_event *event)
{
	static const char *const words[] = {"fail", "drain", "add", "reweight", "churn"};

	base_str_addf(text, "%s:", words[event->kind]);
	if (event->kind == STREW_COMPARE_CHURN)
		base_str_addf(text, "%u", (unsigned)event->weight);
	else
		base_str_add(text, event->node);
	if (event->kind == STREW_COMPARE_ADD || event->kind == STREW_COMPARE_REWEIGHT)
		base_str_addf(text, "=%.6g", event->weight / 65536.0);
}

struct takers {
	int64_t count;
	int64_t least;
	int64_t most;
};

/* Who took what the node lost, of those that could. */
static struct takers find_takers(const struct compare *compare,
				 const struct compare_tally *tally, size_t event)
{
	const struct compare_state *state = state_after(compare, event);
	const uint64_t *taken = tally->taken + event * compare->node_count;
	struct takers takers = {INT64_MIN, INT64_MIN, INT64_MIN};

	if (!analyze_compare_takes_all(&compare->options.events[event]))
		return takers;
	takers = (struct takers){0, INT64_MAX, 0};
	for (size_t i = 0; i < state->count; i++) {
		int64_t count = (int64_t)taken[state->members[i]];

		if (state->nodes[i].weight == 0)
			continue;
		takers.count += count > 0;
		takers.least = count < takers.least ? count : takers.least;
		takers.most = count > takers.most ? count : takers.most;
	}
	return takers;
}

static double over_mean_after(const struct compare *compare,
			      const struct compare_tally *tally, size_t event)
{
	const struct compare_state *state = state_after(compare, event);
	const uint64_t *keys = tally->after + event * compare->node_count;
	double most = 0;

	for (size_t i = 0; i < state->count; i++)
		most = fmax(most, over_share((double)keys[state->members[i]],
					     analyze_compare_share(state, i,
								   is_weighted(tally)),
					     (double)compare->options.key_count));
	return most;
}

static void add_event(struct report *report, strew_table *table, size_t event,
		      const struct compare_tally *tally)
{
	const struct compare *compare = report->compare;
	struct takers takers = find_takers(compare, tally, event);

	base_str_clear(&report->text);
	print_event(&report->text, &compare->options.events[event]);
	result_row(table);
	result_text(table, take_text(report));
	result_text(table, tally->scheme.name);
	result_integer(table, (int64_t)tally->moved[event]);
	result_real(table, 100.0 * (double)tally->moved[event] /
				   (double)compare->options.key_count);
	result_real(table, tally->minimum[event]);
	result_integer(table, (int64_t)tally->between[event]);
	result_integer(table, takers.count);
	result_integer(table, takers.least);
	result_integer(table, takers.most);
	result_real(table, over_mean_after(compare, tally, event));
}

static void add_events(struct report *report)
{
	const strew_compare_options *options = &report->compare->options;
	strew_table *table = result_add_table(report->result, "events", "what each moves",
					      event_columns, COUNT(event_columns),
					      options->event_count ? 0 : RESULT_NO_TEXT);

	for (size_t event = 0; event < options->event_count; event++) {
		for (size_t i = 0; i < options->scheme_count; i++)
			add_event(report, table, event, &report->tallies[i]);
	}
}

static void add_node(struct report *report, strew_table *table, size_t index,
		     size_t member)
{
	const struct compare *compare = report->compare;
	const struct compare_state *state = &compare->states[0];
	const struct compare_tally *tally = &report->tallies[index];
	uint32_t node = state->members[member];

	result_row(table);
	result_text(table, tally->scheme.name);
	result_text(table, state->nodes[member].name);
	result_real(table, state->nodes[member].weight / 65536.0);
	result_integer(table, (int64_t)tally->keys[node]);
	result_real(table, compare->requests > 0 ? tally->requests[node] : NAN);
	result_real(table, 100.0 * (double)tally->keys[node] /
				   (double)compare->options.key_count);
	result_real(table, 100 * report->balances[index].shares[member]);
}

/* People see it where it is short. */
#define NODES_SHOWN 24

static void add_nodes(struct report *report)
{
	const struct compare *compare = report->compare;
	size_t rows = compare->options.scheme_count * compare->states[0].count;
	strew_table *table = result_add_table(report->result, "nodes", NULL, node_columns,
					      COUNT(node_columns),
					      rows > NODES_SHOWN ? RESULT_NO_TEXT : 0);

	for (size_t i = 0; i < compare->options.scheme_count; i++) {
		for (size_t member = 0; member < compare->states[0].count; member++)
			add_node(report, table, i, member);
	}
}

static void add_hot(struct report *report)
{
	const strew_compare_options *options = &report->compare->options;
	strew_table *table;

	if (options->hot == 0 || options->copies == 0)
		return;
	table = result_add_table(report->result, "hot", "hot keys on several nodes",
				 hot_columns, COUNT(hot_columns), 0);
	for (size_t i = 0; i < options->scheme_count; i++) {
		result_row(table);
		result_text(table, report->tallies[i].scheme.name);
		result_integer(table, (int64_t)options->hot);
		result_integer(table, (int64_t)options->copies);
		result_real(table, report->balances[i].requests_over_mean);
		result_real(table, report->balances[i].hot_over_mean);
	}
}

/* The first that nothing speaks against. */
static void set_headline(struct report *report)
{
	const struct compare *compare = report->compare;
	const strew_compare_options *options = &compare->options;
	struct base_str *good = &report->text;
	size_t live = compare->states[0].live;

	base_str_clear(good);
	for (size_t i = 0; i < options->scheme_count; i++) {
		if (strcmp(verdict_of(report, i), "as an ideal hash") == 0)
			base_str_addf(good, "%s%s", base_str_len(good) ? ", " : "",
				      report->tallies[i].scheme.name);
	}
	report->failed |= !base_str_ok(good);
	if (base_str_len(good))
		result_set_headline(report->result,
				    "%zu keys on %zu node%s: as even as an ideal hash%s: "
				    "%s",
				    options->key_count, live, live == 1 ? "" : "s",
				    options->event_count ? ", and moving only what has to"
							 : "",
				    base_str_text(good));
	else
		result_set_headline(report->result,
				    "%zu keys on %zu node%s: no scheme here does all "
				    "that an ideal hash would",
				    options->key_count, live, live == 1 ? "" : "s");
}

static void add_notes(struct report *report)
{
	const struct compare *compare = report->compare;
	const struct balance *first = &report->balances[0];

	result_add_note(
		report->result,
		"In proportion to its share, an ideal hash gives the fullest node "
		"%.3f to %.3f times the mean and the emptiest %.3f to %.3f times, "
		"in 998 of 1000 cases (computed).",
		first->most_band.low, first->most_band.high, first->least_band.low,
		first->least_band.high);
	if (compare->requests > 0)
		result_add_note(report->result,
				"By requests, %.2f to %.2f times (simulated: a few keys "
				"have many of them).",
				first->request_band.low, first->request_band.high);
	if (compare->options.event_count)
		result_add_note(report->result,
				"astray: keys that move between two nodes that the event "
				"isn't about; 0 is promised by consistent schemes.");
}

static void draw(struct report *report)
{
	static const struct result_picture balance = {
		.shape = RESULT_BARS,
		.title = "Fullest node, as a multiple of the mean",
		.columns = {"scheme", "max_over_mean"},
	};
	static const struct result_picture moved = {
		.shape = RESULT_BARS,
		.title = "Keys that move",
		.columns = {"scheme", "moved_keys"},
	};

	result_draw(report->result, "schemes", &balance);
	if (report->compare->options.event_count)
		result_draw(report->result, "schemes", &moved);
}

static strew_status weigh_all(struct report *report, struct base_arena *arena)
{
	size_t schemes = report->compare->options.scheme_count;
	strew_status status = STREW_OK;

	report->balances = base_arena_alloc(arena, schemes, sizeof(*report->balances));
	if (report->balances == NULL)
		return STREW_ENOMEM;
	for (size_t i = 0; i < schemes && status == STREW_OK; i++) {
		report->balances[i].shares = base_arena_alloc(
			arena, report->compare->states[0].count, sizeof(double));
		if (report->balances[i].shares == NULL)
			return STREW_ENOMEM;
		status = balance_scheme(report, i);
	}
	return status;
}

static void add_tables(struct report *report)
{
	set_headline(report);
	add_schemes(report);
	add_notes(report);
	add_events(report);
	add_hot(report);
	add_nodes(report);
	draw(report);
}

strew_status analyze_compare_report(strew_result **out, const struct compare *compare,
				    const struct compare_tally *tallies,
				    strew_error *error)
{
	struct report report = {.compare = compare, .tallies = tallies};
	struct base_arena arena;
	strew_status status;

	report.result = result_new("compare", compare->allocator);
	if (report.result == NULL)
		return base_error_nomem(error);
	base_str_init(&report.text, compare->allocator);
	base_arena_init(&arena, compare->allocator);
	status = weigh_all(&report, &arena);
	if (status == STREW_OK) {
		add_tables(&report);
		status = result_status(report.result);
		if (report.failed)
			status = STREW_ENOMEM;
	}
	base_str_free(&report.text);
	base_arena_free(&arena);
	if (status != STREW_OK) {
		strew_result_free(report.result);
		return base_error_nomem(error);
	}
	*out = report.result;
	return STREW_OK;
}
