/* SPDX-License-Identifier: MIT */
/*
 * bench_schemes [KEYS]: what simpler ways to place a key take, as points of reference: a
 * ring of 100 points a node, jump hash, rendezvous hash, and tables filled by rendezvous
 * hash. One node for a key, all nodes alike: no weights, no failure domains. Each is
 * checked while it is measured: every node gets its share, and one more node takes keys
 * from the others only. Exit code 1: it doesn't.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define POINTS      100
#define NODES_MAX   10001
#define TABLE_SLOTS 65536

struct point {
	uint64_t at;
	uint32_t node;
};

struct cluster {
	uint32_t nodes;
	struct point *ring;
	uint16_t *table;
};

struct scheme {
	const char *name;
	uint32_t (*find)(const struct cluster *cluster, uint64_t key);
	double spread;      /* the standard deviation of nodes' shares, in parts of one */
	uint32_t max_nodes; /* with more it takes too long, or there is no room */
};

/** The last steps of splitmix64: each bit of the key changes half of the result. */
static uint64_t mix(uint64_t key)
{
	key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
	key = (key ^ key >> 27) * 0x94d049bb133111ebu;
	return key ^ key >> 31;
}

static int compare_points(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

/** The node of the first point at or after the key's, around the ring. */
static uint32_t find_on_ring(const struct cluster *cluster, uint64_t key)
{
	size_t first = 0, count = (size_t)cluster->nodes * POINTS;

	key = mix(key);
	for (size_t half; count > 0;) {
		half = count / 2;
		if (cluster->ring[first + half].at < key) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return cluster->ring[first % ((size_t)cluster->nodes * POINTS)].node;
}

/** Jump from node count to node count at which the key would move, up to the last one. */
static uint32_t find_by_jumps(const struct cluster *cluster, uint64_t key)
{
	uint64_t next = 0, node = 0;

	while (next < cluster->nodes) {
		node = next;
		key = key * 2862933555777941757u + 1;
		next = (uint64_t)((double)(node + 1) *
				  (2147483648.0 / (double)((key >> 33) + 1)));
	}
	return (uint32_t)node;
}

/** The node whose hash with the key is the highest. */
static uint32_t find_highest(const struct cluster *cluster, uint64_t key)
{
	uint64_t best = 0;
	uint32_t node = 0;

	for (uint32_t i = 0; i < cluster->nodes; i++) {
		uint64_t hash = mix(key ^ mix(i + 1));

		if (hash > best) {
			best = hash;
			node = i;
		}
	}
	return node;
}

static uint32_t find_in_table(const struct cluster *cluster, uint64_t key)
{
	return cluster->table[mix(key) % TABLE_SLOTS];
}

static const struct scheme schemes[] = {
	{"ring", find_on_ring, 0.1, NODES_MAX},
	{"jump", find_by_jumps, 0, NODES_MAX},
	{"rendezvous", find_highest, 0, 1001},
	{"table", find_in_table, 0.4, 1001},
};

static void *room_for(size_t count, size_t size)
{
	void *room = calloc(count, size);

	if (room == NULL) {
		perror("memory");
		exit(EXIT_FAILURE);
	}
	return room;
}

static struct cluster make_cluster(uint32_t nodes)
{
	size_t points = (size_t)nodes * POINTS;
	struct cluster cluster = {nodes, room_for(points, sizeof(struct point)),
				  room_for(TABLE_SLOTS, sizeof(uint16_t))};

	for (size_t i = 0; i < points; i++)
		cluster.ring[i] = (struct point){mix(i + 1), (uint32_t)(i / POINTS)};
	qsort(cluster.ring, points, sizeof(*cluster.ring), compare_points);
	for (uint32_t i = 0; i < TABLE_SLOTS && nodes <= 1001; i++)
		cluster.table[i] = (uint16_t)find_highest(&cluster, mix(i));
	return cluster;
}

static void free_cluster(struct cluster *cluster)
{
	free(cluster->ring);
	free(cluster->table);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/** @return nanoseconds for a key; counts what each node gets */
static double place(const struct scheme *scheme, const struct cluster *cluster,
		    uint32_t keys, uint32_t *found)
{
	double start = now();

	for (uint32_t i = 0; i < keys; i++)
		found[i] = scheme->find(cluster, mix(i + 1));
	return (now() - start) / keys;
}

/** Within six standard deviations, of chance and of the scheme's own shares. */
static int is_even(const struct scheme *scheme, uint32_t nodes, uint32_t keys,
		   const uint32_t *found)
{
	double mean = (double)keys / nodes;
	double room = 6 * (sqrt(mean) + mean * scheme->spread) + 1;
	uint32_t *counts = room_for(nodes, sizeof(*counts));
	int even = 1;

	for (uint32_t i = 0; i < keys; i++)
		counts[found[i]]++;
	for (uint32_t i = 0; i < nodes; i++)
		even &= fabs(counts[i] - mean) <= room;
	free(counts);
	return even;
}

/** What moves when a node is added moves to it. */
static int is_stable(const uint32_t *before, const uint32_t *after, uint32_t keys,
		     uint32_t added)
{
	uint32_t moved = 0;

	for (uint32_t i = 0; i < keys; i++) {
		if (after[i] == before[i])
			continue;
		if (after[i] != added)
			return 0;
		moved++;
	}
	return moved < keys;
}

static int measure(const struct scheme *scheme, uint32_t nodes, uint32_t keys)
{
	struct cluster cluster = make_cluster(nodes), larger = make_cluster(nodes + 1);
	uint32_t *before = room_for(keys, sizeof(*before));
	uint32_t *after = room_for(keys, sizeof(*after));
	double cost = place(scheme, &cluster, keys, before);
	int good;

	place(scheme, &larger, keys, after);
	good = is_even(scheme, nodes, keys, before) &&
	       is_stable(before, after, keys, nodes);
	printf("%-10s %6u %10.1f  %s\n", scheme->name, nodes, cost,
	       good ? "" : "WRONG: uneven, or moves more than it has to");
	free(before);
	free(after);
	free_cluster(&cluster);
	free_cluster(&larger);
	return good;
}

int main(int argc, char **argv)
{
	uint32_t keys = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
	int good = keys > 0;

	printf("scheme      nodes   ns a key\n");
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]) && good; i++)
		for (uint32_t nodes = 10; nodes < schemes[i].max_nodes; nodes *= 10)
			good &= measure(&schemes[i], nodes, keys);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
