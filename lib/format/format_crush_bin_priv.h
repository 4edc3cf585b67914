/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CRUSH_BIN_PRIV_H
#define FORMAT_CRUSH_BIN_PRIV_H

#include "base_alloc.h"
#include "base_bytes.h"
#include "format.h"
#include "map.h"

/**
 * Ceph's binary CRUSH map; doc/formats/ceph-crush-bin.md has its layout.
 *
 * A file is read twice. The first time (format_crush_bin_scan.c) every length in it is
 * held against the bytes that are there, and what stands where is noted; what is wrong
 * then ends the reading. The second time the builder is told of all of it, in the order
 * in which it needs it: names, for one, stand behind what they are the names of.
 */

#define FORMAT_BIN_MAGIC 0x00010000u

/** Ceph's numbers for the selectors: an index here. */
#define FORMAT_BIN_ALGS 6
extern const char *const format_bin_algs[FORMAT_BIN_ALGS];

/** An entry of a map of names, by key. */
struct format_bin_name {
	int32_t key;
	size_t at; /* in the file */
	const char *name;
};

/** The class of an item. */
struct format_bin_class {
	int32_t item;
	int32_t class_id;
	size_t at;
};

/** The shadow of a bucket for a class; class_id -1: a bucket with an empty list. */
struct format_bin_shadow {
	int32_t bucket;
	int32_t class_id;
	int32_t shadow;
	size_t at;
	bool told; /* to the builder, as what it is */
};

struct format_bin {
	struct base_bytes bytes;
	const char *name; /* of the file */
	const strew_allocator *allocator;
	strew_builder *builder;
	strew_status status; /* the first failure, which sticks */
	strew_error *error;
	char what[64]; /* that is read, for messages */
	struct base_arena arena;

	/* Where the contents of each slot are; 0: it is empty. */
	uint32_t bucket_slots, rule_slots;
	size_t *buckets, *rules;
	/* struct format_bin_name */
	struct base_vec type_names, item_names, rule_names, class_names;
	struct base_vec classes; /* struct format_bin_class, by item */
	struct base_vec shadows; /* struct format_bin_shadow, by bucket and class */
	bool has_wide_keys;
	struct map_tunables tunables;
	enum map_tail tail;
	uint32_t set_count;
	size_t sets_at, rest_at;
	size_t padding; /* words that short rows were filled up with so far */
};

struct format_bin_bucket {
	size_t at;
	int32_t id;
	uint16_t type;
	uint8_t alg, hash;
	uint32_t weight, size;
	size_t items_at;
	const uint8_t *items;
	/* A word or two an item, or the nodes of a tree. */
	size_t numbers_at;
	const uint8_t *numbers;
	uint32_t item_weight; /* uniform */
	uint8_t nodes;        /* tree */
};

struct format_bin_rule {
	size_t at;
	uint32_t step_count;
	uint8_t ruleset, kind, min_size, max_size;
	const uint8_t *steps; /* three words each */
};

/* The records (format_crush_bin_scan.c). */

/** The first reading; of names and what follows them (format_crush_bin_tail.c). */
void format_bin_scan(struct format_bin *file);
void format_bin_scan_tail(struct format_bin *file);
/** What is read from here on, for messages. */
void format_bin_now(struct format_bin *file, const char *what);
/** Is there room for so many things, of at least this size? Else the number, at an
 * offset, is refused. */
bool format_bin_accept(struct format_bin *file, size_t at, uint64_t count, size_t size);
/** A record that is read at `bytes.at`; of a bucket or rule behind the word that says
 * there is one. @return false once anything has failed */
bool format_bin_get_bucket(struct format_bin *file, struct format_bin_bucket *bucket);
bool format_bin_get_rule(struct format_bin *file, struct format_bin_rule *rule);
/** The same of a slot, which isn't empty, again. */
struct format_bin_bucket format_bin_bucket_at(struct format_bin *file, size_t slot);
struct format_bin_rule format_bin_rule_at(struct format_bin *file, size_t slot);
/** The offset of the bucket's contents; 0 when there is none. */
size_t format_bin_find_bucket(const struct format_bin *file, int32_t id);
uint32_t format_bin_weight(const struct format_bin_bucket *bucket, size_t item);

/** Fails the reading with what is wrong at an offset. */
void format_bin_refuse(struct format_bin *file, size_t at, const char *text, ...)
	STREW_PRINTF(3, 4);
void format_bin_no_memory(struct format_bin *file);
bool format_bin_good(const struct format_bin *file);
/** The builder, told of a place in the file. */
strew_builder *format_bin_builder(struct format_bin *file, size_t at);
/** NULL when the key has none. */
const struct format_bin_name *format_bin_find_name(const struct base_vec *names,
						   int32_t key);
/** The class of an item, or NULL. */
const struct format_bin_class *format_bin_find_class(const struct format_bin *file,
						     int32_t item);

/* Telling the builder: what hangs where and is called how (format_crush_bin_tree.c),
 * rules and weight sets (format_crush_bin_rule.c). */

void format_bin_tell_tree(struct format_bin *file);
void format_bin_tell_rules(struct format_bin *file);
void format_bin_tell_sets(struct format_bin *file);

/* Both ways. */

/** The table that a binary map stores with a bucket unless it was made in another way:
 * straw lengths, sums, nodes. One that has none has 0 words. */
struct format_bin_items {
	const char *alg;
	int32_t bucket;
	size_t count;
	const int32_t *ids;
	const uint32_t *weights;
	uint8_t straw_calc_version;
};
/** In place of what the vector holds. @return false without memory */
bool format_bin_make_table(struct base_vec *words, const struct format_bin_items *items,
			   const strew_allocator *allocator);

/** The format's call (format_crush_bin_write.c). */
strew_status format_bin_write(const strew_map *map, const struct format_output *output,
			      strew_error *error);

#endif
