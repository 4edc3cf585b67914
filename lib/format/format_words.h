/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_WORDS_H
#define FORMAT_WORDS_H

#include <stddef.h>
#include <stdint.h>

/** What a word may stand for. The first six begin a rule's step. */
enum format_form {
	WORD_BARE,        /* a step without arguments */
	WORD_TAKE,        /* take ITEM */
	WORD_MODE,        /* the first of two words: firstn or indep follows */
	WORD_CHOOSE,      /* a choose step, as Ceph's JSON writes it */
	WORD_SET,         /* a step that sets a number */
	WORD_RAW,         /* a step in numbers, which our JSON has */
	WORD_KIND,        /* the type of a rule or pool */
	WORD_OBJECT_HASH, /* how names of objects are hashed */
	WORD_BUCKET_HASH, /* how a bucket hashes */
	WORD_PART,        /* a part of CRUSH text begins: an enum format_part */
	WORD_UNIT         /* of a size */
};

enum format_part {
	PART_TUNABLE,
	PART_DEVICE,
	PART_TYPE,
	PART_RULE,
	PART_CHOOSE_ARGS,
	PART_BUCKET, /* begins with its type, which may be any word */
	PART_NONE
};

struct format_word {
	const char *name;
	int form; /* enum format_form */
	int64_t value;
};

/** @return the word that the text is, of whatever form, or NULL.
 * The text need not end after len. */
const struct format_word *format_word(const char *text, size_t len);
/** The same for a text that ends, when only words of one form will do. */
const struct format_word *format_word_of(enum format_form form, const char *text);
/** The word of a form for what it stands for, or NULL. */
const char *format_word_for(enum format_form form, int64_t value);

#endif
