/* SPDX-License-Identifier: MIT */
/* Input that no format reads: what it is, if that can be told, and how to make it one
 * that is read. */
#include <stdbool.h>
#include <string.h>

#include "base_error.h"
#include "format_input.h"

/* How a kind of file begins, and what to do with it. */
struct stranger {
	const char *begins;
	size_t count;
	const char *advice;
};

#define BEGINS(text) text, sizeof(text) - 1

static const struct stranger strangers[] = {
	{BEGINS("\x1f\x8b"), "this is compressed; unpack it with gunzip first"},
	{BEGINS("\xfd\x37zXZ"), "this is compressed; unpack it with unxz first"},
	{BEGINS("\x28\xb5\x2f\xfd"), "this is compressed; unpack it with unzstd first"},
	{BEGINS("# begin crush map"),
	 "this begins as CRUSH text, and nothing follows; was the file cut short?"},
};

static bool is_empty(const struct format_input *input)
{
	for (size_t i = 0; i < input->count; i++)
		if (input->bytes[i] != ' ' && input->bytes[i] != '\t' &&
		    input->bytes[i] != '\n' && input->bytes[i] != '\r')
			return false;
	return true;
}

#define READABLE                                                                         \
	"a map is strew's own JSON (with \"format\": \"strew-map/1\") or what "          \
	"`ceph report`, `ceph osd getmap`, `crushtool` or `ceph osd crush dump` gives; " \
	"to a map the output of `ceph osd dump -f json` can be joined"

strew_status format_refuse(const struct format_input *input, strew_error *error)
{
	if (is_empty(input))
		return base_error_at(error, STREW_EFORMAT, input->name, 0, 0,
				     "there is nothing in it; " READABLE);
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		if (input->count >= strangers[i].count &&
		    memcmp(input->bytes, strangers[i].begins, strangers[i].count) == 0)
			return base_error_at(error, STREW_EFORMAT, input->name, 0, 0,
					     "%s", strangers[i].advice);
	return base_error_at(error, STREW_EFORMAT, input->name, 0, 0, "%s; " READABLE,
			     input->json ? "this JSON is in no format that is known"
					 : "this is in no format that is known");
}
