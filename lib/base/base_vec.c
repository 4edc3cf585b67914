/* SPDX-License-Identifier: MIT */
#include "base_vec.h"

#include <string.h>

#include "base_alloc.h"

static bool make_room(struct base_vec *vec, const strew_allocator *allocator, size_t need)
{
	size_t bytes = vec->bytes ? vec->bytes : 64;
	void *items;

	if (need <= vec->bytes)
		return true;
	while (bytes < need)
		bytes = bytes > need / 2 ? need : bytes * 2;
	if (bytes < vec->bytes * 2)
		bytes = vec->bytes * 2;
	items = base_resize(allocator, vec->items, vec->bytes, bytes);
	if (items == NULL)
		return false;
	vec->items = items;
	vec->bytes = bytes;
	return true;
}

void *base_vec_extend(struct base_vec *vec, const strew_allocator *allocator,
		      size_t item_size, size_t more)
{
	size_t count, need;
	char *room;

	if (__builtin_add_overflow(vec->count, more, &count) ||
	    __builtin_mul_overflow(count, item_size, &need) || need > SIZE_MAX / 4)
		return NULL;
	if (!make_room(vec, allocator, need))
		return NULL;
	room = vec->items;
	if (room == NULL) /* no items, and no more of them */
		return NULL;
	room += vec->count * item_size;
	memset(room, 0, more * item_size);
	vec->count = count;
	return room;
}

void *base_vec_push(struct base_vec *vec, const strew_allocator *allocator,
		    size_t item_size)
{
	return base_vec_extend(vec, allocator, item_size, 1);
}

void base_vec_free(struct base_vec *vec, const strew_allocator *allocator)
{
	base_free(allocator, vec->items, vec->bytes);
	memset(vec, 0, sizeof(*vec));
}
