/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "cli.h"

/* Of so many placements, each of so many shards. */
static double row_bytes(const struct cli_row *row, uint64_t count, int shards)
{
	return (double)count * (row->placement + row->shard * shards);
}

static double bytes_needed(const struct cli_inputs *from, const strew_map *map,
			   const struct cli_row *row)
{
	const strew_inputs *inputs = &from->inputs;
	size_t count = inputs->pools ? inputs->pool_count : strew_map_pool_count(map);
	double bytes = 0;
	size_t i;

	if (inputs->rule >= 0)
		return row_bytes(row, (uint64_t)inputs->last - inputs->first + 1,
				 inputs->want);
	for (i = 0; i < count && inputs->pg == NULL && inputs->objects == NULL; i++) {
		const strew_pool *pool =
			inputs->pools ? strew_map_pool_by_id(map, inputs->pools[i])
				      : strew_map_pool_at(map, i);

		bytes += row_bytes(row, strew_pool_pg_num(pool), strew_pool_size(pool));
	}
	return bytes;
}

int cli_memory_check(const struct cli_inputs *inputs, const strew_map *map,
		     const struct cli_row *row)
{
	double needed = bytes_needed(inputs, map, row);
	double installed =
		(double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	if (needed <= installed)
		return CLI_DONE;
	cli_error("this table could take %.0f GiB of memory, more than there is; place "
		  "less "
		  "at a time, such as a smaller range of --inputs",
		  needed / (1 << 30));
	return CLI_FAILED;
}
