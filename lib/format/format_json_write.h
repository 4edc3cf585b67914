/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_JSON_WRITE_H
#define FORMAT_JSON_WRITE_H

#include "format_names.h"
#include "format_number.h"
#include "format_write.h"

/** What the writers of the parts of a strew-map share. */
struct format_json_out {
	struct format_out to;
	const strew_map *map;
	bool starts;    /* no member of the innermost object was written yet */
	uint32_t *sums; /* of what each bucket of the map holds; 0 beyond 32 bits */
	struct format_names classes;
	int32_t next_class; /* how many classes were named so far */
	bool classes_out_of_order;
};

/* Text (format_json_text.c). */

/** Text as it is. */
void format_json_put(struct format_json_out *out, const char *text);
/** A string in quotes, with escapes. */
void format_json_put_string(struct format_json_out *out, const char *text);
void format_json_put_integer(struct format_json_out *out, int64_t number);
/** The head of a member, "name": , and what separates it from the one before. */
void format_json_member(struct format_json_out *out, const char *name);
void format_json_string_member(struct format_json_out *out, const char *name,
			       const char *text);
void format_json_integer_member(struct format_json_out *out, const char *name,
				int64_t number);
void format_json_weight_member(struct format_json_out *out, const char *name,
			       uint32_t weight);
/** A list of numbers on one line. */
void format_json_integers(struct format_json_out *out, const int32_t *numbers,
			  size_t count);
void format_json_words(struct format_json_out *out, const uint32_t *words, size_t count);
/** The remarks of an owner, as members. */
void format_json_remark_members(struct format_json_out *out, enum map_owner owner,
				int64_t id, int64_t other);
/** A member of the document, on a line of its own. */
void format_json_top_member(struct format_json_out *out, const char *name);
/** The start of an object on a line of its own, so deep in the document; the first of its
 * list, or one after others. */
void format_json_start_line(struct format_json_out *out, size_t depth, bool is_first);

/* Parts. */

void format_json_write_tree(struct format_json_out *out);
void format_json_write_class_buckets(struct format_json_out *out);
void format_json_write_weight_sets(struct format_json_out *out);
void format_json_write_rules(struct format_json_out *out);
void format_json_write_profiles(struct format_json_out *out);
void format_json_write_pools(struct format_json_out *out);
void format_json_write_uses(struct format_json_out *out);
void format_json_write_overrides(struct format_json_out *out);
void format_json_write_stored(struct format_json_out *out);

/** The members that a bucket of any kind may have: alg, hash, straw_calc_version,
 * stored_weight, table. */
void format_json_selector_members(struct format_json_out *out,
				  const strew_bucket *bucket);
/** A class is named here; classes are in order of being named. */
void format_json_name_class(struct format_json_out *out, const char *class_name);
/** What a bucket of the map holds, summed up. */
uint32_t format_json_sum(const struct format_json_out *out, const strew_bucket *bucket);

/** Tells what of the map JSON can't hold (format_json_lost.c). */
void format_json_lose(struct format_losses *losses, const strew_map *map);

/** The format's call. */
strew_status format_json_write(const strew_map *map, const struct format_output *output,
			       strew_error *error);

#endif
