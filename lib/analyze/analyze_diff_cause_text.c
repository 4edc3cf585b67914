/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_str.h"

/* The parts of the excess, in numbers and in words. */

struct teller {
	const struct diff *diff;
	struct base_str text;
	struct diff_ids ids;   /* that buckets of the same name had, … */
	struct diff_ids taken; /* … or those that a rule took */
	struct diff_parents parents;
};

static void tell_tree_switch(struct teller *teller)
{
	const struct diff *diff = teller->diff;
	const strew_bucket *before = analyze_diff_first_taken(diff, 0);
	const strew_bucket *after = analyze_diff_first_taken(diff, 1);

	if (before && after && before->id != after->id)
		base_str_addf(&teller->text,
			      "The rule takes %s (id %" PRId32 ") in place of %s (id "
			      "%" PRId32 "). ",
			      after->name, after->id, before->name, before->id);
	base_str_add(&teller->text, "Bucket ids are hashed, so that the same devices are "
				    "drawn anew below other ids.");
}

static void tell_ids(struct teller *teller)
{
	size_t named = teller->ids.count;

	if (named < teller->taken.count) {
		tell_tree_switch(teller);
		return;
	}
	base_str_addf(&teller->text,
		      "%zu bucket %s changed: ids are hashed, so that %s anew.", named,
		      named == 1 ? "id" : "ids",
		      named == 1 ? "the bucket draws" : "these buckets draw");
}

static void tell_parents(struct teller *teller)
{
	const struct diff_parents *parents = &teller->parents;
	size_t count = parents->grown + parents->shrunk;

	base_str_addf(&teller->text, "%s ", parents->first);
	if (count > 1)
		base_str_addf(&teller->text, "and %zu more ", count - 1);
	base_str_addf(&teller->text,
		      "%s %s with what %s, and so %s data with %s siblings as a whole: "
		      "also between devices that stay.",
		      count > 1 ? "have" : "has",
		      parents->shrunk == 0  ? "grown"
		      : parents->grown == 0 ? "shrunk"
					    : "grown or shrunk",
		      count > 1 ? "they hold" : "it holds",
		      count > 1 ? "trade" : "trades", count > 1 ? "their" : "its");
}

static void tell_tunables(struct teller *teller)
{
	const struct map_tunables *before = &teller->diff->sides[0].map->tunables;
	const struct map_tunables *after = &teller->diff->sides[1].map->tunables;
	const char *name, *comma = "";
	uint32_t from, to;

	for (size_t i = 0; (name = map_tunable(before, i, &from)) != NULL; i++) {
		map_tunable(after, i, &to);
		if (from == to)
			continue;
		base_str_addf(&teller->text, "%s%s %" PRIu32 " → %" PRIu32, comma, name,
			      from, to);
		comma = ", ";
	}
	base_str_add(&teller->text, ": attempts are made in another way.");
}

static void tell_pg_num(struct teller *teller)
{
	const struct analyze_plan *plan = &teller->diff->plan;
	size_t more = 0;

	for (size_t i = 0; i < plan->group_count; i++) {
		const strew_pool *before = plan->groups[i].pools[0];
		const strew_pool *after = plan->groups[i].pools[1];

		if (before->pg_num == after->pg_num && before->pgp_num == after->pgp_num)
			continue;
		if (more++ > 0)
			continue;
		base_str_addf(&teller->text,
			      "%s has %" PRIu32 " PGs placed as %" PRIu32
			      ", and had %" PRIu32 " placed as %" PRIu32,
			      after->name, after->pg_num, after->pgp_num, before->pg_num,
			      before->pgp_num);
	}
	if (more > 1)
		base_str_addf(&teller->text, " (and %zu more pools)", more - 1);
	base_str_add(&teller->text,
		     more ? ": PGs that are split off or merged are placed "
			    "by other seeds."
			  : "Seeds of PGs are made in another way.");
}

/* What each is called in tables and in text, and what it means. */
static const struct {
	const char *name;
	const char *title;
	void (*tell)(struct teller *teller);
	const char *sentence;
} words[DIFF_CAUSE_COUNT] = {
	[DIFF_UNDO_IDS] = {"ids", "changed bucket ids", tell_ids, NULL},
	[DIFF_UNDO_PARENTS] = {"parents", "weights of parents", tell_parents, NULL},
	[DIFF_UNDO_TUNABLES] = {"tunables", "tunables", tell_tunables, NULL},
	[DIFF_UNDO_ALG] = {"alg", "algorithm", NULL,
			   "Buckets choose by another algorithm, which draws otherwise."},
	[DIFF_UNDO_RULE] = {"rule", "rule", NULL,
			    "The rule's steps are others, besides the ids that they "
			    "meet."},
	[DIFF_UNDO_REWEIGHT] = {"reweight", "reweights, states", NULL,
				"What a device turns down is drawn anew anywhere below "
				"what the rule takes, not just beside it."},
	[DIFF_UNDO_UPMAP] = {"upmap", "upmaps", NULL,
			     "Upmaps were added, changed or removed."},
	[DIFF_UNDO_PG_NUM] = {"pg_num", "numbers of PGs", tell_pg_num, NULL},
	[DIFF_CAUSE_POSITION] = {"position", "position only", NULL,
				 "The PG's device stays one, but holds another position: "
				 "another shard, which has to be copied."},
	[DIFF_CAUSE_COLLISIONS] = {"collisions", "collisions", NULL,
				   "A shard that moves meets another one of its PG, and "
				   "one of the two draws again."},
	[DIFF_CAUSE_WEIGHTS] = {"weights", "many at once", NULL,
				"When several weights change, or items move, at once, an "
				"item may lose to one sibling and gain from another."},
	[DIFF_CAUSE_INTERACTION] = {"interaction", "interaction", NULL,
				    "What the above have in common is counted with "
				    "each, or with none; this evens it out."},
	[DIFF_CAUSE_CHANCE] = {"chance", "chance", NULL,
			       "Within the error of sampling: the least possible is a "
			       "mean."},
};

static const char *sentence_of(struct teller *teller, size_t cause)
{
	if (words[cause].sentence)
		return words[cause].sentence;
	base_str_clear(&teller->text);
	words[cause].tell(teller);
	return base_str_text(&teller->text);
}

static void add_row(strew_table *table, const struct diff *diff, size_t cause,
		    const char *sentence)
{
	const struct diff_part *part = &diff->causes.parts[cause];
	double shards = (double)diff->totals.shards;

	result_row(table);
	result_text(table, words[cause].name);
	result_real(table, part->shards);
	result_real(table, shards > 0 ? 100 * part->shards / shards : NAN);
	if (diff->totals.has_bytes)
		result_integer(table, llround(part->bytes));
	else
		result_null(table);
	result_text(table, sentence);
}

static void add_line(strew_table *table, const struct diff *diff, size_t cause,
		     const char *sentence)
{
	const struct diff_part *part = &diff->causes.parts[cause];
	double percent = 100 * part->shards / (double)diff->totals.shards;
	char bytes[RESULT_BYTES_ROOM] = "";

	if (diff->totals.has_bytes)
		result_print_bytes(bytes, fabs(part->bytes));
	result_row(table);
	result_text(table, words[cause].title);
	result_textf(table, "%+.0f shards", part->shards);
	result_textf(table, "(%.*f %%)", fabs(percent) < 9.995 ? 2 : 1, percent);
	result_textf(table, "%s%s", part->bytes < 0 && bytes[0] ? "-" : "", bytes);
	result_text(table, sentence);
}

static void tell_all(struct teller *teller)
{
	const struct diff *diff = teller->diff;

	for (size_t i = 0; i < DIFF_CAUSE_COUNT; i++) {
		const char *sentence;

		if (fabs(diff->causes.parts[i].shards) < 0.5)
			continue;
		sentence = sentence_of(teller, i);
		add_row(diff->tables.causes, diff, i, sentence);
		if (i != DIFF_CAUSE_CHANCE)
			add_line(diff->tables.why, diff, i, sentence);
	}
}

strew_status analyze_diff_tell_causes(struct diff *diff)
{
	struct teller teller = {.diff = diff};
	strew_status status;

	base_str_init(&teller.text, diff->allocator);
	status = analyze_diff_wish_ids(&teller.ids, diff, DIFF_IDS_NAMED);
	if (status == STREW_OK)
		status = analyze_diff_wish_ids(&teller.taken, diff, DIFF_IDS_TAKEN);
	if (status == STREW_OK)
		status = analyze_diff_count_parents(&teller.parents, diff);
	if (status == STREW_OK)
		tell_all(&teller);
	if (!base_str_ok(&teller.text))
		status = STREW_ENOMEM;
	analyze_diff_ids_free(&teller.ids, diff);
	analyze_diff_ids_free(&teller.taken, diff);
	base_str_free(&teller.text);
	return status;
}
