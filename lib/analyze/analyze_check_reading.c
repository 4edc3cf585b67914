/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

/** What came up while the map was read, built and compiled. */

static void add_told(struct check *check, const strew_error *told)
{
	if (told->line > 0 && told->column > 0)
		analyze_check_begin(check, "%s:%d:%d", told->where, told->line,
				    told->column);
	else if (told->line > 0)
		analyze_check_begin(check, "%s:%d", told->where, told->line);
	else
		analyze_check_begin(check, "%s", told->where);
	analyze_check_say(check, "%s",
			  told->text[0] ? told->text : strew_status_text(told->status));
	analyze_check_end(check);
}

static void add_uncounted(struct check *check, size_t count, const char *what)
{
	analyze_check_begin(check, "%s", "");
	analyze_check_say(check, "there are %zu more %s, which are not listed", count,
			  what);
	analyze_check_end(check);
}

static void find_faults(struct check *check)
{
	const strew_error *fault;
	size_t i = 0;

	if (check->builder == NULL)
		return;
	while ((fault = strew_builder_fault_at(check->builder, i)) != NULL) {
		add_told(check, fault);
		i++;
	}
	if (strew_builder_fault_count(check->builder) > i)
		add_uncounted(check, strew_builder_fault_count(check->builder) - i,
			      "faults");
	if (check->failure)
		add_told(check, check->failure);
}

static void find_unplaceable(struct check *check)
{
	if (check->map && check->placer == NULL)
		add_told(check, &check->unplaceable);
}

static void add_builder_warnings(struct check *check)
{
	const strew_error *warning;
	size_t i = 0;

	while ((warning = strew_builder_warning_at(check->builder, i)) != NULL) {
		add_told(check, warning);
		i++;
	}
	if (strew_builder_warning_count(check->builder) > i)
		add_uncounted(check, strew_builder_warning_count(check->builder) - i,
			      "warnings");
}

/* What can still be seen in the map has a finding of its own. */
static void find_warnings(struct check *check)
{
	if (check->map == NULL) {
		add_builder_warnings(check);
		return;
	}
	for (size_t i = 0; i < check->map->warning_count; i++)
		if (!check->map->warnings[i].in_map)
			add_told(check, &check->map->warnings[i].error);
}

static const struct check_kind kinds[] = {
	{"fault", CHECK_ERROR, "Correct it: the map can't be loaded as it is.",
	 find_faults},
	{"not-placeable", CHECK_ERROR,
	 "Nothing can be placed with this map; give the bucket another algorithm, or "
	 "split it.",
	 find_unplaceable},
	{"reading", CHECK_WARNING, "Correct the input, or make sure that this is meant.",
	 find_warnings},
};

const struct check_subject analyze_check_reading = CHECK_SUBJECT(kinds);
