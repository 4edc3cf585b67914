/* SPDX-License-Identifier: MIT */
/* What comes before the rule, and what becomes of the set that it gives. */
#include <inttypes.h>

#include "analyze_trace_priv.h"
#include "base_fixed.h"

static const struct result_column stage_columns[] = {
	{"stage", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"to", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"verdict", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"devices", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"what", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column list_columns[] = {
	{"stage", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"what", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What a stage came to. */
struct stage {
	const char *name;
	int32_t device;
	int32_t to;
	const char *verdict;
	const strew_set *set;
};

/* Both tables get a row; `what` is taken. */
static void add_stage(struct trace *trace, strew_table *list, const struct stage *stage,
		      struct base_str *what)
{
	strew_table *table = trace->stage_table;

	result_row(table);
	result_text(table, stage->name);
	result_integer(table, stage->device);
	result_integer(table, stage->to);
	result_text(table, stage->verdict);
	if (stage->set) {
		result_set(table, stage->set->devices, (size_t)stage->set->count);
		result_integer(table, stage->set->primary);
	} else {
		result_null(table);
		result_null(table);
	}
	result_text(table, base_str_text(what));
	result_row(list);
	result_text(list, stage->name);
	result_text(list, base_str_text(what));
	trace->failed |= !base_str_ok(what);
	base_str_clear(what);
}

static void add_words(struct trace *trace, strew_table *list, const char *name,
		      struct base_str *what)
{
	const struct stage stage = {.name = name, .device = STREW_NONE, .to = STREW_NONE};

	add_stage(trace, list, &stage, what);
}

static void add_object(struct trace *trace, strew_table *list, struct base_str *what)
{
	const strew_named_object *object = analyze_object(&trace->plan, 0);

	base_str_add(what, "the hash of the name \"");
	base_str_add_bytes(what, object->name, object->name_len);
	base_str_addf(what, "\" is 0x%08" PRIx32, trace->hash);
	add_words(trace, list, "object", what);
}

static void add_pg(struct trace *trace, strew_table *list, struct base_str *what)
{
	const strew_pool *pool = trace->plan.groups[0].pools[0];

	base_str_addf(what, "%" PRId64 ".%" PRIx32, pool->id, trace->pg.seed);
	if (trace->plan.kind == ANALYZE_OBJECTS)
		base_str_addf(what,
			      ": stable_mod of the hash and the %" PRIu32
			      " PGs of pool %s",
			      pool->pg_num, pool->name);
	else
		base_str_addf(what, " of pool %s", pool->name);
	add_words(trace, list, "pg", what);
	base_str_addf(what, "x = %" PRIu32 ": ", trace->call.x);
	base_str_addf(what,
		      pool->hashpspool ? "the hash of %" PRIu32 " and the pool's id"
				       : "%" PRIu32 " plus the pool's id",
		      map_stable_mod(trace->pg.seed, pool->pgp_num));
	if (pool->pgp_num != pool->pg_num)
		base_str_addf(what, " (pgp_num is %" PRIu32 ")", pool->pgp_num);
	add_words(trace, list, "input", what);
}

static void add_raw(struct trace *trace, strew_table *list, struct base_str *what)
{
	base_str_addf(what, "x = %" PRIu32, trace->call.x);
	if (trace->plan.inputs.hash_pool)
		base_str_addf(what, ": the hash of %" PRIu32 " and pool id %" PRId64,
			      analyze_raw_input(&trace->plan, 0),
			      trace->plan.inputs.pool_id);
	add_words(trace, list, "input", what);
}

static void add_rule(struct trace *trace, strew_table *list, struct base_str *what)
{
	const struct map_weight_set *set =
		trace->call.set ? map_weight_set_by_id(trace->map, trace->call.set->id)
				: NULL;

	base_str_addf(what, "%s, %s, for %d devices", trace->rule->name,
		      analyze_kind_name(trace->rule->kind), trace->call.want);
	if (set)
		base_str_addf(what, "; weights are those of weight set %s",
			      set->name && set->name[0] ? set->name : "");
	if (set && !(set->name && set->name[0]))
		base_str_addf(what, "%" PRId64, set->id);
	add_words(trace, list, "rule", what);
}

void analyze_trace_tell_beginning(struct trace *trace)
{
	strew_table *list;
	struct base_str what;

	trace->stage_table =
		result_add_table(trace->result, "stages", NULL, stage_columns,
				 COUNT(stage_columns), RESULT_NO_TEXT);
	list = result_add_table(trace->result, "beginning", NULL, list_columns,
				COUNT(list_columns),
				RESULT_TEXT_ONLY | RESULT_LIST | RESULT_ANSWER);
	base_str_init(&what, trace->allocator);
	if (trace->plan.kind == ANALYZE_OBJECTS)
		add_object(trace, list, &what);
	if (trace->plan.kind == ANALYZE_RAW)
		add_raw(trace, list, &what);
	else
		add_pg(trace, list, &what);
	add_rule(trace, list, &what);
	trace->failed |= !base_str_ok(&what);
	base_str_free(&what);
}

static const char *device_name(const struct trace *trace, int32_t device)
{
	return device == STREW_NONE ? "NONE" : analyze_item_name(trace->map, device);
}

static void add_set(struct trace *trace, strew_table *list, const char *name,
		    const strew_set *set, struct base_str *what)
{
	const struct stage stage = {
		.name = name, .device = STREW_NONE, .to = STREW_NONE, .set = set};

	for (int i = 0; i < set->count; i++)
		base_str_addf(what, "%s%s", i > 0 ? "  " : "",
			      device_name(trace, set->devices[i]));
	if (set->count == 0)
		base_str_add(what, "no device");
	base_str_addf(what, "    primary %s", device_name(trace, set->primary));
	add_stage(trace, list, &stage, what);
}

static const char *verdict_word(enum place_verdict verdict)
{
	static const char *const words[] = {
		[PLACE_APPLIED] = "applied",     [PLACE_MISSING] = "missing",
		[PLACE_DOWN] = "down",           [PLACE_OUT] = "out",
		[PLACE_NOT_THERE] = "not-there", [PLACE_THERE] = "there-already",
		[PLACE_FIRST] = "first-already", [PLACE_NONE_SERVES] = "none-serves",
	};

	return words[verdict];
}

static const char *stage_name(enum place_event_kind kind)
{
	static const char *const names[] = {
		[PLACE_DROPPED] = "dropped",
		[PLACE_UPMAP] = "upmap",
		[PLACE_UPMAP_ITEM] = "upmap item",
		[PLACE_UPMAP_PRIMARY] = "upmap primary",
		[PLACE_DECLINED] = "affinity",
		[PLACE_TEMP] = "pg_temp",
		[PLACE_PRIMARY_TEMP] = "primary_temp",
	};

	return names[kind];
}

/* Why an override does nothing, or that it does. */
static void add_override(struct base_str *what, const struct trace *trace,
			 const struct place_event *event)
{
	const char *device = device_name(trace, event->device);
	bool pair = event->kind == PLACE_UPMAP_ITEM;
	const char *target = pair ? device_name(trace, event->to) : device;

	switch (event->verdict) {
	case PLACE_OUT:
		base_str_addf(what, "skipped: %s is out (its reweight is 0)", target);
		break;
	case PLACE_NOT_THERE:
		base_str_addf(what, "skipped: %s is not in the set", device);
		break;
	case PLACE_THERE:
		base_str_addf(what, "skipped: %s is in the set already", target);
		break;
	case PLACE_FIRST:
		base_str_addf(what, "nothing to do: %s is the first already", device);
		break;
	case PLACE_NONE_SERVES:
		base_str_add(what, "skipped: none of its devices is up");
		break;
	default:
		base_str_add(what, "applied");
	}
}

static void add_refusal(struct base_str *what, const char *device,
			const struct place_event *event)
{
	base_str_addf(what, "%s declines to be primary: its affinity is %.4g", device,
		      base_fixed_to_double(event->affinity));
	if (event->affinity > 0)
		base_str_addf(what,
			      ", and the hash 0x%04" PRIx32 " is not below 0x%04" PRIx32,
			      event->hash, event->affinity);
}

static void add_event_words(struct base_str *what, const struct trace *trace,
			    const struct place_event *event)
{
	const char *device = device_name(trace, event->device);

	switch (event->kind) {
	case PLACE_DROPPED:
		base_str_addf(what, "%s %s: it leaves the set", device,
			      event->verdict == PLACE_DOWN ? "is down" : "doesn't exist");
		return;
	case PLACE_DECLINED:
		add_refusal(what, device, event);
		return;
	case PLACE_PRIMARY_TEMP:
		base_str_addf(what, "%s is the acting primary", device);
		return;
	case PLACE_UPMAP_ITEM:
		base_str_addf(what, "%s → %s: ", device, device_name(trace, event->to));
		break;
	case PLACE_UPMAP_PRIMARY:
		base_str_addf(what, "%s to the front: ", device);
		break;
	default:
		base_str_add(what, "another set: ");
	}
	add_override(what, trace, event);
}

static void add_event(struct trace *trace, strew_table *list,
		      const struct place_event *event, struct base_str *what)
{
	struct stage stage = {.name = stage_name(event->kind),
			      .device = event->device,
			      .to = event->to,
			      .verdict = verdict_word(event->verdict)};

	if (event->kind == PLACE_DECLINED)
		stage.verdict = "declined";
	if (event->kind != PLACE_UPMAP_ITEM)
		stage.to = STREW_NONE;
	if (event->kind == PLACE_TEMP ||
	    (event->kind == PLACE_UPMAP && event->verdict == PLACE_APPLIED))
		stage.device = STREW_NONE;
	add_event_words(what, trace, event);
	add_stage(trace, list, &stage, what);
}

/* What leaves the set before the first upmap has no part in the raw set; the up set
 * stands when its primary is chosen. */
static void tell_events(struct trace *trace, strew_table *list, struct base_str *what)
{
	const struct place_event *events = trace->events.items;
	size_t count = trace->events.count, i = 0;

	for (; i < count && events[i].kind == PLACE_DROPPED &&
	       events[i].verdict == PLACE_MISSING;
	     i++)
		add_event(trace, list, &events[i], what);
	add_set(trace, list, "raw", &trace->stages.raw, what);
	for (; i < count; i++) {
		if (events[i].kind == PLACE_LED)
			add_set(trace, list, "up", &trace->stages.up, what);
		else
			add_event(trace, list, &events[i], what);
	}
	add_set(trace, list, "acting", &trace->stages.acting, what);
}

void analyze_trace_tell_end(struct trace *trace)
{
	strew_table *list = result_add_table(
		trace->result, "end", NULL, list_columns, COUNT(list_columns),
		RESULT_TEXT_ONLY | RESULT_LIST | RESULT_ANSWER);
	struct base_str what;

	base_str_init(&what, trace->allocator);
	if (trace->plan.kind == ANALYZE_RAW)
		add_set(trace, list, "result", &trace->stages.up, &what);
	else
		tell_events(trace, list, &what);
	trace->failed |= !base_str_ok(&what);
	base_str_free(&what);
}
