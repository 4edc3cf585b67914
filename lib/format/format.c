/* SPDX-License-Identifier: MIT */
#include "format.h"

#include <jansson.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "format_dialect.h"
#include "format_input.h"
#include "map.h"

static const struct format_ops *const formats[] = {
	&format_json,          &format_crush_text,  &format_crush_bin,
	&format_ceph_json,     &format_ceph_report, &format_osdmap,
	&format_ceph_osd_dump, &format_ceph_osd_df, &format_ceph_osd_tree,
	&format_ceph_pg_dump,  &format_device_list,
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

size_t strew_format_count(void)
{
	return FORMAT_COUNT;
}

const char *strew_format_name(size_t index)
{
	return index < FORMAT_COUNT ? formats[index]->name : NULL;
}

const char *strew_format_summary(size_t index)
{
	return index < FORMAT_COUNT ? formats[index]->summary : NULL;
}

int strew_format_writes(size_t index)
{
	return index < FORMAT_COUNT && formats[index]->write;
}

/* The format whose probe is surest, or NULL. */
static const struct format_ops *detect(const struct format_input *input)
{
	const struct format_ops *best = NULL;
	int best_score = 0;

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		int score = formats[i]->probe(input);

		if (score > best_score) {
			best = formats[i];
			best_score = score;
		}
	}
	return best;
}

static const struct format_ops *find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

/* An older caller's options may be shorter than ours, a newer one's longer. */
static strew_read_options complete(const strew_read_options *options, const char *path)
{
	strew_read_options full = STREW_READ_OPTIONS_INIT;

	if (options)
		memcpy(&full, options,
		       options->size < sizeof(full) ? options->size : sizeof(full));
	if (full.name == NULL)
		full.name = path ? path : "-";
	full.allocator = base_allocator_or_heap(full.allocator);
	return full;
}

/* Is it of another kind than what was asked for? Among JSON documents the reader tells
 * best what lacks. */
static bool is_other(const struct format_input *input, const struct format_ops *asked,
		     const struct format_ops *found)
{
	if (found == NULL || found == asked)
		return false;
	return (asked->flags & FORMAT_RAW) ? asked->probe(input) == 0
					   : input->json == NULL;
}

static strew_status choose_asked(const struct format_ops **ops,
				 const struct format_input *input, const char *name,
				 strew_error *error)
{
	const struct format_ops *found = detect(input);

	*ops = find(name);
	if (*ops == NULL)
		return base_error_at(error, STREW_EINVAL, input->name, 0, 0,
				     "there is no format \"%s\"", name);
	if (is_other(input, *ops, found))
		return base_error_at(error, STREW_EFORMAT, input->name, 0, 0,
				     "this is %s by its content, and was to be read as "
				     "%s; without a format named it is recognised",
				     found->name, name);
	if (input->json || ((*ops)->flags & FORMAT_RAW))
		return STREW_OK;
	return format_refuse(input, error);
}

/* Which format it is: the one asked for, or recognised. */
static strew_status choose(const struct format_ops **ops,
			   const struct format_input *input,
			   const strew_read_options *options, strew_error *error)
{
	if (options->format)
		return choose_asked(ops, input, options->format, error);
	*ops = detect(input);
	return *ops ? STREW_OK : format_refuse(input, error);
}

/* A builder takes one whole map first, then facts about it. */
static strew_status check_turn(const strew_builder *builder,
			       const struct format_input *input,
			       const struct format_ops *ops, strew_error *error)
{
	if (map_builder_is_empty(builder) && !(ops->flags & FORMAT_WHOLE))
		return base_error_at(error, STREW_EFORMAT, input->name, 0, 0,
				     "this holds facts about a map (%s), and no map; "
				     "give the CRUSH map first, and join this file to it",
				     ops->name);
	if (!map_builder_is_empty(builder) && !(ops->flags & FORMAT_JOIN))
		return base_error_at(error, STREW_EFORMAT, input->name, 0, 0,
				     "this is a whole map (%s), and there is one "
				     "already; only facts about it can be joined, such "
				     "as the output of `ceph osd dump -f json`",
				     ops->name);
	return STREW_OK;
}

static strew_status read_bytes(strew_builder *builder, const void *bytes, size_t count,
			       const strew_read_options *options, strew_error *error)
{
	struct format_input input = {bytes, count, options->name, NULL,
				     options->allocator};
	const struct format_ops *ops = NULL;
	strew_status status;

	status = format_parse(&input, error);
	if (status != STREW_OK)
		return status;
	status = choose(&ops, &input, options, error);
	if (status != STREW_OK)
		goto out;
	status = check_turn(builder, &input, ops, error);
	if (status != STREW_OK)
		goto out;
	if (options->found)
		*options->found = ops->name;
	strew_builder_in_file(builder, input.name);
	status = ops->read(&input, builder, error);
	strew_builder_in_file(builder, NULL);
out:
	json_decref(input.json);
	return status;
}

static strew_status read_file(strew_builder *builder, const char *path,
			      const strew_read_options *options, strew_error *error)
{
	struct base_vec bytes = {0};
	strew_status status;

	status =
		format_read_bytes(&bytes, path, options->name, options->allocator, error);
	if (status == STREW_OK)
		status = read_bytes(builder, bytes.items, bytes.count, options, error);
	base_vec_free(&bytes, options->allocator);
	return status;
}

strew_status strew_builder_read_memory(strew_builder *builder, const void *bytes,
				       size_t count, const strew_read_options *options,
				       strew_error *error)
{
	strew_read_options full = complete(options, NULL);

	return read_bytes(builder, bytes, count, &full, error);
}

strew_status strew_builder_read_file(strew_builder *builder, const char *path,
				     const strew_read_options *options,
				     strew_error *error)
{
	strew_read_options full = complete(options, path);

	return read_file(builder, path, &full, error);
}

strew_status strew_map_read_memory(strew_map **out, const void *bytes, size_t count,
				   const strew_read_options *options, strew_error *error)
{
	strew_read_options full = complete(options, NULL);
	strew_builder *builder = NULL;
	strew_status status;

	*out = NULL;
	status = strew_builder_new(&builder, full.allocator);
	if (status != STREW_OK)
		return base_error_nomem(error);
	status = read_bytes(builder, bytes, count, &full, error);
	if (status == STREW_OK)
		status = strew_builder_build(out, builder, error);
	strew_builder_free(builder);
	return status;
}

strew_status strew_map_read_file(strew_map **out, const char *path,
				 const strew_read_options *options, strew_error *error)
{
	strew_read_options full = complete(options, path);
	strew_builder *builder = NULL;
	strew_status status;

	*out = NULL;
	status = strew_builder_new(&builder, full.allocator);
	if (status != STREW_OK)
		return base_error_nomem(error);
	status = read_file(builder, path, &full, error);
	if (status == STREW_OK)
		status = strew_builder_build(out, builder, error);
	strew_builder_free(builder);
	return status;
}

static strew_write_options complete_write(const strew_write_options *options)
{
	strew_write_options full = STREW_WRITE_OPTIONS_INIT;

	if (options)
		memcpy(&full, options,
		       options->size < sizeof(full) ? options->size : sizeof(full));
	full.allocator = base_allocator_or_heap(full.allocator);
	return full;
}

static strew_status refuse_dialect(const char *dialect, strew_error *error)
{
	size_t count = strew_dialect_count();

	return base_error_set(error, STREW_EINVAL,
			      "there is no dialect \"%s\"; there are those of Ceph's "
			      "releases from \"%s\" to \"%s\"",
			      dialect, strew_dialect_name(0),
			      strew_dialect_name(count - 1));
}

strew_status strew_map_write(const strew_map *map, const char *format,
			     const strew_write_options *options, const strew_sink *sink,
			     strew_error *error)
{
	strew_write_options full = complete_write(options);
	const struct format_output output = {sink,
					     full.allocator,
					     full.lossy != 0,
					     full.lost,
					     full.ctx,
					     format_dialect_find(full.dialect),
					     full.pretty != 0};
	const struct format_ops *ops = find(format);

	if (ops == NULL)
		return base_error_set(error, STREW_EINVAL, "there is no format \"%s\"",
				      format);
	if (output.dialect == NULL)
		return refuse_dialect(full.dialect, error);
	if (ops->write == NULL)
		return base_error_set(error, STREW_ENOTSUP, "maps can't be written as %s",
				      format);
	return ops->write(map, &output, error);
}
