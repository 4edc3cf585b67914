/* SPDX-License-Identifier: MIT */
/*
 * Few questions: a lane is an item. Parts share *rows* of lanes, the same number each,
 * and go through their items in *strides*:
 *
 *     lane    0   1   2   3   4 | 5   6   7   8   9 |10  11  12  13  14 |15
 *     part    the first         | the second        | the third         |
 *     item    0   1   2   3   4 | 0   1   2   3   4 | 0   1   2   3   4 |
 *     then    5   6   7   8   9 | 5   6   7   8   9 | 5   6   7   8   9 |
 *
 * Few lanes are idle, and none changes the part that it is for. Included behind
 * straw2_lanes.h, for any width as that is.
 */

/* Lanes of a row: a vector, or some. Of three parts, as most look-ups have, each gets
 * five of 16, and one is idle. */
#define ROW         (LANES < 4 ? 4 : 16)
#define ROW_VECTORS (ROW / LANES)

/* The most parts that share a row, and the most strides that are hashed in turns. */
#define SHARES  (ROW < 5 ? ROW : 5)
#define STRIDES (ROW_VECTORS == 1 ? CHAINS : PART_CHAINS / ROW_VECTORS)

/* A part of so many items has a row of its own. */
#define LONG (4 * ROW)

/* Where a part lies in a vector: from a lane on, up to the next stretch. */
struct stretch {
	MASK before; /* the lanes of earlier ones */
	uint32_t items;
	/* Its ids and its scales, moved so that the first is the vector's lane 0. */
	const void *entries[2];
};

enum { IDS, SCALES };

struct row {
	struct straw2_part *parts;
	uint32_t count;
	uint32_t width; /* how many lanes each part has */
	uint32_t items; /* how many items the largest part has */
	int mixed;
	VEC x[ROW_VECTORS];
	VEC r[ROW_VECTORS];
	VEC items_of[ROW_VECTORS]; /* how many the lane's part has */
	VEC numbers[ROW_VECTORS];  /* the lane's, among those of its part */
	VEC first[ROW_VECTORS];
	VEC second[ROW_VECTORS];
	struct stretch stretches[SHARES + ROW_VECTORS];
	uint32_t ends[ROW_VECTORS]; /* of each vector's stretches */
};

INLINE VEC count_lanes(void)
{
	static const uint32_t numbers[] = {0, 1, 2,  3,  4,  5,  6,  7,
					   8, 9, 10, 11, 12, 13, 14, 15};

	return load(numbers);
}

/* Part i's lanes of vector k, and those behind it. */
INLINE void lay_stretch(struct row *row, uint32_t i, int k, struct stretch *stretch,
			int first)
{
	const struct straw2_part *part = &row->parts[i];
	/* Modulo 2^32 it may be a number below 0. */
	uint32_t shift = (uint32_t)k * LANES - i * row->width;
	VEC numbers = count_lanes() + shift;
	VEC x = splat(part->x), r = splat(part->r), items = splat(part->items);
	MASK before =
		is_below(count_lanes() + (uint32_t)k * LANES, splat(i * row->width));

	stretch->before = before;
	stretch->items = part->items;
	stretch->entries[IDS] = part->ids + (int32_t)shift;
	if (row->mixed)
		stretch->entries[SCALES] = part->scales + (int32_t)shift;
	row->x[k] = first ? x : pick(before, row->x[k], x);
	row->r[k] = first ? r : pick(before, row->r[k], r);
	row->items_of[k] = first ? items : pick(before, row->items_of[k], items);
	row->numbers[k] = first ? numbers : pick(before, row->numbers[k], numbers);
}

/* Lanes behind the last part do as if they were its own: nobody asks what comes of it. */
INLINE void lay_row(struct row *row)
{
	uint32_t stretches = 0;

	for (int k = 0; k < ROW_VECTORS; k++) {
		uint32_t i = k ? (uint32_t)k * LANES / row->width : 0;

		if (i >= row->count)
			i = row->count - 1;
		lay_stretch(row, i, k, &row->stretches[stretches++], 1);
		while (++i < row->count && i * row->width < (uint32_t)(k + 1) * LANES)
			lay_stretch(row, i, k, &row->stretches[stretches++], 0);
		row->ends[k] = stretches;
		row->first[k] = splat(STRAW2_NO_KEY);
		row->second[k] = splat(STRAW2_NO_KEY);
	}
}

/* Entries of each part from `start` on, as far as it has so many. What is before an array
 * is read, too: in a flat block there is something in front of each. */
INLINE VEC load_entries(const struct row *row, int k, uint32_t start, int which)
{
	const struct stretch *at = &row->stretches[k ? row->ends[k - 1] : 0];
	const struct stretch *end = &row->stretches[row->ends[k]];
	VEC all = load((const uint32_t *)at->entries[which] +
		       (start < at->items ? start : 0));

	while (++at < end) {
		const uint32_t *entries = at->entries[which];

		all = pick(at->before, all,
			   load(entries + (start < at->items ? start : 0)));
	}
	return all;
}

/* Keys of hashes, for strides from an item on. */
INLINE void make_keys(VEC *keys, const struct row *row, uint32_t start, int mixed,
		      int chains)
{
	EACH
	{
		int v = k % ROW_VECTORS;
		uint32_t from = start + (uint32_t)(k / ROW_VECTORS) * row->width;
		VEC index = row->numbers[v] + from;

		if (mixed)
			keys[k] = mixed_key(keys[k], load_entries(row, v, from, SCALES),
					    index);
		else
			keys[k] = equal_key(keys[k], below_hash(index));
		if (row->parts[0].keys)
			store(row->parts[0].keys + from + v * LANES, keys[k]);
		keys[k] = pick(is_below(index, row->items_of[v]), keys[k],
			       splat(STRAW2_NO_KEY));
	}
}

INLINE void ask_strides(struct row *row, uint32_t start, int chains)
{
	struct lanes lanes;
	VEC ids[CHAINS], keys[CHAINS];

	EACH
	{
		int v = k % ROW_VECTORS;

		lanes.x[k] = row->x[v];
		lanes.r[k] = row->r[v];
		ids[k] = load_entries(
			row, v, start + (uint32_t)(k / ROW_VECTORS) * row->width, IDS);
	}
	hash(keys, &lanes, ids, chains, NULL);
	if (row->mixed)
		make_keys(keys, row, start, 1, chains);
	else
		make_keys(keys, row, start, 0, chains);
	EACH
	{
		int v = k % ROW_VECTORS;

		row->second[v] = larger(row->second[v], smaller(row->first[v], keys[k]));
		row->first[v] = larger(row->first[v], keys[k]);
	}
}

INLINE void ask_row(struct row *row)
{
	uint32_t width = row->width, start = 0;
	uint32_t strides = (row->items + width - 1) / width;

	/* As many each time, as nearly as can be. */
	for (uint32_t turns = (strides + STRIDES - 1) / STRIDES; turns > 0; turns--) {
		uint32_t share = turns == 1 ? strides : (strides + turns - 1) / turns;

		switch (share) {
#if STRIDES >= 6
		case 6:
			ask_strides(row, start, ROW_VECTORS * 6);
			break;
		case 5:
			ask_strides(row, start, ROW_VECTORS * 5);
			break;
#endif
#if STRIDES >= 4
		case 4:
			ask_strides(row, start, ROW_VECTORS * 4);
			break;
		case 3:
			ask_strides(row, start, ROW_VECTORS * 3);
			break;
#endif
#if STRIDES >= 2
		case 2:
			ask_strides(row, start, ROW_VECTORS * 2);
			break;
#endif
		default:
			ask_strides(row, start, ROW_VECTORS);
			break;
		}
		strides -= share;
		start += share * width;
	}
}

/* Each lane gets what the one has that is `step` behind it, round the row. */
INLINE void shift_row(VEC *to, const VEC *from, int step)
{
	_Pragma("GCC unroll 4") for (int k = 0; k < ROW_VECTORS; k++)
	{
		int v = k + step / LANES;
		VEC a = from[v % ROW_VECTORS], b = from[(v + 1) % ROW_VECTORS];

		to[k] = step % LANES ? next_lanes(a, b, step % LANES) : a;
	}
}

/* The two largest of each part's lanes come to be in its first lane: its last half meets
 * the first, until there is nothing left to halve. */
INLINE void fold_row(struct row *row)
{
	VEC first[ROW_VECTORS], second[ROW_VECTORS];

	_Pragma("GCC unroll 8") for (int step = ROW / 2; step > 0; step /= 2)
	{
		uint32_t width = row->width;

		if ((uint32_t)step >= width)
			continue;
		shift_row(first, row->first, step);
		shift_row(second, row->second, step);
		for (int k = 0; k < ROW_VECTORS; k++) {
			/* Lanes that have none to meet, when it isn't half of them. */
			if ((uint32_t)step * 2 > width) {
				MASK meets = is_below(row->numbers[k],
						      splat(width - (uint32_t)step));

				first[k] = pick(meets, first[k], splat(STRAW2_NO_KEY));
				second[k] = pick(meets, second[k], splat(STRAW2_NO_KEY));
			}
			row->second[k] = larger(smaller(row->first[k], first[k]),
						larger(row->second[k], second[k]));
			row->first[k] = larger(row->first[k], first[k]);
		}
	}
}

static void fill_row(struct straw2_part *parts, uint32_t count, uint32_t width,
		     uint32_t items)
{
	struct row row;
	uint32_t first[ROW], second[ROW];

	row.parts = parts;
	row.count = count;
	row.width = width;
	row.mixed = parts[0].scales != NULL;
	row.items = items;
	lay_row(&row);
	ask_row(&row);
	fold_row(&row);
	for (int k = 0; k < ROW_VECTORS; k++) {
		store(first + k * LANES, row.first[k]);
		store(second + k * LANES, row.second[k]);
	}
	for (uint32_t i = 0; i < count; i++) {
		parts[i].first = first[i * width];
		parts[i].second = second[i * width];
	}
}

/* The most lanes that so many parts can have when they share a row. */
static const uint8_t widths[] = {0, ROW, ROW / 2, ROW / 3, ROW / 4, ROW / 5};

static void fill_parts(struct straw2_part *parts, uint32_t count)
{
	uint32_t rows = (count + SHARES - 1) / SHARES, most = 0, share;

	for (uint32_t i = 0; i < count; i++)
		most = most < parts[i].items ? parts[i].items : most;
	if (most >= LONG)
		rows = count;
	for (; rows > 0; rows--) {
		share = rows == 1 ? count : (count + rows - 1) / rows;
		fill_row(parts, share, widths[share], most);
		parts += share;
		count -= share;
	}
}
