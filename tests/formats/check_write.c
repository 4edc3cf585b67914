/* SPDX-License-Identifier: MIT */
/* check_write ROOT: every map of the tree is written as our JSON, and as Ceph's where
 * that loses nothing, and read again. That must be the same map, with the same
 * placements, and be written in the same way again. What Ceph's tools printed must be
 * written as they did, byte for byte. */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <strew/strew.h>

#include "listing.h"
#include "map.h"

#define INPUTS  256
#define DEVICES 8

/* Where maps are. What is joined has the same path with another ending; what may take for
 * ever to place is only read. */
static const struct source {
	const char *pattern;
	const char *ending;
	const char *joined;
	bool places;
	bool printed; /* by Ceph's tools */
} sources[] = {
	{"maps/*.json", NULL, NULL, true, false},
	{"tests/cases/maps/*.json", NULL, NULL, true, false},
	{"tests/golden/crush/*.json", NULL, NULL, true, true},
	{"tests/golden/msr/*.json", NULL, NULL, true, false},
	{"tests/golden/osdmap/*.crush.json", ".crush.json", NULL, true, true},
	{"tests/golden/osdmap/*.crush.json", ".crush.json", ".dump.json", true, false},
	{"tests/formats/valid/*/input.json", "input.json", "join.json", false, false},
	{"tests/formats/valid/*/same.json", NULL, NULL, false, false},
};

struct text {
	char *bytes;
	size_t count;
};

static void stop(const char *path, const char *what, const strew_error *error)
{
	printf("%s: %s%s%s\n", path, what, error ? ": " : "", error ? error->text : "");
	exit(EXIT_FAILURE);
}

static char *joined_path(const struct source *source, const char *path)
{
	size_t len = strlen(path), size = len + 16;
	char *joined;

	if (source->joined == NULL)
		return NULL;
	joined = malloc(size);
	if (joined == NULL)
		exit(EXIT_FAILURE);
	snprintf(joined, size, "%.*s%s", (int)(len - strlen(source->ending)), path,
		 source->joined);
	if (access(joined, F_OK) == 0)
		return joined;
	free(joined);
	return NULL;
}

static strew_map *read_map(const char *path, const char *joined)
{
	strew_builder *builder = NULL;
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	if (strew_builder_new(&builder, NULL) != STREW_OK ||
	    strew_builder_read_file(builder, path, NULL, &error) != STREW_OK ||
	    (joined &&
	     strew_builder_read_file(builder, joined, NULL, &error) != STREW_OK) ||
	    strew_builder_build(&map, builder, &error) != STREW_OK)
		stop(path, "can't be read", &error);
	strew_builder_free(builder);
	return map;
}

static int append(void *ctx, const void *bytes, size_t count)
{
	return fwrite(bytes, 1, count, ctx) != count;
}

static struct text write_as(const strew_map *map, const char *path, const char *format,
			    const strew_write_options *how)
{
	struct text text = {NULL, 0};
	FILE *out = open_memstream(&text.bytes, &text.count);
	const strew_sink sink = {append, out};
	strew_error error;

	if (out == NULL)
		exit(EXIT_FAILURE);
	if (strew_map_write(map, format, how, &sink, &error) != STREW_OK)
		stop(path, "can't be written", &error);
	fclose(out);
	return text;
}

static struct text write_map(const strew_map *map, const char *path)
{
	return write_as(map, path, "json", NULL);
}

static struct text read_text(const char *path)
{
	struct text text = {NULL, 0};
	FILE *out = open_memstream(&text.bytes, &text.count), *in = fopen(path, "r");
	char piece[4096];
	size_t count;

	if (out == NULL || in == NULL)
		stop(path, "can't be read", NULL);
	while ((count = fread(piece, 1, sizeof(piece), in)) > 0)
		fwrite(piece, 1, count, out);
	fclose(in);
	fclose(out);
	return text;
}

static struct text list_map(const strew_map *map)
{
	struct text text = {NULL, 0};
	FILE *out = open_memstream(&text.bytes, &text.count);

	if (out == NULL)
		exit(EXIT_FAILURE);
	listing_write(out, map);
	fclose(out);
	return text;
}

/* Shows the first line in which two texts differ, and frees them. */
static bool compare(const char *path, const char *what, struct text one,
		    struct text other)
{
	size_t same = 0;
	bool equal = strcmp(one.bytes, other.bytes) == 0;

	for (size_t i = 0; !equal && one.bytes[i] && one.bytes[i] == other.bytes[i]; i++)
		if (one.bytes[i] == '\n')
			same = i + 1;
	if (!equal)
		printf("%s: %s\n  before: %.*s\n  after:  %.*s\n", path, what,
		       (int)strcspn(one.bytes + same, "\n"), one.bytes + same,
		       (int)strcspn(other.bytes + same, "\n"), other.bytes + same);
	free(one.bytes);
	free(other.bytes);
	return equal;
}

static void place_rules(FILE *out, const strew_placer *placer, strew_scratch *scratch)
{
	const strew_map *map = strew_placer_map(placer);

	for (size_t i = 0; i < strew_map_rule_count(map); i++)
		for (uint32_t x = 0; x < INPUTS; x++) {
			int32_t devices[DEVICES];
			int32_t rule = strew_map_rule_at(map, i);
			int count =
				strew_place(placer, rule, x, devices, DEVICES, scratch);

			fprintf(out, "%d %u:", rule, x);
			for (int j = 0; j < count; j++)
				fprintf(out, " %d", devices[j]);
			fprintf(out, "\n");
		}
}

static void place_pool(FILE *out, const strew_placer *placer, strew_scratch *scratch,
		       const strew_pool *pool)
{
	for (uint32_t seed = 0; seed < strew_pool_pg_num(pool) && seed < INPUTS; seed++) {
		int32_t devices[STREW_WANT_MAX];
		strew_pg pg = {strew_pool_id(pool), seed};
		strew_stages stages = {.acting = {devices, STREW_WANT_MAX, 0, 0}};

		if (strew_place_pg(placer, pg, &stages, scratch) != STREW_OK)
			exit(EXIT_FAILURE);
		fprintf(out, "%lld.%x primary %d:", (long long)pg.pool, seed,
			stages.acting.primary);
		for (int i = 0; i < stages.acting.count; i++)
			fprintf(out, " %d", devices[i]);
		fprintf(out, "\n");
	}
}

static struct text place_map(const strew_map *map, const char *path)
{
	struct text text = {NULL, 0};
	FILE *out = open_memstream(&text.bytes, &text.count);
	strew_placer *placer = NULL;
	strew_scratch *scratch = NULL;
	strew_error error;

	if (out == NULL)
		exit(EXIT_FAILURE);
	if (strew_placer_new(&placer, map, NULL, &error) != STREW_OK ||
	    strew_scratch_new(&scratch, placer, &error) != STREW_OK)
		stop(path, "can't be placed", &error);
	place_rules(out, placer, scratch);
	for (size_t i = 0; i < strew_map_pool_count(map); i++)
		place_pool(out, placer, scratch, strew_map_pool_at(map, i));
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	fclose(out);
	return text;
}

static strew_map *read_again(struct text text, const char *path)
{
	strew_map *again = NULL;
	strew_error error;

	if (strew_map_read_memory(&again, text.bytes, text.count, NULL, &error) !=
	    STREW_OK) {
		puts(text.bytes);
		printf("at %s\n", error.where);
		stop(path, "can't be read when it was written", &error);
	}
	return again;
}

static void count_loss(void *ctx, const char *fact)
{
	(void)fact;
	++*(size_t *)ctx;
}

/* Of a rule without the old mask an old release makes up one, and a new one drops one
 * that says nothing. */
static bool has_rules_of(const strew_map *map, bool masks)
{
	for (size_t i = 0; i < map->rule_count; i++)
		if (map->rules[i].has_mask != masks)
			return false;
	return true;
}

/* What is not told as lost is kept; and what is written can always be read. */
static bool check_dump(const struct source *source, const char *path,
		       const strew_map *map, const char *dialect, bool masks)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	size_t losses = 0;
	struct text text;
	strew_map *again;
	bool good = true;

	how.lossy = 1;
	how.lost = count_loss;
	how.ctx = &losses;
	how.dialect = dialect;
	text = write_as(map, path, "crush-json", &how);
	again = read_again(text, path);
	if (losses == 0 && has_rules_of(map, masks))
		good &= compare(path, "is another map as crush-json", list_map(map),
				list_map(again));
	if (losses == 0 && source->places)
		good &= compare(path, "is placed in another way as crush-json",
				place_map(map, path), place_map(again, path));
	strew_map_release(again);
	free(text.bytes);
	return good;
}

static bool check_printed(const struct source *source, const char *path,
			  const strew_map *map)
{
	if (!source->printed)
		return true;
	return compare(path, "is printed in another way by Ceph's tools", read_text(path),
		       write_as(map, path, "crush-json", NULL));
}

static strew_map *anonymise(const strew_map *map, const char *path)
{
	strew_map *other = NULL;
	strew_error error;

	if (strew_map_anonymise(&other, map, &error) != STREW_OK)
		stop(path, "can't be anonymised", &error);
	return other;
}

/* Neutral names change no placement, and are neutral themselves. */
static bool check_anonymous(const struct source *source, const char *path,
			    const strew_map *map)
{
	strew_map *once = anonymise(map, path), *twice = anonymise(once, path);
	bool good = compare(path, "gets other names the second time", list_map(once),
			    list_map(twice));

	if (source->places)
		good &= compare(path, "is placed in another way under neutral names",
				place_map(map, path), place_map(once, path));
	strew_map_release(twice);
	strew_map_release(once);
	return good;
}

static bool check_map(const struct source *source, const char *path)
{
	char *joined = joined_path(source, path);
	strew_map *map = read_map(path, joined), *again;
	struct text text = write_map(map, path);
	bool good;

	again = read_again(text, path);
	good = compare(path, "is another map when it was written", list_map(map),
		       list_map(again));
	if (source->places)
		good &= compare(path, "is placed in another way", place_map(map, path),
				place_map(again, path));
	good &= compare(path, "is written in another way again", text,
			write_map(again, path));
	good &= check_dump(source, path, map, NULL, true);
	good &= check_dump(source, path, map, "squid", false);
	good &= check_printed(source, path, map);
	good &= check_anonymous(source, path, map);
	strew_map_release(again);
	strew_map_release(map);
	free(joined);
	return good;
}

/* @return how many maps failed; none at all is a failure too. */
static size_t check_source(const struct source *source)
{
	glob_t found;
	size_t failed = 0;

	if (glob(source->pattern, 0, NULL, &found) != 0) {
		printf("%s: there is none\n", source->pattern);
		return 1;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		failed += !check_map(source, found.gl_pathv[i]);
	printf("%s: %zu of %zu maps failed\n", source->pattern, failed, found.gl_pathc);
	globfree(&found);
	return failed;
}

int main(int argc, char **argv)
{
	size_t failed = 0;

	if (argc != 2 || chdir(argv[1]) != 0) {
		fprintf(stderr, "usage: check_write ROOT\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		failed += check_source(&sources[i]);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
