/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define OPERATION_COLUMN 4

static const struct cli_option options[] = {
	{.name = "edit",
	 .letter = 'e',
	 .value = "OP",
	 .kind = CLI_LIST,
	 .offset = offsetof(struct cli_edits, operations),
	 .help = "an operation, such as 'move host:h3 to rack:r2'; may be repeated"},
	{.name = "file",
	 .letter = 'f',
	 .value = "SCRIPT",
	 .kind = CLI_LIST,
	 .offset = offsetof(struct cli_edits, scripts),
	 .help = "a file of operations, one a line, with comments after '#', or - for "
		 "standard input; before those of --edit; may be repeated"},
};

const struct cli_group cli_edits_group = CLI_GROUP("How to change the map", options);

void cli_edits_list(void)
{
	size_t i;

	printf("\nOperations:\n");
	for (i = 0; i < strew_edit_operation_count(); i++) {
		printf("  %s\n%*s", strew_edit_operation_syntax(i), OPERATION_COLUMN, "");
		cli_print_wrapped(strew_edit_operation_summary(i), OPERATION_COLUMN,
				  OPERATION_COLUMN);
	}
}

/* A file's text, to be freed; NULL with a message when it can't be read. */
static char *read_stream(FILE *stream, const char *name, size_t *length)
{
	size_t room = 4096, count = 0, got;
	char *text = cli_resize(NULL, room, 1);

	while ((got = fread(text + count, 1, room - count, stream)) > 0) {
		count += got;
		if (count == room)
			text = cli_resize(text, room *= 2, 1);
	}
	*length = count;
	if (!ferror(stream))
		return text;
	cli_error("%s: can't be read: %s", name, strerror(errno));
	free(text);
	return NULL;
}

static char *read_script(const char *path, size_t *length)
{
	FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *text = NULL;

	if (stream == NULL)
		cli_error("%s: can't be read: %s", path, strerror(errno));
	else
		text = read_stream(stream, path, length);
	if (stream != NULL && stream != stdin)
		fclose(stream);
	return text;
}

static int apply_script(strew_edit *edit, const char *path)
{
	strew_error error;
	strew_status status;
	size_t length;
	char *text = read_script(path, &length);

	if (text == NULL)
		return CLI_INPUT;
	status = strew_edit_apply_script(edit, text, length, path, &error);
	free(text);
	if (status == STREW_OK)
		return CLI_DONE;
	cli_report_error(&error);
	return status == STREW_ENOMEM ? CLI_FAILED : CLI_INPUT;
}

static int apply_operation(strew_edit *edit, const char *operation)
{
	strew_error error;
	strew_status status = strew_edit_apply(edit, operation, &error);

	if (status == STREW_OK)
		return CLI_DONE;
	if (status == STREW_ENOMEM)
		return cli_report_error(&error);
	cli_error("%s:%d: %s", operation, error.column, error.text);
	return CLI_USAGE;
}

static int apply_all(strew_edit *edit, const struct cli_edits *edits)
{
	int code = CLI_DONE;
	size_t i;

	for (i = 0; i < edits->scripts.count && code == CLI_DONE; i++)
		code = apply_script(edit, edits->scripts.items[i]);
	for (i = 0; i < edits->operations.count && code == CLI_DONE; i++)
		code = apply_operation(edit, edits->operations.items[i]);
	return code;
}

int cli_edits_apply(strew_map **out, const struct cli_edits *edits, const strew_map *map)
{
	strew_edit *edit;
	strew_error error;
	int code;

	*out = NULL;
	if (strew_edit_new(&edit, map) != STREW_OK)
		cli_no_memory();
	code = apply_all(edit, edits);
	if (code == CLI_DONE && strew_edit_build(out, edit, &error) != STREW_OK)
		code = cli_report_error(&error);
	strew_edit_free(edit);
	return code;
}
