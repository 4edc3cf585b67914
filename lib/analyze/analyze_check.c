/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"

/* How many findings of a kind are told in text, and how many faults. */
#define SHOWN_MAX  10
#define FAULTS_MAX 20

/* Of all subjects, and some more. */
#define KINDS_MAX 128

const struct check_subject *const analyze_check_subjects[] = {
	&analyze_check_reading, &analyze_check_tree,     &analyze_check_weights,
	&analyze_check_shadows, &analyze_check_pools,    &analyze_check_upmaps,
	&analyze_check_rules,   &analyze_check_levels,   &analyze_check_roots,
	&analyze_check_names,   &analyze_check_settings, &analyze_check_clients,
};

const size_t analyze_check_subject_count =
	sizeof(analyze_check_subjects) / sizeof(analyze_check_subjects[0]);

static const char *const severities[] = {"error", "warning", "info"};

static const struct result_column columns[] = {
	{"severity", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"code", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"path", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"message", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"advice", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column list_columns[] = {
	{"severity", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"code", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"path", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"text", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column summary_columns[] = {
	{"errors", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"warnings", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"infos", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"checks", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void analyze_check_begin(struct check *check, const char *format, ...)
{
	va_list args;

	base_str_clear(&check->path);
	base_str_clear(&check->message);
	base_str_clear(&check->advice);
	va_start(args, format);
	base_str_addv(&check->path, format, args);
	va_end(args);
}

void analyze_check_say(struct check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	base_str_addv(&check->message, format, args);
	va_end(args);
}

void analyze_check_advise(struct check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	base_str_addv(&check->advice, format, args);
	va_end(args);
}

static const char *advice_of(const struct check *check)
{
	return base_str_len(&check->advice) > 0 ? base_str_text(&check->advice)
						: check->kind->advice;
}

/* What to do is told once, with the first of a kind, unless it differs. */
static void add_to_list(struct check *check)
{
	const char *message = base_str_text(&check->message);
	size_t len = base_str_len(&check->message);

	base_str_clear(&check->text);
	base_str_add(&check->text, message);
	if (len == 0 || strchr(".?!", message[len - 1]) == NULL)
		base_str_add(&check->text, ".");
	if (check->found == 0 || base_str_len(&check->advice) > 0)
		base_str_addf(&check->text, " %s", advice_of(check));
	result_row(check->list);
	result_text(check->list, severities[check->kind->severity]);
	result_text(check->list, check->kind->code);
	result_text(check->list, base_str_text(&check->path));
	result_text(check->list, base_str_text(&check->text));
	if (!base_str_ok(&check->text))
		check->status = STREW_ENOMEM;
}

void analyze_check_end(struct check *check)
{
	result_row(check->findings);
	result_text(check->findings, severities[check->kind->severity]);
	result_text(check->findings, check->kind->code);
	result_text(check->findings, base_str_text(&check->path));
	result_text(check->findings, base_str_text(&check->message));
	result_text(check->findings, advice_of(check));
	if (!base_str_ok(&check->path) || !base_str_ok(&check->message) ||
	    !base_str_ok(&check->advice))
		check->status = STREW_ENOMEM;
	if (check->found < check->shown)
		add_to_list(check);
	check->found++;
	check->counts[check->kind->severity]++;
}

const char *analyze_check_type(const struct check *check, const strew_bucket *bucket)
{
	return strew_map_type_name(check->map, bucket->type);
}

/* Five decimals tell 65536ths apart. */
struct check_weight analyze_check_weight(uint64_t weight)
{
	uint64_t scaled = (weight * 100000 + STREW_WEIGHT_ONE / 2) / STREW_WEIGHT_ONE;
	struct check_weight out;
	size_t len = (size_t)snprintf(out.text, sizeof(out.text), "%" PRIu64 ".%05u",
				      scaled / 100000, (unsigned)(scaled % 100000));

	while (out.text[len - 1] == '0')
		len--;
	out.text[out.text[len - 1] == '.' ? len - 1 : len] = '\0';
	return out;
}

const strew_bucket *analyze_check_child(const struct check *check, int32_t item)
{
	return item < 0 ? &check->map->buckets[-1 - item] : NULL;
}

static void look_for(struct check *check, const struct check_kind *kind)
{
	check->kind = kind;
	check->shown = check->shown_max;
	check->found = 0;
	check->kinds++;
	kind->look(check);
	if (check->found <= check->shown)
		return;
	result_row(check->list);
	result_text(check->list, severities[kind->severity]);
	result_text(check->list, kind->code);
	result_text(check->list, "");
	result_textf(check->list,
		     "… and %zu more; `--report json` and csv have them too.",
		     check->found - check->shown);
}

static bool is_ignored(const strew_check_options *how, const struct check_kind *kind)
{
	for (size_t i = 0; i < how->ignored_count; i++)
		if (strcmp(how->ignored[i], kind->code) == 0)
			return true;
	return false;
}

static void look_in(struct check *check, const struct check_subject *subject,
		    enum check_severity severity, const strew_check_options *how)
{
	for (size_t i = 0; i < subject->count && check->status == STREW_OK; i++) {
		const struct check_kind *kind = &subject->kinds[i];

		if (kind->severity == severity && !is_ignored(how, kind))
			look_for(check, kind);
	}
}

static void look(struct check *check, const struct check_subject *const *subjects,
		 size_t count, const strew_check_options *how)
{
	for (int severity = 0; severity < CHECK_SEVERITIES; severity++)
		for (size_t i = 0; i < count; i++)
			look_in(check, subjects[i], (enum check_severity)severity, how);
}

/* All codes, once for each kind. @return how many */
static size_t list_codes(const char **codes, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < analyze_check_subject_count; i++) {
		const struct check_subject *subject = analyze_check_subjects[i];

		for (size_t j = 0; j < subject->count && count < room; j++)
			codes[count++] = subject->kinds[j].code;
	}
	return count;
}

static strew_status refuse_code(const char *code, const char *const *codes,
				strew_error *error)
{
	const char *nearest = base_str_nearest(code, codes);

	if (nearest)
		return base_error_set(error, STREW_ENOTFOUND,
				      "there is no finding \"%s\"; did you mean \"%s\"?",
				      code, nearest);
	return base_error_set(error, STREW_ENOTFOUND, "there is no finding \"%s\"", code);
}

static strew_status check_ignored(const strew_check_options *how, strew_error *error)
{
	const char *codes[KINDS_MAX + 1] = {NULL};
	size_t count = list_codes(codes, KINDS_MAX);

	for (size_t i = 0; i < how->ignored_count; i++) {
		size_t at = 0;

		while (at < count && strcmp(codes[at], how->ignored[i]) != 0)
			at++;
		if (at == count)
			return refuse_code(how->ignored[i], codes, error);
	}
	return STREW_OK;
}

static void add_tables(struct check *check)
{
	check->findings = result_add_table(check->result, "findings", NULL, columns,
					   COUNT(columns), RESULT_NO_TEXT);
	check->list =
		result_add_table(check->result, "list", NULL, list_columns,
				 COUNT(list_columns), RESULT_TEXT_ONLY | RESULT_LIST);
}

static void say_count(struct base_str *text, int64_t count, const char *word)
{
	if (count > 0)
		base_str_addf(text, "%s%" PRId64 " %s%s", base_str_len(text) ? ", " : "",
			      count, word, count == 1 ? "" : "s");
}

static void add_summary(struct check *check)
{
	strew_table *table =
		result_add_table(check->result, "summary", NULL, summary_columns,
				 COUNT(summary_columns), RESULT_RECORD | RESULT_NO_TEXT);

	result_row(table);
	base_str_clear(&check->text);
	for (int i = 0; i < CHECK_SEVERITIES; i++) {
		result_integer(table, check->counts[i]);
		say_count(&check->text, check->counts[i], severities[i]);
	}
	result_integer(table, (int64_t)check->kinds);
	if (base_str_len(&check->text) == 0)
		base_str_add(&check->text, "no findings");
	if (check->map)
		say_count(&check->text, (int64_t)check->kinds, "check");
	else
		base_str_add(&check->text, "; the map can't be loaded");
	result_add_note(check->result, "%s%s", base_str_text(&check->text),
			check->map ? " made" : "");
	if (!base_str_ok(&check->text))
		check->status = STREW_ENOMEM;
}

/* Compile the map, so that what needs placements can have them. */
static strew_status open_placer(strew_placer **out, struct check *check)
{
	strew_placer_options how = STREW_PLACER_OPTIONS_INIT;
	strew_status status;

	how.allocator = check->allocator;
	status = strew_placer_new(out, check->map, &how, &check->unplaceable);
	check->placer = *out;
	return status == STREW_EMAP || status == STREW_ERANGE ? STREW_OK : status;
}

static strew_status open_map(strew_placer **placer, struct check *check)
{
	strew_status status =
		analyze_tree_new(&check->tree, check->map, check->allocator, NULL);

	if (status == STREW_OK) {
		check->buckets =
			base_calloc(check->allocator, check->map->bucket_count + 1,
				    sizeof(*check->buckets));
		status = check->buckets ? STREW_OK : STREW_ENOMEM;
	}
	if (status == STREW_OK) {
		analyze_check_survey(check);
		status = open_placer(placer, check);
	}
	return status;
}

static void close_map(strew_placer *placer, struct check *check)
{
	analyze_check_uses_free(check->uses);
	if (check->upmaps.upmaps)
		analyze_upmaps_free(&check->upmaps);
	strew_placer_release(placer);
	base_free(check->allocator, check->buckets,
		  (check->map->bucket_count + 1) * sizeof(*check->buckets));
	analyze_tree_free(&check->tree, check->allocator);
}

static void start(struct check *check, const strew_run *run)
{
	check->run = run;
	check->allocator = base_allocator_or_heap(run->allocator);
	base_str_init(&check->path, check->allocator);
	base_str_init(&check->message, check->allocator);
	base_str_init(&check->advice, check->allocator);
	base_str_init(&check->text, check->allocator);
	check->result = result_new("check", check->allocator);
	if (check->result)
		add_tables(check);
	else
		check->status = STREW_ENOMEM;
}

static strew_status finish(strew_result **out, struct check *check, strew_error *error)
{
	strew_status status;

	if (check->status == STREW_OK)
		add_summary(check);
	status = check->status;
	if (status == STREW_OK)
		status = result_status(check->result);
	base_str_free(&check->path);
	base_str_free(&check->message);
	base_str_free(&check->advice);
	base_str_free(&check->text);
	if (status == STREW_OK) {
		*out = check->result;
		return STREW_OK;
	}
	strew_result_free(check->result);
	return base_error_set(error, status, "%s", strew_status_text(status));
}

strew_status strew_check(strew_result **out, const strew_map *map,
			 const strew_check_options *options, const strew_run *run,
			 strew_error *error)
{
	strew_check_options how = STREW_CHECK_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	struct check check = {.map = map, .shown_max = SHOWN_MAX};
	strew_placer *placer = NULL;
	strew_status status;

	*out = NULL;
	analyze_read_options(&how, options);
	analyze_read_options(&with, run);
	status = check_ignored(&how, error);
	if (status)
		return status;
	if (how.want < 0 || how.want > STREW_WANT_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "the size of a set is 1 to %d, not %d",
				      STREW_WANT_MAX, how.want);
	check.want = how.want;
	check.count = how.count;
	start(&check, &with);
	if (check.status == STREW_OK)
		check.status = open_map(&placer, &check);
	look(&check, analyze_check_subjects, analyze_check_subject_count, &how);
	close_map(placer, &check);
	return finish(out, &check, error);
}

strew_status strew_check_faults(strew_result **out, const strew_builder *builder,
				const strew_error *failure, const strew_run *run,
				strew_error *error)
{
	static const struct check_subject *const reading = &analyze_check_reading;
	strew_check_options how = STREW_CHECK_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	struct check check = {
		.builder = builder, .failure = failure, .shown_max = FAULTS_MAX};

	*out = NULL;
	analyze_read_options(&with, run);
	start(&check, &with);
	look(&check, &reading, 1, &how);
	return finish(out, &check, error);
}
