/* SPDX-License-Identifier: MIT */
/*
 * Few questions: a lane is an item. Parts lie one behind the other, across the borders of
 * vectors, so that few lanes are idle. Included behind straw2_lanes.h, for any width as
 * that is.
 */

INLINE VEC count_lanes(void)
{
	VEC numbers;
	uint32_t all[LANES];

	for (uint32_t i = 0; i < LANES; i++)
		all[i] = i;
	memcpy(&numbers, all, sizeof(numbers));
	return numbers;
}

/* Where a part lies in a vector: from `lane` on up to the next stretch, or as far as it
 * has items. */
struct stretch {
	uint32_t part;
	uint32_t lane;
	uint32_t left;  /* the items from there on */
	uint32_t shift; /* from the number of a lane to that of its item, modulo 2^32 */
};

/* Each part begins in one of the vectors, and each vector begins in one of the parts. */
#define STRETCHES (PART_CHAINS + STRAW2_PARTS)

/* What is worked on together. */
struct table {
	struct straw2_part *parts;
	int mixed;
	struct stretch stretches[STRETCHES];
	uint32_t ends[PART_CHAINS]; /* of each vector's stretches */
	uint32_t vectors;
	/* What came so far of the part that isn't complete. */
	VEC first;
	VEC second;
};

/* The two smallest of two pairs. */
INLINE void merge(VEC *first, VEC *second, VEC other_first, VEC other_second)
{
	*second = smaller(larger(*first, other_first), smaller(*second, other_second));
	*first = smaller(*first, other_first);
}

/* The two smallest of all lanes: half of them meet the other half, until there is nothing
 * left to halve. */
INLINE void merge_lanes(struct straw2_part *part, VEC first, VEC second)
{
	_Pragma("GCC unroll 8") for (int step = LANES / 2; step > 0; step /= 2)
		merge(&first, &second, swap_lanes(first, step), swap_lanes(second, step));
	memcpy(&part->first, &first, sizeof(part->first));
	memcpy(&part->second, &second, sizeof(part->second));
}

INLINE VEC keys_of(VEC hash, VEC scales, VEC index, int mixed)
{
	return mixed ? mixed_key(hash, scales, index)
		     : equal_key(hash, index + STRAW2_EQUAL_BASE);
}

/* What lanes are asked, by vector. */
struct laid {
	struct lanes lanes;
	VEC ids[CHAINS];
	VEC index[CHAINS];
	VEC scales[CHAINS];
};

/* One vector's lanes, as its stretches have them. What is before an array is read, too:
 * in a flat block there is something in front of each. */
INLINE void load_stretches(struct laid *laid, const struct table *table, uint32_t from,
			   int mixed, int k)
{
	const struct stretch *stretch = &table->stretches[from];
	const struct straw2_part *part = &table->parts[stretch->part];
	VEC all = count_lanes();

	laid->lanes.x[k] = splat(part->x);
	laid->lanes.r[k] = splat(part->r);
	laid->index[k] = all + stretch->shift;
	laid->ids[k] = load(part->ids + (int32_t)stretch->shift);
	if (mixed)
		laid->scales[k] = load(part->scales + (int32_t)stretch->shift);
	while (++from < table->ends[k]) {
		VEC lane;

		stretch = &table->stretches[from];
		part = &table->parts[stretch->part];
		lane = splat(stretch->lane);
		laid->lanes.x[k] =
			pick_at_least(all, lane, splat(part->x), laid->lanes.x[k]);
		laid->lanes.r[k] =
			pick_at_least(all, lane, splat(part->r), laid->lanes.r[k]);
		laid->index[k] =
			pick_at_least(all, lane, all + stretch->shift, laid->index[k]);
		laid->ids[k] = pick_at_least(all, lane,
					     load(part->ids + (int32_t)stretch->shift),
					     laid->ids[k]);
		if (mixed)
			laid->scales[k] = pick_at_least(
				all, lane, load(part->scales + (int32_t)stretch->shift),
				laid->scales[k]);
	}
}

/* @return are all the part's items asked? */
INLINE bool keep_stretch(const struct table *table, const struct stretch *stretch,
			 VEC keys, VEC *first, VEC *second)
{
	const struct straw2_part *part = &table->parts[stretch->part];

	if (part->keys)
		store(part->keys + (int32_t)stretch->shift, keys);
	/* Numbers below 0 are far above. */
	keys = pick_at_least(count_lanes() - stretch->lane, splat(stretch->left),
			     splat(STRAW2_NO_KEY), keys);
	*second = smaller(*second, larger(*first, keys));
	*first = smaller(*first, keys);
	return stretch->left <= LANES - stretch->lane;
}

INLINE void ask_vectors(struct table *table, int chains)
{
	struct laid laid;
	VEC hashes[CHAINS], first = table->first, second = table->second;
	uint32_t at = 0;

	if (table->mixed)
		EACH load_stretches(&laid, table, k ? table->ends[k - 1] : 0, 1, k);
	else
		EACH load_stretches(&laid, table, k ? table->ends[k - 1] : 0, 0, k);
	hash(hashes, &laid.lanes, laid.ids, chains);
	if (table->mixed)
		EACH hashes[k] = keys_of(hashes[k], laid.scales[k], laid.index[k], 1);
	else
		EACH hashes[k] = keys_of(hashes[k], laid.scales[k], laid.index[k], 0);
	EACH for (; at < table->ends[k]; at++)
	{
		const struct stretch *stretch = &table->stretches[at];

		if (!keep_stretch(table, stretch, hashes[k], &first, &second))
			continue;
		merge_lanes(&table->parts[stretch->part], first, second);
		first = splat(STRAW2_NO_KEY);
		second = splat(STRAW2_NO_KEY);
	}
	table->first = first;
	table->second = second;
	table->vectors = 0;
}

static void ask_table(struct table *table)
{
	static_assert(PART_CHAINS == 4, "as there are cases here");
	switch (table->vectors) {
	case 4:
		ask_vectors(table, 4);
		break;
	case 3:
		ask_vectors(table, 3);
		break;
	case 2:
		ask_vectors(table, 2);
		break;
	case 1:
		ask_vectors(table, 1);
		break;
	default:
		break;
	}
}

/* The first items of a part, as far as they fill all chains: what came of each chain is
 * put together only in the end. @return how many they are. */
INLINE uint32_t ask_run(struct table *table, uint32_t number)
{
	enum { chains = PART_CHAINS };
	const struct straw2_part *part = &table->parts[number];
	struct lanes lanes;
	uint32_t at = 0;

	EACH
	{
		lanes.x[k] = splat(part->x);
		lanes.r[k] = splat(part->r);
	}
	start_keys(&lanes, chains);
	for (; part->items - at >= LANES * chains; at += LANES * chains) {
		VEC ids[CHAINS], hashes[CHAINS], keys[CHAINS];

		EACH ids[k] = load(part->ids + at + k * LANES);
		hash(hashes, &lanes, ids, chains);
		EACH
		{
			uint32_t from = at + (uint32_t)k * LANES;
			VEC index = count_lanes() + from;

			if (part->scales)
				keys[k] = mixed_key(hashes[k], load(part->scales + from),
						    index);
			else
				keys[k] = equal_key(hashes[k], index + STRAW2_EQUAL_BASE);
			if (part->keys)
				store(part->keys + from, keys[k]);
		}
		keep_keys(&lanes, keys, chains);
	}
	EACH merge(&table->first, &table->second, lanes.first[k], lanes.second[k]);
	return at;
}

/* How many vectors are worked on together: as many each time, as nearly as can be. */
static uint32_t share_vectors(const struct straw2_part *parts, uint32_t count)
{
	uint32_t lanes = 0, vectors, turns;

	for (uint32_t i = 0; i < count; i++)
		lanes += parts[i].items % (LANES * PART_CHAINS);
	vectors = (lanes + LANES - 1) / LANES;
	turns = (vectors + PART_CHAINS - 1) / PART_CHAINS;
	return turns ? (vectors + turns - 1) / turns : PART_CHAINS;
}

static void start_part(struct table *table)
{
	table->first = splat(STRAW2_NO_KEY);
	table->second = splat(STRAW2_NO_KEY);
}

/* Where the next stretch begins. */
struct spot {
	uint32_t stretches;
	uint32_t lane;
};

/* Stretches for a part's items from `at` on. A group of `share` vectors is asked as soon
 * as it is full. */
INLINE void lay_part(struct table *table, struct spot *spot, uint32_t number, uint32_t at,
		     uint32_t share)
{
	uint32_t left = table->parts[number].items - at;

	for (;;) {
		uint32_t room = LANES - spot->lane;

		table->stretches[spot->stretches++] =
			(struct stretch){number, spot->lane, left, at - spot->lane};
		table->ends[table->vectors] = spot->stretches;
		if (left < room) {
			spot->lane += left;
			return;
		}
		at += room;
		left -= room;
		spot->lane = 0;
		if (++table->vectors == share) {
			ask_table(table);
			spot->stretches = 0;
		}
		if (left == 0)
			return;
	}
}

/* Ask what is laid out. */
static void finish_table(struct table *table, struct spot *spot)
{
	table->vectors += spot->lane > 0;
	ask_table(table);
	*spot = (struct spot){0, 0};
}

/* Part by part. */
static void fill_parts(struct straw2_part *parts, uint32_t count)
{
	struct table table;
	struct spot spot = {0, 0};
	uint32_t share = share_vectors(parts, count);

	table.parts = parts;
	table.mixed = parts[0].scales != NULL;
	table.vectors = 0;
	start_part(&table);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = 0;

		if (parts[i].items >= LANES * PART_CHAINS) {
			finish_table(&table, &spot);
			at = ask_run(&table, i);
		}
		if (at < parts[i].items) {
			lay_part(&table, &spot, i, at, share);
		} else {
			merge_lanes(&parts[i], table.first, table.second);
			start_part(&table);
		}
	}
	finish_table(&table, &spot);
}
