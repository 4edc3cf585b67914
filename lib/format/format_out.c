/* SPDX-License-Identifier: MIT */
#include "base_error.h"
#include "format_write.h"

#define PIECE_SIZE 65536

void format_out_init(struct format_out *out, const struct format_output *output)
{
	*out = (struct format_out){.output = output};
	base_str_init(&out->text, output->allocator);
}

void format_out_put(struct format_out *out, const char *text)
{
	base_str_add(&out->text, text);
}

void format_out_no_memory(struct format_out *out)
{
	out->text.failed = true;
}

bool format_out_stopped(const struct format_out *out)
{
	return out->failed || !base_str_ok(&out->text);
}

static void hand_on(struct format_out *out)
{
	const strew_sink *sink = out->output->sink;

	if (sink->write(sink->ctx, base_str_text(&out->text), base_str_len(&out->text)) !=
	    0)
		out->failed = true;
	base_str_clear(&out->text);
}

void format_out_pass(struct format_out *out)
{
	if (base_str_len(&out->text) >= PIECE_SIZE && !format_out_stopped(out))
		hand_on(out);
}

strew_status format_out_end(struct format_out *out, strew_error *error)
{
	bool has_memory = base_str_ok(&out->text);

	if (has_memory && !out->failed)
		hand_on(out);
	base_str_free(&out->text);
	if (!has_memory)
		return base_error_nomem(error);
	if (out->failed)
		return base_error_set(error, STREW_EIO, "the map could not be written");
	return STREW_OK;
}

strew_status format_out_drop(struct format_out *out, strew_status status)
{
	base_str_free(&out->text);
	return status;
}
