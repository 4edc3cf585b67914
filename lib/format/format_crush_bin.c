/* SPDX-License-Identifier: MIT */
/* Ceph's binary CRUSH map: what crushtool, osdmaptool and `ceph osd getcrushmap` write.
 */
#include "format_crush_bin.h"
#include "base_error.h"
#include "format_crush_bin_priv.h"

strew_builder *format_bin_builder(struct format_bin *file, size_t at)
{
	strew_builder_at_path(file->builder, base_bytes_place(at).text);
	return file->builder;
}

static void tell_head(struct format_bin *file)
{
	const struct map_layout layout = {
		.bucket_slots = file->bucket_slots,
		.rule_slots = file->rule_slots,
		.tail = file->tail,
		.rest = file->bytes.bytes + file->rest_at,
		.rest_count = file->bytes.end - file->rest_at,
	};

	map_set_tunables(file->builder, &file->tunables);
	map_set_layout(file->builder, &layout);
	if (layout.rest_count > 0)
		strew_builder_report(
			format_bin_builder(file, file->rest_at), STREW_WARNING,
			STREW_EFORMAT,
			"%zu byte%s follow%s the last part of the map that is "
			"known; they are kept as they are",
			layout.rest_count, layout.rest_count == 1 ? "" : "s",
			layout.rest_count == 1 ? "s" : "");
	if (file->has_wide_keys)
		strew_builder_report(
			format_bin_builder(file, 0), STREW_WARNING, STREW_EFORMAT,
			"names have the 64-bit keys of very old releases; they "
			"are written with 32-bit ones, as Ceph does since");
}

static void free_file(struct format_bin *file)
{
	struct base_vec *const vecs[] = {&file->type_names, &file->item_names,
					 &file->rule_names, &file->class_names,
					 &file->classes,    &file->shadows};

	for (size_t i = 0; i < sizeof(vecs) / sizeof(vecs[0]); i++)
		base_vec_free(vecs[i], file->allocator);
	base_free(file->allocator, file->buckets,
		  ((size_t)file->bucket_slots + 1) * sizeof(*file->buckets));
	base_free(file->allocator, file->rules,
		  ((size_t)file->rule_slots + 1) * sizeof(*file->rules));
	base_arena_free(&file->arena);
}

strew_status format_crush_bin_read(const struct format_input *input,
				   struct base_bytes bytes, strew_builder *builder,
				   strew_error *error)
{
	struct format_bin file = {.bytes = bytes,
				  .name = input->name,
				  .allocator = input->allocator,
				  .builder = builder,
				  .error = error};

	base_arena_init(&file.arena, input->allocator);
	format_bin_scan(&file);
	if (format_bin_good(&file)) {
		tell_head(&file);
		format_bin_tell_tree(&file);
		format_bin_tell_rules(&file);
		format_bin_tell_sets(&file);
	}
	free_file(&file);
	return file.status;
}

static strew_status read_crush_bin(const struct format_input *input,
				   strew_builder *builder, strew_error *error)
{
	struct base_bytes bytes;

	base_bytes_init(&bytes, input->bytes, input->count);
	return format_crush_bin_read(input, bytes, builder, error);
}

static int probe_crush_bin(const struct format_input *input)
{
	struct base_bytes bytes;

	base_bytes_init(&bytes, input->bytes, input->count);
	return base_bytes_get_u32(&bytes) == FORMAT_BIN_MAGIC ? 100 : 0;
}

const struct format_ops format_crush_bin = {
	.name = "crush-bin",
	.summary = "Ceph's binary CRUSH map (crushtool -c, ceph osd getcrushmap)",
	.flags = FORMAT_WHOLE | FORMAT_RAW,
	.probe = probe_crush_bin,
	.read = read_crush_bin,
	.write = format_bin_write,
};
