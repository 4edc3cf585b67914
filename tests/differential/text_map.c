/* SPDX-License-Identifier: MIT */
#include "text_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "support.h"

#define DEVICES_MAX 40
#define BUCKETS_MAX 30
#define ITEMS_MAX   12
#define LEVELS      3
#define IDS         500

static const char *const types[LEVELS + 1] = {"osd", "host", "rack", "root"};
static const char *const classes[] = {"hdd", "ssd", "nvme-1"};

#define CLASSES (int)(sizeof(classes) / sizeof(classes[0]))

struct bucket {
	int level;
	int id; /* 0: not written */
	bool is_straw2;
	int count;
};

struct text {
	FILE *file;
	uint64_t random;
	int device_count, bucket_count;
	int device_ids[DEVICES_MAX];
	struct bucket buckets[BUCKETS_MAX];
	bool taken[IDS];
	bool has_classes;
	bool is_loose; /* in what stands between words */
};

static int below(struct text *text, int limit)
{
	return (int)(support_random(&text->random) % (uint64_t)limit);
}

static bool once_in(struct text *text, int times)
{
	return below(text, times) == 0;
}

/** What may stand where a space may. */
static void gap(struct text *text)
{
	static const char *const gaps[] = {" ", "\t", "\n", "  \n\t", " # a comment\n"};

	fputs(text->is_loose ? gaps[below(text, 5)] : " ", text->file);
}

static void word(struct text *text, const char *what)
{
	fputs(what, text->file);
	gap(text);
}

static void number(struct text *text, long what)
{
	fprintf(text->file, "%ld", what);
	gap(text);
}

static void end_line(struct text *text)
{
	if (!text->is_loose)
		fputc('\n', text->file);
}

static void write_tunables(struct text *text)
{
	static const char *const names[] = {
		"choose_local_tries", "choose_local_fallback_tries",
		"choose_total_tries", "chooseleaf_descend_once",
		"chooseleaf_vary_r",  "chooseleaf_stable",
		"straw_calc_version", "allowed_bucket_algs",
	};

	for (int i = below(text, 10); i > 0; i--) {
		word(text, "tunable");
		word(text, names[below(text, 8)]);
		number(text, below(text, once_in(text, 4) ? 70000 : 60));
		end_line(text);
	}
}

static void write_devices(struct text *text)
{
	int id = 0;

	text->device_count = 1 + below(text, DEVICES_MAX);
	text->has_classes = !once_in(text, 3);
	for (int i = 0; i < text->device_count; i++) {
		id += once_in(text, 5) ? below(text, 9) : 0;
		text->device_ids[i] = id++;
		word(text, "device");
		number(text, text->device_ids[i]);
		fprintf(text->file, "osd.%d", text->device_ids[i]);
		gap(text);
		if (text->has_classes && !once_in(text, 4)) {
			word(text, "class");
			word(text, classes[below(text, CLASSES)]);
		}
		end_line(text);
	}
}

static void write_types(struct text *text)
{
	for (int i = 0; i <= LEVELS; i++) {
		word(text, "type");
		number(text, i * 3);
		word(text, types[i]);
		end_line(text);
	}
}

/** An id that nothing has yet. */
static int take_id(struct text *text)
{
	int id = 1 + below(text, once_in(text, 2) ? 20 : IDS - 1);

	while (text->taken[id])
		id = id % (IDS - 1) + 1;
	text->taken[id] = true;
	return -id;
}

static void write_ids(struct text *text, struct bucket *bucket)
{
	int first = below(text, CLASSES);

	if (!once_in(text, 4)) {
		bucket->id = take_id(text);
		word(text, "id");
		number(text, bucket->id);
		end_line(text);
	}
	for (int i = first; text->has_classes && i < CLASSES && once_in(text, 2); i++) {
		word(text, "id");
		number(text, take_id(text));
		word(text, "class");
		word(text, classes[i]);
		end_line(text);
	}
}

/** The reference makes the shadows of tree and uniform buckets of what memory happens to
 * hold, or none at all. */
static const char *choose_alg(struct text *text, struct bucket *bucket)
{
	static const char *const algs[] = {"straw2", "straw", "list", "tree", "uniform"};
	int alg = once_in(text, 2) ? 0 : below(text, text->has_classes ? 3 : 5);

	bucket->is_straw2 = alg == 0;
	return algs[alg];
}

static void write_weight(struct text *text)
{
	static const char *const forms[] = {"%.3f", "%.5f", "%g", "%e", "+%.1f"};
	double weight = below(text, 1000000) / (once_in(text, 2) ? 10000.0 : 1000000.0);

	word(text, "weight");
	fprintf(text->file, forms[below(text, 5)], once_in(text, 10) ? 0.0 : weight);
	gap(text);
}

/** What a bucket holds: devices, or buckets of the level below that come before it, and
 * perhaps the one that comes next. */
static void write_item_name(struct text *text, int index)
{
	int level = text->buckets[index].level;
	int pick = level > 1 ? below(text, index + 1) : index;

	for (int i = 0; i < index && level > 1; i++, pick = (pick + 1) % (index + 1))
		if (pick < index && text->buckets[pick].level == level - 1) {
			fprintf(text->file, "b%d", pick);
			gap(text);
			return;
		}
	fprintf(text->file, "osd.%d", text->device_ids[below(text, text->device_count)]);
	gap(text);
}

static void write_items(struct text *text, int index, const char *alg)
{
	struct bucket *bucket = &text->buckets[index];
	bool is_uniform = alg[0] == 'u', has_places = alg[0] == 'u' || alg[0] == 't';
	int place = below(text, ITEMS_MAX);

	bucket->count = below(text, ITEMS_MAX);
	for (int i = 0; i < bucket->count; i++) {
		word(text, "item");
		write_item_name(text, index);
		if (is_uniform)
			word(text, "weight 1.5");
		else if (!once_in(text, 4))
			write_weight(text);
		if (has_places && once_in(text, 2)) {
			word(text, "pos");
			number(text, (i + place) % bucket->count);
		}
		end_line(text);
	}
}

static void write_bucket(struct text *text, int index)
{
	struct bucket *bucket = &text->buckets[index];
	const char *alg = choose_alg(text, bucket);

	bucket->level = 1 + index * LEVELS / text->bucket_count;
	word(text, types[bucket->level]);
	fprintf(text->file, "b%d", index);
	gap(text);
	word(text, "{");
	end_line(text);
	write_ids(text, bucket);
	word(text, "alg");
	word(text, alg);
	if (!once_in(text, 4))
		word(text, once_in(text, 4) ? "hash rjenkins1" : "hash 0");
	end_line(text);
	write_items(text, index, alg);
	word(text, "}");
	end_line(text);
}

/** Two buckets of which the first holds the second: they change places. */
static void write_forward(struct text *text)
{
	word(text, "root forward { alg straw2 item later }");
	word(text, "host later {");
	write_ids(text, &(struct bucket){0});
	fprintf(text->file, "alg list item osd.%d }", text->device_ids[0]);
	gap(text);
	end_line(text);
}

static void write_step(struct text *text)
{
	static const char *const sets[] = {
		"set_choose_tries",       "set_chooseleaf_tries",
		"set_choose_local_tries", "set_choose_local_fallback_tries",
		"set_chooseleaf_vary_r",  "set_chooseleaf_stable",
	};

	word(text, "step");
	if (once_in(text, 3)) {
		word(text, sets[below(text, 6)]);
		number(text, below(text, 200));
		return;
	}
	word(text, once_in(text, 2) ? "choose" : "chooseleaf");
	word(text, once_in(text, 2) ? "firstn" : "indep");
	number(text, below(text, 9) - 4);
	word(text, "type");
	word(text, types[below(text, LEVELS + 1)]);
}

static void write_rule(struct text *text, int index)
{
	word(text, "rule");
	if (!once_in(text, 4)) {
		fprintf(text->file, "rule-%d", index);
		gap(text);
	}
	word(text, "{");
	word(text, once_in(text, 2) ? "id" : "ruleset");
	number(text, index * 3);
	word(text, "type");
	word(text, once_in(text, 2) ? "replicated" : "erasure");
	word(text, "min_size");
	number(text, below(text, 300));
	word(text, "max_size");
	number(text, below(text, 300));
	fprintf(text->file, "step take b%d", below(text, text->bucket_count));
	gap(text);
	end_line(text);
	for (int i = below(text, 5); i > 0; i--) {
		write_step(text);
		end_line(text);
	}
	word(text, "step emit }");
	end_line(text);
}

static void write_rows(struct text *text, const struct bucket *bucket)
{
	word(text, "weight_set [");
	for (int row = below(text, 3); row > 0; row--) {
		word(text, "[");
		for (int i = 0; i < bucket->count; i++) {
			fprintf(text->file, "%.4f", below(text, 3000000) / 10000.0 - 9);
			gap(text);
		}
		word(text, "]");
	}
	word(text, "]");
}

static void write_weight_set(struct text *text, int id)
{
	word(text, "choose_args");
	word(text, id < 0 ? "18446744073709551615" : "");
	if (id >= 0)
		number(text, id);
	word(text, "{");
	for (int i = 0; i < text->bucket_count; i++) {
		const struct bucket *bucket = &text->buckets[i];

		if (bucket->id == 0 || !bucket->is_straw2 || once_in(text, 2))
			continue;
		word(text, "{ bucket_id");
		number(text, bucket->id);
		if (!once_in(text, 4))
			write_rows(text, bucket);
		if (once_in(text, 3)) {
			word(text, "ids [");
			for (int j = 0; j < bucket->count; j++)
				number(text, below(text, 100) - 50);
			word(text, "]");
		}
		word(text, "}");
		end_line(text);
	}
	word(text, "}");
	end_line(text);
}

void text_map_write(FILE *file, uint64_t seed)
{
	static struct text text;
	int rules, sets;

	text = (struct text){.file = file, .random = seed};
	text.is_loose = once_in(&text, 2);
	write_tunables(&text);
	write_devices(&text);
	write_types(&text);
	text.bucket_count = 1 + below(&text, BUCKETS_MAX);
	for (int i = 0; i < text.bucket_count; i++)
		write_bucket(&text, i);
	if (once_in(&text, 3))
		write_forward(&text);
	rules = below(&text, 4);
	for (int i = 0; i < rules; i++)
		write_rule(&text, i);
	sets = below(&text, 3);
	for (int i = 0; i < sets; i++)
		write_weight_set(&text, i * 7 - once_in(&text, 2));
}
