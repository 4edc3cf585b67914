/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#define FILE_OPTION                                                                      \
	{                                                                                \
		.name = "output", .letter = 'o', .value = "FILE", .kind = CLI_TEXT,      \
		.offset = offsetof(struct cli_output, path),                             \
		.help = "write here, not to standard output; the file is replaced when " \
			"all is done, or stays as it was",                               \
	}

static const struct cli_option file_options[] = {FILE_OPTION};

static const struct cli_option options[] = {
	CLI_OPTION("report", "text|json|csv|html", CLI_WORD, struct cli_output, report,
		   "what to print (default: text)"),
	CLI_OPTION("table", "NAME", CLI_TEXT, struct cli_output, table,
		   "which table --report csv prints (default: the main one)"),
	FILE_OPTION,
	CLI_OPTION("color", "auto|always|never", CLI_WORD, struct cli_output, color,
		   "colour in text (auto: on a terminal, unless NO_COLOR is set)"),
};

const struct cli_group cli_output_group = CLI_GROUP("Output", options);

const struct cli_group cli_output_file_group = CLI_GROUP("Output", file_options);

static const char *report_name(const struct cli_output *output)
{
	return output->report != NULL ? output->report : "text";
}

static int is_stdout(const struct cli_output *output)
{
	return output->path == NULL || strcmp(output->path, "-") == 0;
}

int cli_output_check(const struct cli_output *output)
{
	const char *report = report_name(output);

	if (strcmp(report, "html") == 0 && is_stdout(output) && isatty(STDOUT_FILENO))
		return cli_usage_error("--report html is for a browser: name a "
				       "file with -o");
	if (output->table != NULL && strcmp(report, "csv") != 0)
		return cli_usage_error("--table chooses what --report csv prints");
	if (output->path != NULL && output->path[0] == '\0')
		return cli_usage_error("--output needs the name of a file");
	return CLI_DONE;
}

static int fail_to_write(struct cli_output *output, int error)
{
	output->error = error;
	cli_error("%s: can't be written: %s",
		  is_stdout(output) ? "standard output" : output->path, strerror(error));
	return CLI_FAILED;
}

/* Millions of lines may come: a call of the system for each few of them would take longer
 * than placing. What a person watches comes line by line. */
static int buffer_lines(struct cli_output *output)
{
	static char lines[1 << 18];

	if (!isatty(fileno(output->stream)))
		setvbuf(output->stream, lines, _IOFBF, sizeof(lines));
	return CLI_DONE;
}

static int open_in_place(struct cli_output *output)
{
	output->stream = fopen(output->path, "w");
	return output->stream != NULL ? buffer_lines(output)
				      : fail_to_write(output, errno);
}

/* As open() makes it; a file that is replaced keeps its own mode. */
static mode_t mode_for_new_file(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* The name tells what it is, for a kill that can't be caught leaves it behind. */
static int open_beside(struct cli_output *output, mode_t mode)
{
	static const char ending[] = ".unfinished-XXXXXX";
	size_t room = strlen(output->target) + sizeof(ending);
	int file;

	output->temporary = cli_resize(NULL, room, 1);
	snprintf(output->temporary, room, "%s%s", output->target, ending);
	file = mkstemp(output->temporary);
	if (file < 0) {
		free(output->temporary);
		output->temporary = NULL;
		return fail_to_write(output, errno);
	}
	cli_signal_remove_file(output->temporary);
	output->stream = fdopen(file, "w");
	if (output->stream == NULL) {
		close(file);
		return fail_to_write(output, errno);
	}
	if (fchmod(file, mode) != 0)
		return fail_to_write(output, errno);
	return buffer_lines(output);
}

/* A link is followed, so that what it points to is replaced and not the link; one that
 * leads nowhere is refused. What is no file, such as /dev/null or a pipe, is written to
 * as it is. */
int cli_output_open(struct cli_output *output)
{
	struct stat old;

	if (is_stdout(output)) {
		output->stream = stdout;
		return buffer_lines(output);
	}
	if (stat(output->path, &old) != 0) {
		if (errno != ENOENT || lstat(output->path, &old) == 0)
			return fail_to_write(output, errno);
		output->target = strdup(output->path);
		old.st_mode = mode_for_new_file();
	} else if (!S_ISREG(old.st_mode)) {
		return open_in_place(output);
	} else {
		output->target = realpath(output->path, NULL);
	}
	if (output->target == NULL)
		return fail_to_write(output, errno);
	return open_beside(output, old.st_mode & 07777);
}

static void note_error(struct cli_output *output)
{
	if (output->error == 0)
		output->error = errno != 0 ? errno : EIO;
}

void cli_output_print(struct cli_output *output, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (output->error == 0 && vfprintf(output->stream, format, args) < 0)
		note_error(output);
	va_end(args);
}

int cli_output_failed(const struct cli_output *output)
{
	return output->error != 0;
}

static int write_bytes(void *ctx, const void *bytes, size_t count)
{
	struct cli_output *output = ctx;

	if (output->error == 0 && fwrite(bytes, 1, count, output->stream) != count)
		note_error(output);
	return output->error != 0;
}

strew_sink cli_output_sink(struct cli_output *output)
{
	return (strew_sink){.write = write_bytes, .ctx = output};
}

static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

static int wants_color(const struct cli_output *output)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	if (output->color != NULL && strcmp(output->color, "auto") != 0)
		return strcmp(output->color, "always") == 0;
	return output->stream == stdout && isatty(STDOUT_FILENO) &&
	       (no_color == NULL || *no_color == '\0') &&
	       (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

int cli_output_result(struct cli_output *output, const strew_result *result)
{
	strew_report_options how = STREW_REPORT_OPTIONS_INIT;
	strew_sink sink = cli_output_sink(output);
	strew_error error;
	strew_status status;

	how.table = output->table;
	how.width = output->stream == stdout ? terminal_width() : 0;
	how.color = wants_color(output);
	status = strew_report_write(result, report_name(output), &how, &sink, &error);
	/* What could not be written is for cli_output_close() to tell. */
	if (status == STREW_OK || cli_output_failed(output))
		return CLI_DONE;
	return cli_report_error(&error);
}

int cli_output_analysis(struct cli_output *output, strew_status status,
			strew_result *result, const strew_error *error)
{
	int code;

	if (status != STREW_OK)
		return cli_report_error(error);
	code = cli_output_result(output, result);
	strew_result_free(result);
	return code;
}

strew_cell cli_summary_cell(const strew_result *result, const char *column)
{
	const strew_table *summary = strew_result_table(result, "summary");
	int index = strew_table_find_column(summary, column);

	return strew_table_cell(summary, 0, (size_t)index);
}

static void close_stream(struct cli_output *output)
{
	int is_file = output->temporary != NULL;

	errno = 0;
	if (fflush(output->stream) != 0)
		note_error(output);
	if (is_file && output->error == 0 && fsync(fileno(output->stream)) != 0)
		note_error(output);
	if (output->stream != stdout && fclose(output->stream) != 0)
		note_error(output);
	output->stream = NULL;
}

int cli_output_close(struct cli_output *output, int code)
{
	int is_wanted = code == CLI_DONE || code == CLI_NO;

	if (output->stream != NULL)
		close_stream(output);
	if (is_wanted && output->error != 0)
		code = fail_to_write(output, output->error);
	else if (is_wanted && output->temporary != NULL &&
		 rename(output->temporary, output->target) != 0)
		code = fail_to_write(output, errno);
	if (output->temporary != NULL && code != CLI_DONE && code != CLI_NO)
		unlink(output->temporary);
	cli_signal_remove_file(NULL);
	free(output->temporary);
	free(output->target);
	output->temporary = output->target = NULL;
	return code;
}

int cli_finish_stdout(void)
{
	struct cli_output output = {.stream = stdout};

	return cli_output_close(&output, CLI_DONE);
}
