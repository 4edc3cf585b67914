/* SPDX-License-Identifier: MIT */
/* A map on its way out and in again: the same map, placed in the same way. */
#include <stdlib.h>
#include <string.h>

#include "../formats/listing.h"
#include "fuzz.h"
#include "map.h"

/* What is known of a map, to compare another one with. */
struct facts {
	struct fuzz_text listing;
	struct fuzz_text placed;
};

static struct facts learn(const strew_map *map, const struct support_heap *heap)
{
	struct facts facts;
	FILE *out = fuzz_open(&facts.listing);

	listing_write(out, map);
	fclose(out);
	facts.placed = fuzz_place(map, heap);
	return facts;
}

static void forget(struct facts *facts)
{
	free(facts->listing.bytes);
	free(facts->placed.bytes);
}

/* A format, as a release writes it. */
struct form {
	const char *format;
	const char *dialect; /* NULL: the usual one, in which nothing is rewritten */
	bool is_ours;
};

static void compare(const struct form *form, const char *what,
		    const struct fuzz_text *one, const struct fuzz_text *other)
{
	size_t same = 0;

	if (one->count == other->count &&
	    memcmp(one->bytes, other->bytes, one->count) == 0)
		return;
	for (size_t i = 0; one->bytes[i] && one->bytes[i] == other->bytes[i]; i++)
		if (one->bytes[i] == '\n')
			same = i + 1;
	fuzz_fail("%s: %s\n  before: %.*s\n  after:  %.*s", form->format, what,
		  (int)strcspn(one->bytes + same, "\n"), one->bytes + same,
		  (int)strcspn(other->bytes + same, "\n"), other->bytes + same);
}

/* The array of buckets in a binary map is as long as the lowest id. */
#define TEXT_MAX ((size_t)1 << 22)

static int append(void *ctx, const void *bytes, size_t count)
{
	FILE *out = ctx;

	return (size_t)ftell(out) + count > TEXT_MAX ||
	       fwrite(bytes, 1, count, out) != count;
}

static void count_loss(void *ctx, const char *fact)
{
	(void)fact;
	++*(size_t *)ctx;
}

/* @return whether the format holds every fact, in a text of bearable length */
static bool write_map(struct fuzz_text *text, const strew_map *map,
		      const struct form *form, const struct support_heap *heap)
{
	strew_write_options options = STREW_WRITE_OPTIONS_INIT;
	FILE *out = fuzz_open(text);
	const strew_sink sink = {append, out};
	strew_error error = {.text = ""};
	size_t losses = 0;
	strew_status status;

	options.lossy = 1;
	options.lost = count_loss;
	options.ctx = &losses;
	options.dialect = form->dialect;
	options.allocator = &heap->allocator;
	status = strew_map_write(map, form->format, &options, &sink, &error);
	if (status != STREW_OK && status != STREW_EIO && status != STREW_ENOTSUP)
		fuzz_fail("%s: can't be written: %s", form->format, error.text);
	fclose(out);
	return status == STREW_OK && losses == 0;
}

static strew_map *read_again(const struct fuzz_text *text, const struct form *form,
			     const struct support_heap *heap)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_error error = {.text = ""};
	strew_map *map;

	options.format = form->format;
	options.allocator = &heap->allocator;
	if (strew_map_read_memory(&map, text->bytes, text->count, &options, &error) !=
	    STREW_OK)
		fuzz_fail("%s: can't be read when it was written: %s:%d:%d: %s\n%s",
			  form->format, error.where, error.line, error.column, error.text,
			  text->bytes);
	return map;
}

/* A listing tells more than Ceph's forms are to hold: that a rule has no mask, for which
 * one is made up, and by which version a bucket's straws are computed, where they are
 * stored. */
static bool is_listed_alike(const strew_map *map)
{
	for (size_t i = 0; i < map->rule_count; i++)
		if (!map->rules[i].has_mask)
			return false;
	for (size_t i = 0; i < map->bucket_count; i++)
		if (strcmp(map->buckets[i].alg, "straw") == 0 &&
		    map->buckets[i].straw_calc_version !=
			    (map->tunables.straw_calc_version > 0))
			return false;
	return true;
}

/* What loses nothing is read as the same map, which is written in the same way. */
static void check_same(const struct fuzz_text *text, const struct facts *facts,
		       const struct form *form, const strew_map *map,
		       const struct support_heap *heap)
{
	strew_map *other = read_again(text, form, heap);
	struct facts found = learn(other, heap);
	struct fuzz_text again;

	if (form->is_ours || (form->dialect == NULL && is_listed_alike(map)))
		compare(form, "is another map when it was written", &facts->listing,
			&found.listing);
	compare(form, "is placed in another way", &facts->placed, &found.placed);
	write_map(&again, other, form, heap);
	compare(form, "is written in another way again", text, &again);
	free(again.bytes);
	forget(&found);
	strew_map_release(other);
}

static void check_form(const strew_map *map, const struct facts *facts,
		       const char *format, const char *dialect,
		       const struct support_heap *heap)
{
	const struct form form = {format, dialect, strcmp(format, "json") == 0};
	struct fuzz_text text;

	if (write_map(&text, map, &form, heap))
		check_same(&text, facts, &form, map, heap);
	free(text.bytes);
}

void fuzz_map(const strew_map *map, const struct support_heap *heap)
{
	const char *newest = strew_dialect_name(strew_dialect_count() - 1);
	struct facts facts = learn(map, heap);

	for (size_t i = 0; i < strew_format_count(); i++)
		if (strew_format_writes(i)) {
			check_form(map, &facts, strew_format_name(i), NULL, heap);
			check_form(map, &facts, strew_format_name(i), newest, heap);
		}
	forget(&facts);
}
