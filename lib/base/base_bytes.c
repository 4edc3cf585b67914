/* SPDX-License-Identifier: MIT */
#include "base_bytes.h"


void base_bytes_init(struct base_bytes *bytes, const void *from, size_t count)
{
	/* Of nothing there may be no pointer, and that can't be moved, not even by 0. */
	*bytes = (struct base_bytes){.bytes = from ? from : (const void *)"",
				     .end = count};
}

size_t base_bytes_left(const struct base_bytes *bytes)
{
	return bytes->end - bytes->at;
}

const uint8_t *base_bytes_get(struct base_bytes *bytes, uint64_t count, size_t size)
{
	const uint8_t *at = bytes->bytes + bytes->at;
	size_t left = base_bytes_left(bytes);

	if (bytes->lacks)
		return NULL;
	if (size > 0 && count > left / size) {
		bytes->lacks = count > UINT64_MAX / size ? UINT64_MAX : count * size;
		bytes->lacks -= left;
		return NULL;
	}
	bytes->at += (size_t)count * size;
	return at;
}

struct base_bytes base_bytes_get_part(struct base_bytes *bytes, uint64_t count)
{
	struct base_bytes part = *bytes;

	if (base_bytes_get(bytes, count, 1) == NULL)
		count = 0;
	part.end = part.at + (size_t)count;
	part.lacks = bytes->lacks;
	return part;
}

static uint64_t get(struct base_bytes *bytes, size_t size)
{
	const uint8_t *at = base_bytes_get(bytes, 1, size);
	uint64_t value = 0;

	for (size_t i = size; at && i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

uint8_t base_bytes_get_u8(struct base_bytes *bytes)
{
	return (uint8_t)get(bytes, 1);
}

uint16_t base_bytes_get_u16(struct base_bytes *bytes)
{
	return (uint16_t)get(bytes, 2);
}

uint32_t base_bytes_get_u32(struct base_bytes *bytes)
{
	return (uint32_t)get(bytes, 4);
}

uint64_t base_bytes_get_u64(struct base_bytes *bytes)
{
	return get(bytes, 8);
}

int32_t base_bytes_get_i32(struct base_bytes *bytes)
{
	return (int32_t)get(bytes, 4);
}

int64_t base_bytes_get_i64(struct base_bytes *bytes)
{
	return (int64_t)get(bytes, 8);
}

uint32_t base_bytes_u32_at(const uint8_t *array, size_t index)
{
	const uint8_t *at = array + 4 * index;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static void put(struct base_str *out, uint64_t value, size_t size)
{
	char bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(value >> 8 * i);
	base_str_add_bytes(out, bytes, size);
}

void base_bytes_put_u8(struct base_str *out, uint8_t value)
{
	put(out, value, 1);
}

void base_bytes_put_u16(struct base_str *out, uint16_t value)
{
	put(out, value, 2);
}

void base_bytes_put_u32(struct base_str *out, uint32_t value)
{
	put(out, value, 4);
}

void base_bytes_put_i32(struct base_str *out, int32_t value)
{
	put(out, (uint32_t)value, 4);
}

void base_bytes_put_i64(struct base_str *out, int64_t value)
{
	put(out, (uint64_t)value, 8);
}

/* Of each thing in a file, so without printf, which would take longer than reading it. */
struct base_bytes_place base_bytes_place(size_t offset)
{
	struct base_bytes_place place = {"byte 0x"};
	size_t digits = 1, start = sizeof("byte 0x") - 1;

	while (digits < 2 * sizeof(offset) && offset >> 4 * digits)
		digits++;
	for (size_t i = 0; i < digits; i++)
		place.text[start + i] =
			"0123456789abcdef"[offset >> 4 * (digits - 1 - i) & 15];
	place.text[start + digits] = '\0';
	return place;
}
