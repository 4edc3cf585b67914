/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_SUPPORT_H
#define ANALYZE_SUPPORT_H

#include <strew/analyze.h>
#include <strew/builder.h>

#define GIB ((uint64_t)1 << 30)
#define PGS 8

/** Types 0 osd, 1 host, 2 rack, 3 root. */
enum { HOST = 1, RACK = 2, ROOT = 3 };

/** A builder with the types and the root "default", id -1. */
strew_builder *start_map(const strew_allocator *allocator);
void add_bucket(strew_builder *builder, int32_t id, const char *name, int type,
		int32_t parent);
/** A device "osd.<id>"; weight in whole units. */
void add_device(strew_builder *builder, int32_t id, int32_t host, uint32_t weight);
/** take default, `op` 0 type `type`, emit. */
void add_rule(strew_builder *builder, int32_t id, const char *name, strew_kind kind,
	      strew_op op, int type);
/** With 1 GiB in each PG, when has_bytes. */
void add_pool(strew_builder *builder, int64_t id, const char *name, int size,
	      uint32_t pg_num, int32_t rule);
/** `hosts` hosts h0, h1, … (ids -2, -3, …), each of `each` devices of weight 1. */
void add_hosts(strew_builder *builder, int hosts, int each);
/** Build, compile, free the builder. Fails the test when the map is faulty. */
strew_placer *finish_map(strew_builder *builder);
/** Hosts of one device, rule 0 "hosts", pool 1 "data" of size 3 with PGS PGs. The last
 * host's device has the id `last` and weighs `weight`, the others 1. */
strew_builder *start_hosts(int count, int32_t last, uint32_t weight);
/** Three such hosts: each device holds all PGs, so that every answer is known. */
strew_builder *start_three(void);
strew_placer *three(void);
/** osd.3 in the place of osd.2. */
strew_placer *three_replaced(void);

/** A host h0, h1, … for each device. */
strew_builder *start_hosts_of(const uint32_t *weights, int count);
/** Rule 0, "hosts": each replica in another host. */
void add_hosts_rule(strew_builder *builder);
/** Rule 0, "2x2": two racks, two hosts in each. */
void add_two_by_two_rule(strew_builder *builder);
/** Three racks, eight hosts, 26 devices of 152 units: the tree of
 * ../shared/theory/t1b_tree.py. weights: each device's. */
strew_builder *start_tree(double *weights);
#define TREE_DEVICES 26

/** Room for the set of a PG of any test of failures. */
#define SET_ROOM 6
/** The up sets of the first PGs of pool 1; what a set lacks is STREW_NONE. */
void place_pool(int32_t sets[][SET_ROOM], const strew_placer *placer, uint32_t pgs);

/** Read a result; fail the test when there is no such cell. */
strew_cell cell_at(const strew_result *result, const char *table, size_t row,
		   const char *column);
int64_t summary_integer(const strew_result *result, const char *column);
double summary_real(const strew_result *result, const char *column);
int is_null(const strew_result *result, const char *column);
int has_note(const strew_result *result, const char *text);
size_t row_count(const strew_result *result, const char *table);
/** Is there a row in "changes" with these texts? NULL stands for null. */
int has_change(const strew_result *result, const char *what, const char *item,
	       const char *from, const char *to);

/** A trace that must succeed: of an input of rule 0, or of a PG of pool 1. */
strew_result *trace_input(const strew_placer *placer, int want, uint32_t x);
strew_result *trace_pg(const strew_placer *placer, uint32_t seed);

/** The shards that a cause of a diff moves too much; 0 when it isn't told. */
double part_of_cause(const strew_result *result, const char *cause);
/** A diff that must succeed. */
strew_result *diff_maps(const strew_placer *before, const strew_placer *after,
			const strew_inputs *inputs, const strew_diff_options *options,
			const strew_run *run);
/** The same with all defaults; drops the placers. */
strew_result *diff_and_release(strew_placer *before, strew_placer *after,
			       const strew_inputs *inputs,
			       const strew_diff_options *options);
/** Are two results the same, cell by cell and bit by bit? */
int same_results(const strew_result *a, const strew_result *b);

/** Runs tasks on four threads. */
extern const strew_executor four_threads;

/** Run an analysis with each of its allocations failing in turn: it tells, and leaves
 * nothing. @return how many there are */
size_t fail_each(strew_status (*analyse)(strew_result **out, const strew_run *run,
					 void *ctx),
		 void *ctx);

#endif
