/* SPDX-License-Identifier: MIT */
#include "result_priv.h"

void result_draw(strew_result *result, const char *table,
		 const struct result_picture *picture)
{
	const strew_table *drawn = strew_result_table(result, table);
	struct result_drawing *drawing;

	if (result->status || drawn == NULL ||
	    strew_table_find_column(drawn, picture->columns[0]) < 0)
		return;
	drawing = base_vec_push(&result->drawings, &result->allocator, sizeof(*drawing));
	if (drawing == NULL) {
		result->status = STREW_ENOMEM;
		return;
	}
	drawing->table = drawn;
	drawing->picture = *picture;
	drawing->picture.title = base_arena_strdup(&result->arena, picture->title);
	if (drawing->picture.title == NULL)
		result->status = STREW_ENOMEM;
}

size_t result_drawing_count(const strew_result *result)
{
	return result->drawings.count;
}

const struct result_drawing *result_drawing_at(const strew_result *result, size_t index)
{
	const struct result_drawing *drawings = result->drawings.items;

	return &drawings[index];
}
