/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CRUSH_TEXT_H
#define FORMAT_CRUSH_TEXT_H

#include <locale.h>

#include "base_alloc.h"
#include "base_vec.h"
#include "format.h"
#include "format_names.h"
#include "format_scan.h"
#include "map.h"

/**
 * Reading CRUSH text. Rules and tunables go to the builder as they are met. Devices,
 * types and buckets are kept until the rules begin, because a later line may change what
 * an earlier one means.
 */

/** What crushtool takes; weights in 1/65536. */
#define FORMAT_CRUSH_DEVICE_WEIGHT_MAX (100 * STREW_WEIGHT_ONE)
#define FORMAT_CRUSH_BUCKET_WEIGHT_MAX (65535 * (uint32_t)STREW_WEIGHT_ONE)
#define FORMAT_CRUSH_TREE_ITEMS_MAX    64
/* In weight sets, one of 32768 and more is printed as a negative number. */
#define FORMAT_CRUSH_ROW_WEIGHT_MIN (-32768.0f)

/** A device or a type. */
struct format_crush_named {
	struct format_token name;
	const char *class_name; /* NULL: none */
	int32_t id;
	bool is_gone; /* a later line has the same id */
};

struct format_crush_item {
	struct format_token name;
	uint32_t weight; /* STREW_AUTO_WEIGHT: not given */
	int32_t pos;     /* -1: not given */
	int32_t id;
};

/** `id N class C`: the id of a bucket's shadow. */
struct format_crush_pin {
	struct format_token at;
	const char *class_name;
	size_t bucket;
	int32_t id;
};

struct format_crush_bucket {
	struct format_token name;
	const char *type_name;
	const char *alg;
	uint8_t hash;
	bool is_refused; /* something about it was reported */
	int32_t id;      /* 0: not given yet */
	size_t first_item, item_count;
	size_t rank; /* where it comes among the buckets when they are made */
	uint64_t weight;
};

/** A bucket's part of a weight set. */
struct format_crush_weights {
	struct format_token at;
	size_t set;
	int32_t bucket;
};

/** How far a document is: what comes later may not stand before. */
enum format_crush_stage { STAGE_HEAD, STAGE_BUCKETS, STAGE_RULES, STAGE_WEIGHTS };

struct format_crush {
	struct format_scan scan;
	struct format_token token; /* at hand */
	strew_builder *builder;
	const strew_allocator *allocator;
	locale_t locale; /* where a decimal point is one */
	enum format_crush_stage stage;
	uint8_t straw_calc_version;
	bool has_rules;
	bool has_lost_items;            /* devices or buckets whose names are not known */
	bool failed;                    /* out of memory, somewhere */
	struct base_vec devices, types; /* struct format_crush_named */
	struct base_vec buckets;        /* struct format_crush_bucket */
	struct base_vec items;          /* struct format_crush_item */
	struct base_vec pins;           /* struct format_crush_pin */
	struct base_vec ids;            /* int32_t: of buckets, downward, once made */
	struct format_names names;      /* devices' ids; buckets: -1 - index */
	size_t sets;
	struct base_vec parts;   /* struct format_crush_weights */
	struct base_vec numbers; /* uint32_t, int32_t: a row of a weight set */
};

/** A line of a block, by the word that it begins with. Those of a lower rank come
 * first. */
struct format_crush_line {
	const char *word;
	int rank;
	bool repeats;
	bool required;
	bool (*read)(struct format_crush *crush, void *ctx);
};

#define FORMAT_CRUSH_LINES(lines) (lines), sizeof(lines) / sizeof((lines)[0])

/* What the readers of all parts use (format_crush_read.c). */

void format_crush_next(struct format_crush *crush);
/** The builder, told where the token stands. */
strew_builder *format_crush_at(struct format_crush *crush,
			       const struct format_token *token);
/** Report what is wrong with a token, as syntax or as what no map can have. */
void format_crush_fault(struct format_crush *crush, const struct format_token *token,
			strew_status status, const char *text, ...) STREW_PRINTF(4, 5);
/** Report that something else was expected where the token at hand stands. @return
 * false */
bool format_crush_expected(struct format_crush *crush, const char *what);
/** Take the token at hand if it is what is wanted, else report it; `what` says in words
 * what it should have been. */
bool format_crush_take(struct format_crush *crush, enum format_token_kind kind,
		       const char *what);
bool format_crush_name(struct format_crush *crush, const char *what,
		       struct format_token *out);
bool format_crush_integer(struct format_crush *crush, const char *what, int64_t min,
			  int64_t max, int64_t *out);
/** A weight in 1/65536, as crushtool rounds it: to a 32-bit float, then toward zero. */
bool format_crush_weight(struct format_crush *crush, float min, uint32_t *out);
/** The rounding of it; the number is below 65536. */
uint32_t format_crush_round(float number);
/** Take the word if it stands here. @return whether it does */
bool format_crush_word(struct format_crush *crush, const char *word);
/** Read lines up to the "}" and past it. After a mistake goes on with the next line.
 * @return whether all was good */
bool format_crush_block(struct format_crush *crush, const struct format_token *start,
			const struct format_crush_line *lines, size_t count, void *ctx);
/** A new element of a vector, cleared, or NULL without memory. */
void *format_crush_push(struct format_crush *crush, struct base_vec *vec, size_t size);

/** A part begins: report when it comes too late in the document. */
void format_crush_turn(struct format_crush *crush, const struct format_token *at,
		       enum format_crush_stage stage, const char *complaint);
/** Does a block begin with the word at hand: `WORD WORD {`, or `WORD {`? Looks ahead. */
bool format_crush_begins_block(const struct format_crush *crush);
/** Does a bucket stand here, although its type is called as another part? Looks ahead. */
bool format_crush_is_bucket(const struct format_crush *crush);
/** After a mistake outside of all blocks: to where the next part may begin. */
void format_crush_skip(struct format_crush *crush);

/** The writer (format_crush_write.c). */
strew_status format_crush_write(const strew_map *map, const struct format_output *output,
				strew_error *error);

/* The parts, each from its first word. @return false when the next one must be looked
 * for */

bool format_crush_bucket(struct format_crush *crush);
bool format_crush_rule(struct format_crush *crush);
bool format_crush_choose_args(struct format_crush *crush);
/** Once the ids of all buckets are known: the buckets in weight sets exist, and stand in
 * each once. */
void format_crush_check_weights(struct format_crush *crush);
/** Tell the builder of the devices, types and buckets (format_crush_tree.c). */
void format_crush_make_tree(struct format_crush *crush);

#endif
