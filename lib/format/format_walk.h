/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_WALK_H
#define FORMAT_WALK_H

#include <jansson.h>
#include <stdbool.h>

#include <strew/builder.h>

#include "base_str.h"
#include "format_keys.h"
#include "format_words.h"
#include "map.h"

/**
 * A walk through a parsed JSON document: where it stands, and the builder it tells of
 * what it finds.
 *
 * A format describes each of its objects by a shape: a table of members, each with its
 * kind and its place in a plain C struct, the record. format_object() checks an object
 * against its shape, reports every departure, and fills the record; what remains for the
 * format is to pass the record on.
 */
struct format_walk {
	strew_builder *builder;
	const strew_allocator *allocator;
	struct base_str path; /* JSON pointer */
	const char *member;   /* entered, and not yet in the path; or NULL */
	bool told;            /* does the builder know the path? */
	unsigned hints;       /* names suggested so far */
	bool failed;          /* out of memory, somewhere */
};

enum format_kind {
	FORMAT_INTEGER, /* int64_t, min … max; 3.0 counts as 3 */
	FORMAT_TEXT,    /* const char * */
	FORMAT_WORD, /* int64_t: what a word of the form means, or a number up to max */
	FORMAT_BOOLEAN, /* int64_t: 0 or 1 */
	FORMAT_WEIGHT,  /* uint32_t: a 16.16 weight from a number */
	FORMAT_SHARE,   /* uint32_t: a 16.16 number from 0 to 1 */
	FORMAT_BYTES,   /* uint64_t: an integer, or text such as "9.09TiB" */
	FORMAT_LIST,    /* json_t * */
	FORMAT_OBJECT,  /* json_t * */
	FORMAT_ANY      /* json_t * of any kind */
};

struct format_field {
	enum format_key key;
	enum format_kind kind;
	bool required;
	size_t offset; /* in the record */
	int64_t min, max;
	enum format_form form;
};

/* Initialisers of fields, for members of `struct record`. */

#define FORMAT_FIELD(key, kind, required, record, member, min, max, form)                \
	{                                                                                \
		key, kind, required, offsetof(struct record, member), min, max, form     \
	}
#define FORMAT_REQUIRED(key, kind, record, member)                                       \
	FORMAT_FIELD(key, kind, true, record, member, 0, 0, 0)
#define FORMAT_OPTIONAL(key, kind, record, member)                                       \
	FORMAT_FIELD(key, kind, false, record, member, 0, 0, 0)
#define FORMAT_REQUIRED_RANGE(key, record, member, min, max)                             \
	FORMAT_FIELD(key, FORMAT_INTEGER, true, record, member, min, max, 0)
#define FORMAT_OPTIONAL_RANGE(key, record, member, min, max)                             \
	FORMAT_FIELD(key, FORMAT_INTEGER, false, record, member, min, max, 0)
#define FORMAT_OPTIONAL_WORD(key, record, member, form, max)                             \
	FORMAT_FIELD(key, FORMAT_WORD, false, record, member, 0, max, form)

/** At most 64 fields. */
struct format_shape {
	const char *what; /* "bucket" */
	const struct format_field *fields;
	size_t count;
	bool open; /* members not named here are none of our business */
};

#define FORMAT_SHAPE(what, fields, open)                                                 \
	{                                                                                \
		what, fields, sizeof(fields) / sizeof((fields)[0]), open                 \
	}

void format_walk_init(struct format_walk *walk, strew_builder *builder,
		      const strew_allocator *allocator);
/** Frees what the walk holds. @return STREW_ENOMEM when memory ran out on the way. */
strew_status format_walk_end(struct format_walk *walk, strew_error *error);

/** Step into a member or an element. @return what format_leave() needs to come back. */
size_t format_enter(struct format_walk *walk, const char *member);
size_t format_enter_at(struct format_walk *walk, size_t index);
void format_leave(struct format_walk *walk, size_t mark);

/** The builder, told where the walk stands. Every call of it goes through this. */
strew_builder *format_builder(struct format_walk *walk);

/** Report malformed input where the walk stands. */
void format_fault(struct format_walk *walk, const char *text, ...) STREW_PRINTF(2, 3);
/** Report a value that no map can have. */
void format_fault_range(struct format_walk *walk, const char *text, ...)
	STREW_PRINTF(2, 3);
void format_warn(struct format_walk *walk, const char *text, ...) STREW_PRINTF(2, 3);

/** The name most like a word, or NULL: when none is near, and when enough was suggested
 * already, since looking for it takes time. */
const char *format_hint(struct format_walk *walk, const char *word,
			const char *const *names);

/** "a list", "a string" and the like, for messages. */
const char *format_kind_of(const json_t *value);

/** Does a member of this name hold a person's remark? */
bool format_is_remark(const char *name);

/** Fill a record, whose absent members keep what they have.
 * @return false when something was at fault, and the record is not to be used. */
bool format_object(struct format_walk *walk, json_t *value,
		   const struct format_shape *shape, void *record);

/** Visit the elements of a list, which may be NULL: then there are none. */
void format_list(struct format_walk *walk, const char *member, json_t *list,
		 void (*visit)(struct format_walk *walk, json_t *element, void *ctx),
		 void *ctx);
/** The same where the walk stands in the list already. */
void format_elements(struct format_walk *walk, json_t *list,
		     void (*visit)(struct format_walk *walk, json_t *element, void *ctx),
		     void *ctx);

/** A list that other parts refer to was refused, or is missing: it may have held
 * anything, so what isn't there is not reported as missing. */
void format_need_list(struct format_walk *walk, const json_t *list, enum map_part part);

/* Values (format_value.c).
 * Each reports what is wrong with the value, and returns false then. */

bool format_integer(struct format_walk *walk, const json_t *value, int64_t min,
		    int64_t max, int64_t *out);
bool format_text(struct format_walk *walk, const json_t *value, const char **out);
/** Exact where the number is a multiple of 1/65536, else rounded as crushtool rounds. */
bool format_weight(struct format_walk *walk, const json_t *value, uint32_t *out);
/** The same for a number. @return false when no weight has it */
bool format_round_weight(double number, uint32_t *out);
bool format_share(struct format_walk *walk, const json_t *value, uint32_t *out);
bool format_bytes(struct format_walk *walk, const json_t *value, uint64_t *out);
/** The PG that a member names, as in "1.2f". */
bool format_pg(struct format_walk *walk, const char *member, const char *text,
	       strew_pg *out);
/** A run of devices, "4-11", or one, "4". */
bool format_run(struct format_walk *walk, const char *text, int64_t *first,
		int64_t *last);
/** Is the name a prefix and a device's id, such as "osd.12"? Reports nothing. */
bool format_numbered(const char *name, const char *prefix, int64_t *id);
/** Elements of a list appended to a vector, of int32_t or uint32_t; false when one was at
 * fault or memory ran out. Holes (STREW_NONE) are ids like others. */
bool format_ids(struct format_walk *walk, json_t *list, struct base_vec *out);
bool format_weights(struct format_walk *walk, json_t *list, struct base_vec *out);

/* What two formats have in common. */

/** A pool is at fault; its id, or -1 when that isn't known, and its name or NULL. */
void format_refuse_pool(struct format_walk *walk, int64_t id, const char *name);

/** The member "tunables": values by name; in our form also a profile, as a member or
 * alone. Sets straw_calc_version when the tunables say something of it
 * (format_tunables.c). */
void format_tunables(struct format_walk *walk, json_t *value, bool is_ceph,
		     uint8_t *straw_calc_version);
/** A member that holds erasure code profiles by name (format_profile.c). */
void format_profiles(struct format_walk *walk, const char *member, json_t *profiles);
/** The member "ids" of a bucket in a weight set. */
void format_weight_ids(struct format_walk *walk, json_t *list, int32_t bucket);
/** A set of devices for a PG; `add` is one of the builder's calls that take one. */
void format_set(struct format_walk *walk, const char *member, json_t *list, strew_pg pg,
		void (*add)(strew_builder *, strew_pg, const int32_t *, size_t));

#endif
