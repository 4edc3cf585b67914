/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <stdlib.h>
#include <string.h>

/**
 * One form for names that look alike because Unicode can write a letter in several ways.
 * Letters with marks are taken apart, and the marks behind a letter put in one order;
 * full-width forms, ligatures and kinds of spaces become plain, and what can't be seen
 * goes. doc/analyses/check.md says how far this reaches.
 */

/* A letter is another one and a mark, or (mark 0) another one by another number. */
struct letter {
	uint16_t letter;
	uint16_t base;
	uint16_t mark;
};

#include "analyze_check_letters.h"

#define LETTER_COUNT (sizeof(letters) / sizeof(letters[0]))

/* Marks behind one letter beyond this are left as they are. */
#define MARKS_MAX 16

struct folding {
	struct base_str *out;
	uint32_t marks[MARKS_MAX];
	size_t mark_count;
};

static void add_point(struct base_str *out, uint32_t point)
{
	char bytes[4];
	size_t len = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

	for (size_t i = len; i-- > 1; point >>= 6)
		bytes[i] = (char)(0x80 | (point & 0x3f));
	bytes[0] = (char)(len == 1 ? point : (0xf00u >> len & 0xff) | point);
	base_str_add_bytes(out, bytes, len);
}

static int compare_points(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static void put_marks(struct folding *folding)
{
	if (folding->mark_count > 1)
		qsort(folding->marks, folding->mark_count, sizeof(folding->marks[0]),
		      compare_points);
	for (size_t i = 0; i < folding->mark_count; i++)
		add_point(folding->out, folding->marks[i]);
	folding->mark_count = 0;
}

static bool is_mark(uint32_t point)
{
	return (point >= 0x300 && point <= 0x36f) || point == 0x3099 || point == 0x309a;
}

static void put_plain(struct folding *folding, uint32_t point)
{
	if (is_mark(point) && folding->mark_count == MARKS_MAX)
		put_marks(folding);
	if (is_mark(point)) {
		folding->marks[folding->mark_count++] = point;
		return;
	}
	put_marks(folding);
	add_point(folding->out, point);
}

static int compare_letters(const void *key, const void *entry)
{
	const uint32_t *point = key;
	const struct letter *letter = entry;

	return *point < letter->letter ? -1 : *point > letter->letter;
}

/* A letter may be taken apart several times: its last mark comes off first. */
static void put_letter(struct folding *folding, uint32_t point)
{
	uint32_t off[MARKS_MAX];
	size_t count = 0;
	const struct letter *found;

	while (count < MARKS_MAX &&
	       (found = bsearch(&point, letters, LETTER_COUNT, sizeof(letters[0]),
				compare_letters)) != NULL) {
		point = found->base;
		if (found->mark)
			off[count++] = found->mark;
	}
	put_plain(folding, point);
	while (count-- > 0)
		put_plain(folding, off[count]);
}

/* A syllable of Hangul is two or three letters, by its number. */
static void put_syllable(struct folding *folding, uint32_t point)
{
	uint32_t index = point - 0xac00, last = index % 28;

	put_plain(folding, 0x1100 + index / (21 * 28));
	put_plain(folding, 0x1161 + index / 28 % 21);
	if (last > 0)
		put_plain(folding, 0x11a7 + last);
}

static bool is_unseen(uint32_t point)
{
	return point == 0xad || (point >= 0x200b && point <= 0x200d) || point == 0x2060 ||
	       point == 0xfeff;
}

static bool is_space(uint32_t point)
{
	return point == 0xa0 || (point >= 0x2000 && point <= 0x200a) || point == 0x202f ||
	       point == 0x3000;
}

static void put(struct folding *folding, uint32_t point)
{
	static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl"};

	if (is_unseen(point))
		return;
	if (is_space(point)) {
		put_plain(folding, ' ');
	} else if (point >= 0xff01 && point <= 0xff5e) {
		put_plain(folding, point - 0xff01 + '!');
	} else if (point >= 0xfb00 && point <= 0xfb04) {
		for (const char *at = ligatures[point - 0xfb00]; *at; at++)
			put_plain(folding, (uint32_t)*at);
	} else if (point >= 0xac00 && point <= 0xd7a3) {
		put_syllable(folding, point);
	} else {
		put_letter(folding, point);
	}
}

uint32_t analyze_check_point(const char **at)
{
	const unsigned char *from = (const unsigned char *)*at;
	uint32_t lead = from[0], point;
	size_t len = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	*at += 1;
	if (len == 1)
		return lead;
	point = lead & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((from[i] & 0xc0) != 0x80)
			return lead;
		point = point << 6 | (from[i] & 0x3f);
	}
	*at += len - 1;
	return point;
}

static bool is_ascii(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name >= 0x80)
			return false;
	return true;
}

const char *analyze_check_fold(const char *name, struct base_str *folded)
{
	struct folding folding = {.out = folded};

	if (is_ascii(name))
		return name;
	base_str_clear(folded);
	while (*name)
		put(&folding, analyze_check_point(&name));
	put_marks(&folding);
	return base_str_text(folded);
}
