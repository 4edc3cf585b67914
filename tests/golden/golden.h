/* SPDX-License-Identifier: MIT */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <strew/strew.h>

/**
 * Compares what the library places with what was recorded. Uses only the public
 * interface, as any program would. A fault that makes comparing pointless ends the
 * program.
 */

/** What one run found. */
struct golden_tally {
	size_t compared;
	size_t mismatches;
};

/** End the program with a message. */
_Noreturn void golden_stop(const char *format, ...) STREW_PRINTF(1, 2);
/** End the program when status is a failure. */
void golden_need(strew_status status, const char *what, const strew_error *error);

/** "folder/name" + ending, to be freed. */
char *golden_path(const char *folder, const char *name, const char *ending);
/** Call `visit` for every file of a folder with this ending, in order of name, without
 * the ending. Stops the program when there is none. */
void golden_each_file(const char *folder, const char *ending,
		      void (*visit)(const char *folder, const char *name,
				    struct golden_tally *tally),
		      struct golden_tally *tally);
/** Call `visit` for every line of a file, through gzip when its name ends in .gz. */
void golden_each_line(const char *path, void (*visit)(char *line, void *ctx), void *ctx);

/** A map from one file, or from two that are joined. */
strew_map *golden_read_map(const char *path, const char *joined);
strew_placer *golden_placer(const strew_map *map);
strew_scratch *golden_scratch(const strew_placer *placer);

/** Devices as text: "4,9,2147483647"; "" for none. @return how many, at most room. */
int golden_parse_set(int32_t *out, int room, const char *text);
void golden_print_set(FILE *file, const int32_t *devices, int count);
int golden_same_set(const int32_t *a, int a_count, const int32_t *b, int b_count);

/** Count one comparison; a mismatch prints `what`, the expected set and
 * the one we got. */
void golden_compare(struct golden_tally *tally, const char *what, const int32_t *expected,
		    int expected_count, const int32_t *got, int got_count);

/** Trace one placement: count the set that it comes to as one comparison. */
void golden_trace(struct golden_tally *tally, const char *what,
		  const strew_placer *placer, const strew_inputs *inputs,
		  const int32_t *expected, int expected_count);

/** Every NAME.jsonl.gz of a folder against its NAME.json, NAME.crush and NAME.txt. */
void golden_crush(const char *folder, struct golden_tally *tally);
/** What we write of every NAME.json, NAME.crush and NAME.txt as CRUSH text, against
 * NAME.decompiled.txt. */
void golden_decompiled(const char *folder, struct golden_tally *tally);
/** Texts that are taken, and those that are not, with a place in the message: as
 * expected.tsv says. */
void golden_invalid(const char *folder, struct golden_tally *tally);
/** Every NAME.pgs.tsv.gz and NAME.objects.tsv against NAME.crush.json with
 * NAME.dump.json. */
void golden_osdmap(const char *folder, struct golden_tally *tally);
/** The up sets of a real cluster. */
void golden_real(const char *folder, struct golden_tally *tally);
/** Shards and primaries of each device, against every NAME.counts.txt. */
void golden_spread(const char *folder, struct golden_tally *tally);
/** What rules of every NAME.json are expected to place, against what they do. */
void golden_expect(const char *folder, struct golden_tally *tally);
/** The same of every NAME.crush.txt, with some devices out or partly so, too. */
void golden_expect_cases(const char *folder, struct golden_tally *tally);
/** The same of the real cluster, and how far they are from the weight shares. */
void golden_spread_real(const char *folder, struct golden_tally *tally);
/** The upmaps that check would have dropped of every NAME.osdmap, against the commands in
 * NAME.commands.txt. */
void golden_upmaps(const char *folder, struct golden_tally *tally);

#endif
