/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_fixed.h"
#include "base_str.h"
#include "edit_priv.h"

#define HINT_WORD_MAX 64

strew_status edit_refuse(struct edit_call *call, strew_status status,
			 const struct edit_arg *arg, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	base_error_vat(call->error, status, call->file, call->line,
		       arg && arg->text ? arg->column : call->end, format, args);
	va_end(args);
	return status;
}

const char *edit_hint(struct edit_call *call, const char *word, const char *const *names)
{
	const char *nearest = NULL;
	char text[160];
	char *kept;

	if (strlen(word) <= HINT_WORD_MAX)
		nearest = base_str_nearest(word, names);
	if (nearest == NULL)
		return "";
	snprintf(text, sizeof(text), "; did you mean \"%.96s\"?", nearest);
	kept = base_arena_strdup(&call->scratch, text);
	return kept ? kept : "";
}

void edit_offer(struct edit_names *names, const char *name)
{
	if (names->count < EDIT_NAMES_MAX)
		names->list[names->count++] = name;
	names->list[names->count] = NULL;
}

const char *edit_label(strew_edit *edit, struct edit_call *call, int32_t item)
{
	const strew_bucket *bucket = edit_bucket(edit, item);
	const strew_device *device = strew_map_device_by_id(&edit->map, item);
	const char *type =
		bucket ? strew_map_type_name(&edit->map, bucket->type) : "device";
	char text[256];
	char *kept;

	if (bucket == NULL && device == NULL)
		snprintf(text, sizeof(text), "item %d", (int)item);
	else
		snprintf(text, sizeof(text), "%.96s %.96s", type ? type : "bucket",
			 bucket ? bucket->name : device->name);
	kept = base_arena_strdup(&call->scratch, text);
	return kept ? kept : "";
}

bool edit_parse_number(int64_t *out, const char *text, int64_t max)
{
	int64_t value = 0;

	if (*text == '\0')
		return false;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text) || value > (max - (*text - '0')) / 10)
			return false;
		value = value * 10 + (*text - '0');
	}
	*out = value;
	return true;
}

/* Digits and a point, which no locale changes. */
static bool parse_decimal(double *out, const char *text)
{
	double value = 0, unit = 1;
	bool digits = false, point = false;

	for (; *text; text++) {
		if (*text == '.' && !point) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*text))
			return false;
		digits = true;
		value = value * 10 + (*text - '0');
		unit *= point ? 10 : 1;
	}
	*out = value / unit;
	return digits;
}

bool edit_parse_weight(uint32_t *out, const char *text)
{
	double value;

	return parse_decimal(&value, text) && base_fixed_from_double(out, value);
}

static strew_status find_type_name(strew_edit *edit, struct edit_call *call,
				   struct edit_arg *arg, const char *name)
{
	struct edit_names names = {.count = 0};

	arg->type = strew_map_find_type(&edit->map, name);
	if (arg->type >= 0)
		return STREW_OK;
	for (size_t i = 0; i < edit->map.type_count; i++)
		edit_offer(&names, edit->map.types[i].name);
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "there is no type \"%.64s\" of buckets%s", name,
			   edit_hint(call, name, names.list));
}

static strew_status find_type(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	return find_type_name(edit, call, arg, arg->text);
}

/* "host:h9" */
static strew_status find_typed_name(strew_edit *edit, struct edit_call *call,
				    struct edit_arg *arg)
{
	char *type = base_arena_strdup(&call->scratch, arg->text), *colon;
	strew_status status;

	if (type == NULL)
		return base_error_nomem(call->error);
	colon = strchr(type, ':');
	if (colon == NULL || colon == type || colon[1] == '\0')
		return edit_refuse(call, STREW_ESYNTAX, arg,
				   "\"%.64s\" must be the type and the name of the new "
				   "bucket, such as host:h9",
				   arg->text);
	*colon = '\0';
	arg->name = colon + 1;
	status = find_type_name(edit, call, arg, type);
	if (status == STREW_OK && arg->type == 0)
		return edit_refuse(call, STREW_EMAP, arg,
				   "%.64s is the type of devices, which are added by "
				   "\"add device\"",
				   type);
	return status ? status : edit_check_free(edit, call, arg, arg->name);
}

static strew_status find_weight(strew_edit *edit, struct edit_call *call,
				struct edit_arg *arg)
{
	(void)edit;
	if (edit_parse_weight(&arg->weight, arg->text))
		return STREW_OK;
	return edit_refuse(call, STREW_ERANGE, arg,
			   "\"%.64s\" is no weight; it must be a number from 0 to below "
			   "65536, such as 9.1",
			   arg->text);
}

/* Rounded to the nearest 1/65536, as --reweight is. */
static strew_status find_share(strew_edit *edit, struct edit_call *call,
			       struct edit_arg *arg)
{
	double value;

	(void)edit;
	if (parse_decimal(&value, arg->text) && value <= 1.0 &&
	    base_fixed_nearest(&arg->weight, value))
		return STREW_OK;
	return edit_refuse(call, STREW_ERANGE, arg,
			   "\"%.64s\" must be a number from 0 to 1", arg->text);
}

static strew_status find_number_arg(strew_edit *edit, struct edit_call *call,
				    struct edit_arg *arg)
{
	(void)edit;
	if (edit_parse_number(&arg->number, arg->text, UINT32_MAX))
		return STREW_OK;
	return edit_refuse(call, STREW_ERANGE, arg,
			   "\"%.64s\" must be a whole number from 0 to 4294967295",
			   arg->text);
}

static strew_status find_rule(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	struct edit_names names = {.count = 0};
	int64_t number;

	arg->id = strew_map_find_rule(&edit->map, arg->text);
	if (arg->id < 0 && edit_parse_number(&number, arg->text, UINT16_MAX) &&
	    map_rule_by_id(&edit->map, (int32_t)number))
		arg->id = (int32_t)number;
	if (arg->id >= 0)
		return STREW_OK;
	for (size_t i = 0; i < edit->map.rule_count; i++)
		edit_offer(&names, edit->map.rules[i].name);
	return edit_refuse(call, STREW_ENOTFOUND, arg, "there is no rule \"%.96s\"%s",
			   arg->text, edit_hint(call, arg->text, names.list));
}

static strew_status find_pool(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	const strew_pool *pool = strew_map_pool_by_name(&edit->map, arg->text);
	struct edit_names names = {.count = 0};
	int64_t number;

	if (pool == NULL && edit_parse_number(&number, arg->text, INT64_MAX))
		pool = strew_map_pool_by_id(&edit->map, number);
	if (pool) {
		arg->number = pool->id;
		return STREW_OK;
	}
	for (size_t i = 0; i < edit->map.pool_count; i++)
		edit_offer(&names, edit->map.pools[i].name);
	return edit_refuse(call, STREW_ENOTFOUND, arg, "there is no pool \"%.96s\"%s",
			   arg->text, edit_hint(call, arg->text, names.list));
}

/* "compat", or the pool that a weight set is for. */
static strew_status find_set(strew_edit *edit, struct edit_call *call,
			     struct edit_arg *arg)
{
	arg->number = -1;
	if (strcmp(arg->text, "compat") == 0)
		return STREW_OK;
	if (strew_map_find_weight_set(&arg->number, &edit->map, arg->text) == STREW_OK)
		return STREW_OK;
	return find_pool(edit, call, arg);
}

static strew_status find_pg(strew_edit *edit, struct edit_call *call,
			    struct edit_arg *arg)
{
	const strew_pool *pool = NULL;

	if (strew_pg_parse(&arg->pg, arg->text) != STREW_OK)
		return edit_refuse(call, STREW_ESYNTAX, arg,
				   "\"%.64s\" is no PG; PGs are written as 1.2f",
				   arg->text);
	pool = strew_map_pool_by_id(&edit->map, arg->pg.pool);
	if (pool == NULL)
		return edit_refuse(call, STREW_ENOTFOUND, arg,
				   "there is no pool with the id %lld",
				   (long long)arg->pg.pool);
	if (arg->pg.seed < pool->pg_num)
		return STREW_OK;
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "pool %.96s has the PGs %lld.0 to %lld.%x", pool->name,
			   (long long)pool->id, (long long)pool->id, pool->pg_num - 1);
}

static strew_status find_kind(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	static const struct {
		const char *word;
		strew_kind kind;
	} kinds[] = {
		{"replicated", STREW_KIND_REPLICATED},
		{"erasure", STREW_KIND_ERASURE},
		{"msr_firstn", STREW_KIND_MSR_FIRSTN},
		{"msr_indep", STREW_KIND_MSR_INDEP},
	};

	(void)edit;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].word, arg->text) == 0) {
			arg->type = (int32_t)kinds[i].kind;
			return STREW_OK;
		}
	}
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "\"%.64s\" must be replicated or erasure, for rules also "
			   "msr_firstn or msr_indep",
			   arg->text);
}

/* Shadows are named BUCKET~CLASS. */
static strew_status find_class(strew_edit *edit, struct edit_call *call,
			       struct edit_arg *arg)
{
	(void)edit;
	if (strchr(arg->text, '~') == NULL)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, arg,
			   "\"%.64s\" is no device class: it can't have a \"~\"",
			   arg->text);
}

/** What the words in capitals of the syntaxes are. */
static const struct {
	const char *word;
	strew_status (*find)(strew_edit *edit, struct edit_call *call,
			     struct edit_arg *arg); /* NULL: any word */
	bool takes_rest;
} kinds[] = {
	{"ITEM", edit_find_item, false},
	{"BUCKET", edit_find_bucket, false},
	{"DEVICE", edit_find_device, false},
	{"DEVICES", edit_find_devices, false},
	{"IDS", edit_find_ids, false},
	{"TYPE:NAME", find_typed_name, false},
	{"TYPE", find_type, false},
	{"CLASS", find_class, false},
	{"NEW", find_class, false},
	{"W", find_weight, false},
	{"SHARE", find_share, false},
	{"N", find_number_arg, false},
	{"RULE", find_rule, false},
	{"POOL", find_pool, false},
	{"SET", find_set, false},
	{"PG", find_pg, false},
	{"KIND", find_kind, false},
	{"STEPS", NULL, true},
	{"WEIGHTS", NULL, true},
};

static size_t find_kind_of(const char *kind, size_t len)
{
	size_t i = 0;

	while (i < sizeof(kinds) / sizeof(kinds[0]) &&
	       (strlen(kinds[i].word) != len || strncmp(kinds[i].word, kind, len) != 0))
		i++;
	return i;
}

bool edit_takes_rest(const char *kind, size_t kind_len)
{
	size_t i = find_kind_of(kind, kind_len);

	return i < sizeof(kinds) / sizeof(kinds[0]) && kinds[i].takes_rest;
}

strew_status edit_resolve(strew_edit *edit, struct edit_call *call, struct edit_arg *arg,
			  const char *kind, size_t kind_len)
{
	size_t i = find_kind_of(kind, kind_len);

	if (arg->text[0] == '\0')
		return edit_refuse(call, STREW_ESYNTAX, arg, "%.*s can't be empty",
				   (int)kind_len, kind);
	if (i == sizeof(kinds) / sizeof(kinds[0]) || kinds[i].find == NULL)
		return STREW_OK;
	return kinds[i].find(edit, call, arg);
}
