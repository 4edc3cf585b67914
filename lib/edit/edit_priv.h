/* SPDX-License-Identifier: MIT */
#ifndef EDIT_PRIV_H
#define EDIT_PRIV_H

#include <strew/edit.h>

#include "base_alloc.h"
#include "base_error.h"
#include "base_vec.h"
#include "map.h"

/**
 * A working copy of a map, and the operations on it.
 *
 * The copy is a strew_map whose arrays can change: those that operations edit are vectors
 * of the edit, the others are the source's. Each bucket's items, each weight set's parts,
 * and each part's rows and ids are an allocation of their own, with room for edit_room()
 * of what they hold. Building a map copies the working copy through a builder, which
 * checks it.
 *
 * Running out of memory sticks in `failed`; nothing can be done then but free the edit.
 */
struct strew_edit {
	strew_allocator allocator;
	struct base_arena arena;
	size_t spent; /* bytes of the arena */
	size_t start; /* of them when the copy was made */
	strew_map *source;
	strew_map map;
	struct base_vec classes, devices, buckets, rules, sets, pools, overrides, remarks;
	bool failed;
	bool reshaped; /* by the operation at work: shadows must follow */
	bool shades;   /* the map has shadows */
};

/* What an operation was given. */

struct edit_word {
	const char *text;
	int column;
};

/** One word that a syntax has in capitals; which members are set goes by what it is. */
struct edit_arg {
	const char *text; /* NULL: an optional one that was not given */
	int column;
	const struct edit_word *words; /* it and all after it */
	size_t word_count;
	const char *name; /* TYPE:NAME: the part after the colon */
	int32_t id;
	int32_t type;
	int64_t number;
	uint32_t weight;
	int32_t *ids;
	size_t id_count;
	strew_pg pg;
};

#define EDIT_ARGS_MAX  8
#define EDIT_WORDS_MAX 1024
/** Devices in one operation. */
#define EDIT_IDS_MAX 100000

struct edit_call {
	struct edit_arg args[EDIT_ARGS_MAX];
	struct base_arena scratch; /* for this one operation */
	struct edit_word *words;
	size_t word_count;
	const char *file;
	int line;
	int end; /* the column after the last word */
	strew_error *error;
};

/** An operation: how it is written, what it does. Words in capitals are what it is given,
 * words in brackets may be left out. */
struct edit_op {
	const char *syntax;
	const char *summary;
	strew_status (*run)(strew_edit *edit, struct edit_call *call);
};

/** The operations of each subject, ended by one without a syntax. */
extern const struct edit_op edit_tree_ops[];
extern const struct edit_op edit_weight_ops[];
extern const struct edit_op edit_device_ops[];
extern const struct edit_op edit_set_ops[];
extern const struct edit_op edit_rule_ops[];
extern const struct edit_op edit_pool_ops[];
extern const struct edit_op edit_upmap_ops[];

/** One after the other; NULL beyond the last. */
const struct edit_op *edit_op_at(size_t index);

/* edit_parse.c */

/** Split a line into words. @return false after reporting why it can't be */
strew_status edit_split(struct edit_call *call, const char *line, size_t length);
/** Find the operation that the words are, and what it is given. */
strew_status edit_match(const struct edit_op **op, strew_edit *edit,
			struct edit_call *call);

/* edit_arg.c */

/** Look up what an argument stands for, by the word in capitals that it is in the place
 * of: ITEM, BUCKET, W, … */
strew_status edit_resolve(strew_edit *edit, struct edit_call *call, struct edit_arg *arg,
			  const char *kind, size_t kind_len);
/** Does this word take all that are left? */
bool edit_takes_rest(const char *kind, size_t kind_len);
/** Refuse an operation because of one of its words; NULL: because of its end. @return
 * status */
strew_status edit_refuse(struct edit_call *call, strew_status status,
			 const struct edit_arg *arg, const char *format, ...)
	STREW_PRINTF(4, 5);
/** "; did you mean \"x\"?" or "", kept as long as the call. Names end with NULL. */
const char *edit_hint(struct edit_call *call, const char *word, const char *const *names);
/** Names to look for a near one among. */
#define EDIT_NAMES_MAX 1000

struct edit_names {
	const char *list[EDIT_NAMES_MAX + 1];
	size_t count;
};

void edit_offer(struct edit_names *names, const char *name);
/** "host h1", "device osd.3": kept as long as the call. */
const char *edit_label(strew_edit *edit, struct edit_call *call, int32_t item);
/** @return false when it is no weight from 0 to below 65536 */
bool edit_parse_weight(uint32_t *out, const char *text);
bool edit_parse_number(int64_t *out, const char *text, int64_t max);
/* edit_find.c: devices and buckets. Each sets what it finds in the argument. */

/** By name, by id, or as TYPE:NAME. */
strew_status edit_find_item(strew_edit *edit, struct edit_call *call,
			    struct edit_arg *arg);
strew_status edit_find_bucket(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg);
strew_status edit_find_device(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg);
/** A list of devices; of ranges, those that exist. */
strew_status edit_find_devices(strew_edit *edit, struct edit_call *call,
			       struct edit_arg *arg);
/** A list of ids that need not be devices yet. */
strew_status edit_find_ids(strew_edit *edit, struct edit_call *call,
			   struct edit_arg *arg);
/** Is it a name for a device or a bucket, and free? Reports that it isn't. */
strew_status edit_check_free(strew_edit *edit, struct edit_call *call,
			     const struct edit_arg *arg, const char *name);

/* edit.c */

/** A copy that lasts as long as the edit. */
const char *edit_keep(strew_edit *edit, const char *text);
/** Room for one more, cleared, at an index; the arrays of edit->map follow. NULL without
 * memory. */
void *edit_insert(strew_edit *edit, struct base_vec *vec, size_t size, size_t at);
void edit_erase(strew_edit *edit, struct base_vec *vec, size_t size, size_t at);
/** Cleared room in the arena. NULL without memory. */
void *edit_alloc(strew_edit *edit, size_t count, size_t size);
/** How many elements an array of the arena has room for where it holds `count`. */
size_t edit_room(size_t count);
/** An array that holds `count`, with room for `wanted`: itself if it has that. NULL
 * without memory. */
void *edit_grow(strew_edit *edit, void *array, size_t count, size_t wanted, size_t size);
/** Drop the remarks on something that is gone. */
void edit_forget(strew_edit *edit, enum map_owner owner, int64_t id);
/** The class of a name, added when there is none. */
const char *edit_class(strew_edit *edit, const char *name);

/* edit_bucket.c: what hangs in a bucket. These don't look at the buckets above it, which
 * edit_follow() does. */

#define EDIT_NOWHERE SIZE_MAX

/** NULL when there is none. */
strew_bucket *edit_bucket(const strew_edit *edit, int32_t id);
size_t edit_item_index(const strew_bucket *bucket, int32_t id);
/** How many ordinary buckets hold it. */
size_t edit_count_holders(const strew_edit *edit, int32_t id);
/** Add an item at the end; in the weight sets it has the same weight. */
void edit_hang(strew_edit *edit, strew_bucket *bucket, int32_t item, uint32_t weight);
void edit_unhang(strew_edit *edit, strew_bucket *bucket, size_t index);
/** Set a weight; of a uniform bucket it is the weight of all items. */
void edit_weigh(strew_edit *edit, strew_bucket *bucket, size_t index, uint32_t weight);
/** A selector's table that was stored is no longer what the bucket needs. */
void edit_touch(strew_edit *edit, strew_bucket *bucket);
/** Bring the weights above a bucket, and their rows in the weight sets, up to date. */
void edit_follow(strew_edit *edit, int32_t bucket);
/** Add an empty bucket. NULL without memory. */
strew_bucket *edit_add_bucket(strew_edit *edit, const strew_bucket *like);
/** Take out an empty bucket, and its shadows. */
void edit_drop_bucket(strew_edit *edit, int32_t id);
/** Give it a part in each weight set, if its selector heeds one. */
void edit_add_parts(strew_edit *edit, const strew_bucket *bucket);

/** Buckets below one, each once, itself first; by index. */
struct edit_below {
	struct base_vec indexes; /* uint32_t */
	uint8_t *seen;           /* by index */
	size_t buckets;
};

void edit_list_below(strew_edit *edit, struct edit_below *below, int32_t root);
void edit_free_below(strew_edit *edit, struct edit_below *below);
/** The highest bucket id that is free. */
int32_t edit_free_id(const strew_edit *edit);

/* Parts of operations that others use. */

/** Take out a device that hangs nowhere, and the upmaps to it. */
void edit_drop_device(strew_edit *edit, int32_t id);
/** Drop the overrides at an index if nothing is left of them. */
void edit_tidy_override(strew_edit *edit, size_t index);
/** Items of a uniform bucket weigh the same: can it take one of this weight? */
strew_status edit_check_uniform(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *to, uint32_t weight);
/** Can an item have this weight? */
strew_status edit_check_weight(strew_edit *edit, struct edit_call *call,
			       const struct edit_arg *arg, int32_t item);

/* edit_row.c: weight sets. */

/** A bucket's part, all weights 0; made when there is none. NULL without memory. */
struct map_weights *edit_add_part(strew_edit *edit, struct map_weight_set *set,
				  const strew_bucket *bucket, size_t positions);
void edit_drop_part(strew_edit *edit, struct map_weight_set *set, int32_t bucket);
/** What a bucket's row at a position sums to; without a part, the bucket's weight. */
uint32_t edit_row_sum(const struct map_weights *part, const strew_bucket *bucket,
		      size_t position);
/** A column for each set, of the item last added or to be taken out. */
void edit_add_column(strew_edit *edit, const strew_bucket *bucket, uint32_t weight);
void edit_drop_column(strew_edit *edit, const strew_bucket *bucket, size_t index);
void edit_set_column(strew_edit *edit, const strew_bucket *bucket, size_t index,
		     uint32_t weight);
/** The weights of an item that is a bucket become the sums of that bucket's rows.
 * @return whether that changed any */
bool edit_sum_column(strew_edit *edit, const strew_bucket *holder, size_t index,
		     const strew_bucket *child);

/* edit_shadow.c */

/** Make the shadow trees what the tree and the classes make of them. */
void edit_shade(strew_edit *edit);

#endif
