/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CRUSH_BIN_H
#define FORMAT_CRUSH_BIN_H

#include "base_bytes.h"
#include "format.h"

/** Read a binary CRUSH map that is a part of a file, such as an OSD map. Offsets that are
 * told are those in the file. */
strew_status format_crush_bin_read(const struct format_input *input,
				   struct base_bytes bytes, strew_builder *builder,
				   strew_error *error);

#endif
