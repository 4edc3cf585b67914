/* SPDX-License-Identifier: MIT */
#include "maps.h"

#define FAN    20
#define LEVELS 4 /* of buckets: host, rack, room, root */
/* A million of them must fit a bucket, whose weight is below 65536. */
#define WEIGHT       "0.05"
#define WEIGHT_UNITS 3277 /* of 1/65536 */

static const char *const types[LEVELS + 1] = {"osd", "host", "rack", "room", "root"};

/** What a bucket of a level holds is everything from `first` to before `end`, one level
 * below. */
struct range {
	int first;
	int end;
};

/** How many there are of a level; 0: devices. There is one root. */
static int count_at(int level, int devices)
{
	int count = devices;

	for (int i = 0; i < level; i++)
		count = (count + FAN - 1) / FAN;
	return level == LEVELS ? 1 : count;
}

static struct range children_of(int level, int number, int devices)
{
	int count = count_at(level - 1, devices);
	struct range range = {number * FAN, number * FAN + FAN};

	if (level == LEVELS || range.end > count)
		range.end = count;
	return range;
}

/** Ids count down, from the root to the hosts. */
static int id_of(int level, int number, int devices)
{
	int id = -1 - number;

	for (int i = LEVELS; i > level; i--)
		id -= count_at(i, devices);
	return id;
}

static void write_node(FILE *file, int level, int number, int devices)
{
	struct range range;

	if (level == 0) {
		fprintf(file,
			"{\"device\": %d, \"weight\": " WEIGHT ", \"class\": \"hdd\"}",
			number);
		return;
	}
	range = children_of(level, number, devices);
	fprintf(file,
		"{\"type\": \"%s\", \"name\": \"%s%d\", \"id\": %d, \"children\": [\n",
		types[level], types[level], number, id_of(level, number, devices));
	for (int i = range.first; i < range.end; i++) {
		write_node(file, level - 1, i, devices);
		fputs(i + 1 < range.end ? ",\n" : "]}", file);
	}
}

void write_strew_map(FILE *file, int devices)
{
	fputs("{\"format\": \"strew-map/1\", \"types\": [", file);
	for (int i = 0; i <= LEVELS; i++)
		fprintf(file, "%s\"%s\"", i ? ", " : "", i ? types[i] : "device");
	fputs("],\n\"tree\": [", file);
	write_node(file, LEVELS, 0, devices);
	fputs("],\n\"rules\": [{\"name\": \"racks\", \"id\": 0, \"type\": "
	      "\"replicated\", "
	      "\"steps\": [\"take root0 class hdd\", "
	      "\"chooseleaf firstn 0 type rack\", \"emit\"]}]}\n",
	      file);
}

/** The weight of all below a bucket, in units of 1/65536. */
static long long weight_of(int level, int number, int devices)
{
	long long first = number, end = number + 1;

	for (int i = 0; i < level; i++) {
		first *= FAN;
		end *= FAN;
	}
	if (level == LEVELS || end > devices)
		end = devices;
	return (end - first) * WEIGHT_UNITS;
}

/** `shift`: how far the ids of buckets are from those of the ordinary ones. */
static void write_items(FILE *file, int level, int number, int devices, int shift)
{
	struct range range = children_of(level, number, devices);

	for (int i = range.first; i < range.end; i++)
		fprintf(file, "%s{\"id\": %d, \"weight\": %lld, \"pos\": %d}",
			i > range.first ? ", " : "",
			level == 1 ? i : id_of(level - 1, i, devices) - shift,
			weight_of(level - 1, i, devices), i - range.first);
}

static void write_bucket(FILE *file, int level, int number, int devices, int shift)
{
	fprintf(file,
		"%s{\"id\": %d, \"name\": \"%s%d%s\", \"type_id\": %d, \"type_name\": "
		"\"%s\", \"weight\": %lld, \"alg\": \"straw2\", \"hash\": \"rjenkins1\", "
		"\"items\": [",
		level == LEVELS && shift == 0 ? "\n" : ",\n",
		id_of(level, number, devices) - shift, types[level], number,
		shift ? "~hdd" : "", level, types[level],
		weight_of(level, number, devices));
	write_items(file, level, number, devices, shift);
	fputs("]}", file);
}

/** Shadows have the ids below all others. */
static void write_buckets(FILE *file, int devices)
{
	int all = 0;

	for (int level = LEVELS; level > 0; level--)
		all += count_at(level, devices);
	for (int level = LEVELS; level > 0; level--)
		for (int i = 0; i < count_at(level, devices); i++) {
			write_bucket(file, level, i, devices, 0);
			write_bucket(file, level, i, devices, all);
		}
}

void write_crush_json(FILE *file, int devices)
{
	fputs("{\"devices\": [", file);
	for (int i = 0; i < devices; i++)
		fprintf(file, "%s{\"id\": %d, \"name\": \"osd.%d\", \"class\": \"hdd\"}",
			i ? ",\n" : "\n", i, i);
	fputs("],\n\"types\": [", file);
	for (int i = 0; i <= LEVELS; i++)
		fprintf(file, "%s{\"type_id\": %d, \"name\": \"%s\"}", i ? ", " : "", i,
			types[i]);
	fputs("],\n\"buckets\": [", file);
	write_buckets(file, devices);
	fputs("],\n\"rules\": [], \"tunables\": {}, \"choose_args\": {}}\n", file);
}

static void write_text_bucket(FILE *file, int level, int number, int devices)
{
	struct range range = children_of(level, number, devices);

	fprintf(file, "%s %s%d {\n\tid %d\n\talg straw2\n\thash 0\t# rjenkins1\n",
		types[level], types[level], number, id_of(level, number, devices));
	for (int i = range.first; i < range.end; i++)
		fprintf(file, "\titem %s%s%d weight %.3f\n", types[level - 1],
			level == 1 ? "." : "", i,
			(double)weight_of(level - 1, i, devices) / 65536);
	fputs("}\n", file);
}

void write_crush_text(FILE *file, int devices)
{
	fputs("# begin crush map\ntunable choose_total_tries 50\n\n# devices\n", file);
	for (int i = 0; i < devices; i++)
		fprintf(file, "device %d osd.%d class hdd\n", i, i);
	fputs("\n# types\n", file);
	for (int i = 0; i <= LEVELS; i++)
		fprintf(file, "type %d %s\n", i, types[i]);
	fputs("\n# buckets\n", file);
	for (int level = 1; level <= LEVELS; level++)
		for (int i = 0; i < count_at(level, devices); i++)
			write_text_bucket(file, level, i, devices);
	fputs("\n# rules\nrule racks {\n\tid 0\n\ttype replicated\n\tmin_size 1\n"
	      "\tmax_size 10\n\tstep take root0 class hdd\n"
	      "\tstep chooseleaf firstn 0 type rack\n\tstep emit\n}\n",
	      file);
}
