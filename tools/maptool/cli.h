/* SPDX-License-Identifier: MIT */
#ifndef CLI_H
#define CLI_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include <strew/strew.h>

/**
 * What a command file may use: options, maps, inputs, a run's threads and progress, and
 * output.
 *
 * A function that can fail prints why to standard error and returns the exit code that
 * follows from it; 0 (CLI_DONE) means: go on. Structs that options fill start out as zero
 * bytes.
 */

enum cli_exit {
	CLI_DONE = 0,
	CLI_NO = 1,     /* done, and the answer is "no" */
	CLI_USAGE = 2,  /* wrong usage */
	CLI_INPUT = 3,  /* input unreadable, or no valid map */
	CLI_FAILED = 4, /* anything else */
	CLI_INTERRUPTED = 130
};

/* Commands: commands.gperf is the list; cmd_<name>.c has how one is used. */

struct cli_command {
	const char *name;
	const struct cli_usage *usage;
	const char *group;
	const char *summary;
};

/** @return NULL when there is none. */
const struct cli_command *cli_command_find(const char *name);
/** Say that there is none, and what is near. @return CLI_USAGE */
int cli_command_refuse(const char *name);
/** Walk the table, in no order. @return NULL beyond its end; an entry with an empty name
 * is a gap. */
const struct cli_command *cli_command_at(size_t index);
/** Parse what follows the command's name, and do what it says. */
int cli_command_run(const struct cli_command *command, int argc, char **argv);
/** The name of the command that runs. */
const char *cli_command_name(void);

extern const struct cli_usage cmd_bench;
extern const struct cli_usage cmd_check;
extern const struct cli_usage cmd_compare;
extern const struct cli_usage cmd_convert;
extern const struct cli_usage cmd_diff;
extern const struct cli_usage cmd_edit;
extern const struct cli_usage cmd_fail;
extern const struct cli_usage cmd_help;
extern const struct cli_usage cmd_place;
extern const struct cli_usage cmd_show;
extern const struct cli_usage cmd_spread;
extern const struct cli_usage cmd_trace;
extern const struct cli_usage cmd_version;
extern const struct cli_usage cmd_where;

/* Messages. */

/** "maptool: " and the message on standard error. */
void cli_error(const char *format, ...) STREW_PRINTF(1, 2);
/** The same, ended by where to read more of the command. @return CLI_USAGE */
int cli_usage_error(const char *format, ...) STREW_PRINTF(1, 2);
/** Print an error of the library, with its place. @return the exit code for its status */
int cli_report_error(const strew_error *error);
/** Print a warning of the library, with its place. */
void cli_report_warning(const strew_error *warning);

/** Says that there is no memory, and ends the program. */
void cli_no_memory(void) __attribute__((noreturn));
/** Memory for `count` things, as realloc; there always is some. */
void *cli_resize(void *old, size_t count, size_t size);

/** The name nearest to a word: offer all, then read `best`, NULL when none is near. */
struct cli_nearest {
	const char *word;
	const char *best;
	size_t distance;
};

void cli_nearest_offer(struct cli_nearest *nearest, const char *name);

/* Options: constant tables, which parse them and print them in --help. */

enum cli_kind {
	CLI_FLAG,    /* int: 1 when given */
	CLI_TEXT,    /* const char * */
	CLI_WORD,    /* const char *: one of the words in `value`, as in "set|position" */
	CLI_LIST,    /* struct cli_list */
	CLI_INTEGER, /* struct cli_integer */
	CLI_NUMBER   /* struct cli_number */
};

struct cli_list {
	const char **items;
	size_t count;
};

struct cli_integer {
	int given;
	int64_t value;
};

struct cli_number {
	int given;
	double value;
};

struct cli_option {
	const char *name;
	const char *value; /* as --help shows it; two words: two values; NULL: a flag */
	enum cli_kind kind;
	size_t offset; /* of the member that it fills */
	const char *help;
	int64_t min; /* CLI_INTEGER only */
	int64_t max;
	char letter; /* 0: no short form */
};

#define CLI_OPTION(name, value, kind, type, member, help)                                \
	{                                                                                \
		name, value, kind, offsetof(type, member), help, 0, 0, 0                 \
	}
#define CLI_INTEGER_OPTION(name, value, type, member, min, max, help)                    \
	{                                                                                \
		name, value, CLI_INTEGER, offsetof(type, member), help, min, max, 0      \
	}

struct cli_group {
	const char *title;
	const struct cli_option *options; /* which fill members of one struct */
	size_t count;
};

#define CLI_GROUP(title, options)                                                        \
	{                                                                                \
		title, options, sizeof(options) / sizeof((options)[0])                   \
	}

/** A group of a command's options, and where in the command's struct it fills another. */
struct cli_part {
	const struct cli_group *group;
	size_t offset;
};

#define CLI_PART(group, type, member)                                                    \
	{                                                                                \
		&(group), offsetof(type, member)                                         \
	}
#define CLI_PARTS_MAX 7

/** How a command is used, and what it does then. */
struct cli_usage {
	const char *args; /* as the synopsis shows them, such as "OLD NEW" */
	int min_args;
	int max_args;
	const char *about;    /* a paragraph */
	void (*list)(void);   /* prints more of what there is; NULL: nothing */
	const char *examples; /* lines as they are; NULL: none */
	struct cli_part parts[CLI_PARTS_MAX + 1];
	size_t size; /* of the command's struct, which starts out as zero bytes */
	/* args: max_args of them, NULL where none was given. @return the exit code */
	int (*run)(void *command, const char *const *args);
};

/** What cli_parse() returns when it printed --help: there is nothing else to do. */
#define CLI_SERVED (-1)

/** Fill a command's struct, and args with the rest.
 * @return CLI_DONE, CLI_SERVED, CLI_USAGE or CLI_FAILED */
int cli_parse(const struct cli_command *command, int argc, char **argv, void *target,
	      const char **args);
/** Free the lists that options filled. */
void cli_free_lists(const struct cli_usage *usage, void *target);
/** Print what the tables say. @return CLI_SERVED or CLI_FAILED */
int cli_print_help(const struct cli_command *command);
/** Print text on standard output, wrapped at 80 columns: the first line goes on at column
 * `at`, all others start at `indent`. */
void cli_print_wrapped(const char *text, int at, int indent);
/** Standard output is complete. @return CLI_FAILED when it could not be written */
int cli_finish_stdout(void);
/** @return 0 when all of text is one integer in the range */
int cli_parse_integer(int64_t *out, const char *text, int64_t min, int64_t max);
/** @return 0 when all of text is a range such as "0-1023" that goes up to max at most */
int cli_parse_range(int64_t *first, int64_t *last, const char *text, int64_t max);
int cli_parse_number(double *out, const char *text);
/** A number of bytes, such as "200 MB" or "1.5GiB". @return -1: it is none */
int cli_parse_bytes(double *out, const char *text);

/* Reading maps: --from and --join. */

struct cli_input {
	const char *from;
	struct cli_list joins;
	const char **format; /* where to put the name of the map's format, or NULL */
};

extern const struct cli_group cli_input_group;
/** How many of these paths are standard input; entries may be NULL. */
int cli_count_stdin(const char *const *paths, size_t count);
/** Wrong usage that can be seen before a file is opened. `stdin_uses`: how often standard
 * input is read beside --join, because it can be read once. */
int cli_input_check(const struct cli_input *input, int stdin_uses);
/** Read a map, join the files of `input` and `more` (NULL: none), print every fault. */
int cli_input_read(strew_map **out, const struct cli_input *input, const char *path,
		   const struct cli_list *more);
/** For a command that shows faults by itself: an empty builder (there always is memory),
 * and what reads all files of `input` into it without a message. */
strew_builder *cli_input_builder(void);
strew_status cli_input_fill(strew_builder *builder, const struct cli_input *input,
			    const char *path, strew_error *error);

/* Which inputs: pools, raw inputs or objects, and what overrides the map for them. */

struct cli_inputs {
	struct cli_list pools;
	const char *pg;
	const char *rule;
	struct cli_integer size;
	const char *range;
	struct cli_integer x;
	struct cli_integer pool_id;
	struct cli_list objects;
	const char *objects_from;
	int are_keys; /* what is read are keys and requests, not objects and bytes */
	struct cli_list reweights;
	const char *choose_args;

	/* What cli_inputs_check() and cli_inputs_resolve() make of them. */
	strew_inputs inputs;
	int64_t *pool_ids;
	strew_pg one_pg;
	strew_named_object *named;
	char *names; /* what `named` points into */
};

extern const struct cli_group cli_inputs_group;
/** Wrong usage that can be seen before a map is read. */
int cli_inputs_check(struct cli_inputs *inputs);
/** Look up names in a map, then in `other` (NULL: none), and read the objects. */
int cli_inputs_resolve(struct cli_inputs *inputs, const strew_map *map,
		       const strew_map *other);
/** Are these pairs of a device and a number from 0 to 1? `option` is what gave them. */
int cli_reweights_check(const struct cli_list *list, const char *option);
/** Compile a map with --reweight, --choose-args and then `reweights` (NULL: none)
 * applied. The first two may name what only `other` has (NULL: no other map). kernel:
 * cli_run_kernel()'s. */
int cli_inputs_placer(strew_placer **out, const struct cli_inputs *inputs,
		      const struct cli_list *reweights, const strew_map *map,
		      const strew_map *other, const char *kernel);
/** Free what cli_inputs_resolve() made. */
void cli_inputs_free(struct cli_inputs *inputs);

/** What a row of a table takes in bytes: for a placement, and for each of its shards. */
struct cli_row {
	double placement;
	double shard;
};

/** Tables are held whole. One that can't be would take all other programs down too.
 * @return CLI_DONE, or CLI_FAILED with a message when it could take more than the machine
 * has */
int cli_memory_check(const struct cli_inputs *inputs, const strew_map *map,
		     const struct cli_row *row);

/** Read --object and --objects-from into inputs->named. */
int cli_objects_read(struct cli_inputs *inputs);

/* Looking up names: the exact name first, then an id. They print what there is. */

int cli_find_pool(int64_t *out, const strew_map *map, const strew_map *other,
		  const char *name);
int cli_find_rule(int32_t *out, const strew_map *map, const char *name);
/** The names of a map's rules, split by commas; the rest is counted. To be freed. */
char *cli_list_rules(const strew_map *map);

/** Device ids: one device, or all that exist in a range such as "0-1023". */
struct cli_devices {
	int32_t first;
	int32_t last;
};

/** @return 1 when the map has such a device, else 0; prints nothing. */
int cli_find_devices(struct cli_devices *out, const strew_map *map, const char *name);

/** Ids of devices and buckets. */
struct cli_items {
	int32_t *ids; /* to be freed, also when something is not found */
	size_t count;
};

/** Each name is a device's or bucket's own, else devices as above, else a bucket as
 * "host:h3". */
int cli_find_items(struct cli_items *out, const strew_map *map,
		   const struct cli_list *names);

/* A run: --threads, --progress and --kernel. */

struct cli_progress {
	pthread_mutex_t lock;
	const char *what; /* what it does, such as "placing" */
	int on;
	int terminal;
	int shown;
	double start; /* seconds */
	double last;
};

struct cli_run {
	struct cli_integer thread_count;
	const char *progress;
	const char *kernel;

	struct cli_progress meter;
	size_t threads;
	strew_executor executor;
	strew_progress tick;
	strew_run run; /* for the library, after cli_run_start() */
};

extern const struct cli_group cli_run_group;
int cli_run_check(const struct cli_run *run);
/** The kernel that is asked for; NULL: the best. */
const char *cli_run_kernel(const struct cli_run *run);
/** `what` must be a constant. The struct must stay where it is until cli_run_end(). */
void cli_run_start(struct cli_run *run, const char *what);
/** Takes the progress line away. */
void cli_run_end(struct cli_run *run);

/** `*threads` is how many to use at most; it must outlive the executor. */
strew_executor cli_threads_executor(size_t *threads);
size_t cli_threads_default(void);

void cli_progress_start(struct cli_progress *meter, const char *mode, const char *what);
strew_progress cli_progress_hook(struct cli_progress *meter);
void cli_progress_end(struct cli_progress *meter);

/* Output: --report, --table, --output and --color. */

struct cli_output {
	const char *report;
	const char *table;
	const char *path;
	const char *color;

	FILE *stream;
	char *target; /* what the temporary file becomes; NULL: written in place */
	char *temporary;
	int error; /* errno of the first write that failed */
};

extern const struct cli_group cli_output_group;
/** --output alone, for what is no result. */
extern const struct cli_group cli_output_file_group;
int cli_output_check(const struct cli_output *output);
/** The checks of the three groups that commands with a map and a result have, in turn.
 * `stdin_uses` is as for cli_input_check(). */
int cli_common_check(const struct cli_input *input, int stdin_uses,
		     const struct cli_output *output, const struct cli_run *run);
/** Before a long run, so that a file that can't be written is known at once. */
int cli_output_open(struct cli_output *output);
/** Write a result as --report says. */
int cli_output_result(struct cli_output *output, const strew_result *result);
/** The end of an analysis: report why it failed, or write its result and free it. */
int cli_output_analysis(struct cli_output *output, strew_status status,
			strew_result *result, const strew_error *error);
/** What decides the exit code: a cell of the one row of the table `summary`. */
strew_cell cli_summary_cell(const strew_result *result, const char *column);
/** For layouts: fprintf that remembers what went wrong. */
void cli_output_print(struct cli_output *output, const char *format, ...)
	STREW_PRINTF(2, 3);
/** For what writes itself; remembers what went wrong. */
strew_sink cli_output_sink(struct cli_output *output);
int cli_output_failed(const struct cli_output *output);
/** Put the file in place if `code` is CLI_DONE or CLI_NO, else leave the old one. May be
 * called without cli_output_open(). @return code, or what went wrong here */
int cli_output_close(struct cli_output *output, int code);

/* The cluster's own commands: --ceph-commands and --undo. */

struct cli_commands {
	const char *forth;
	const char *back;
};

/** A map and what comments call it: its file. */
struct cli_side {
	const strew_map *map;
	const char *name;
};

extern const struct cli_group cli_commands_group;
int cli_commands_check(const struct cli_commands *commands,
		       const struct cli_output *output);
/** Write the files that were asked for, and warn of what no command says. Before the
 * output is opened. */
int cli_commands_write(const struct cli_commands *commands, const struct cli_side *before,
		       const struct cli_side *after);

/* Signals: the file to remove, and the line to erase, when one ends the program. */

void cli_signal_install(void);
void cli_signal_remove_file(const char *path);
void cli_signal_erase_line(int erase);

/* Writing maps: --to, --dialect, --pretty and --lossy. */

struct cli_write {
	const char *to;
	const char *dialect;
	int pretty;
	int lossy;
	size_t lost; /* facts that the format can't hold */
};

extern const struct cli_group cli_write_group;
/** Is there such a format, and can it be written? */
int cli_write_check(const char *format);
int cli_write_map(struct cli_write *write, const strew_map *map, const char *format,
		  struct cli_output *output);

/* What most commands do: read a map, place what is asked for, say what comes of it. */

struct cli_job {
	struct cli_inputs inputs;
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	struct cli_list names;  /* items to find, if the command has an option for them */
	struct cli_items items; /* these */
};

/** The groups of a command whose struct has a job as its member `job`. */
#define CLI_JOB_PARTS(type)                                                              \
	CLI_PART(cli_inputs_group, type, job.inputs),                                    \
		CLI_PART(cli_input_group, type, job.input),                              \
		CLI_PART(cli_output_group, type, job.output),                            \
		CLI_PART(cli_run_group, type, job.run)

/** After the command's own checks of its options. row: what is held of each placement;
 * NULL: nothing. work: the command's, with the placer of all that was asked for. */
int cli_job_run(struct cli_job *job, const char *path, const struct cli_row *row,
		int (*work)(void *command, const strew_placer *placer), void *command);

/* How full devices may be: 0 where it isn't given. */

struct cli_ratios {
	struct cli_number full, backfillfull, nearfull;
};

extern const struct cli_group cli_ratios_group;

int cli_ratios_check(const struct cli_ratios *ratios);

/* Changing maps: --edit and --file. */

struct cli_edits {
	struct cli_list operations;
	struct cli_list scripts;
};

extern const struct cli_group cli_edits_group;
/** The scripts in order, then the operations. */
int cli_edits_apply(strew_map **out, const struct cli_edits *edits, const strew_map *map);
/** For --help: each operation and what it does. */
void cli_edits_list(void);

/* Layouts of other tools, for `place`. */

struct layout {
	const char *name;
	int raw;    /* needs raw inputs */
	int stages; /* needs the stages of a placement */
	void (*print)(struct cli_output *output, const strew_table *placements,
		      const strew_map *map, const strew_inputs *inputs);
};

/** @return NULL when there is none of this name (or it is NULL). */
const struct layout *layout_find(const char *name);

#endif
