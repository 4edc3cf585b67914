/* SPDX-License-Identifier: MIT */
/* Device classes: devices change theirs in groups that have the same old and new one. */
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "format_ceph_commands.h"

/* Devices on one line. */
#define GROUP_MAX 64

struct change {
	int32_t device;
	const char *from; /* "": none */
	const char *to;
};

/* What has no class comes first, so that no class is empty, and gone, too early. */
static int compare_changes(const void *a, const void *b)
{
	const struct change *left = a, *right = b;
	int order = strcmp(left->from, right->from);

	if (order == 0)
		order = strcmp(left->to, right->to);
	if (order != 0)
		return order;
	return left->device < right->device ? -1 : left->device > right->device;
}

static const char *class_of(const strew_device *device)
{
	return device && device->class_name ? device->class_name : "";
}

static size_t list_changes(const struct format_commands *commands, struct change *changes)
{
	const strew_map *after = commands->after.map;
	size_t count = 0;

	for (size_t i = 0; i < after->device_count; i++) {
		const strew_device *device = &after->devices[i];
		const char *from = class_of(
			strew_map_device_by_id(commands->before.map, device->id));
		const char *to = class_of(device);

		if (strcmp(from, to) != 0)
			changes[count++] = (struct change){device->id, from, to};
	}
	if (count > 0)
		qsort(changes, count, sizeof(*changes), compare_changes);
	return count;
}

static void put_devices(struct base_str *text, const struct change *changes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		base_str_addf(text, " osd.%d", (int)changes[i].device);
	base_str_add(text, "\n");
}

static void change_group(struct format_commands *commands, const struct change *changes,
			 size_t count)
{
	struct base_str *text = &commands->texts[FORMAT_CRUSH];

	if (changes->from[0] != '\0') {
		base_str_add(text, "ceph osd crush rm-device-class");
		put_devices(text, changes, count);
	}
	if (changes->to[0] != '\0') {
		base_str_addf(text, "ceph osd crush set-device-class %s",
			      format_quote_name(commands, changes->to).text);
		put_devices(text, changes, count);
	}
}

static size_t group_end(const struct change *changes, size_t start, size_t count)
{
	size_t end = start + 1;

	while (end < count && end - start < GROUP_MAX &&
	       strcmp(changes[start].from, changes[end].from) == 0 &&
	       strcmp(changes[start].to, changes[end].to) == 0)
		end++;
	return end;
}

void format_commands_classes(struct format_commands *commands)
{
	size_t room = commands->after.map->device_count, count, end;
	struct change *changes;

	if (room == 0)
		return;
	changes = base_alloc(commands->allocator, room, sizeof(*changes));
	if (changes == NULL) {
		commands->failed = true;
		return;
	}
	count = list_changes(commands, changes);
	commands->reshaped = commands->reshaped || count > 0;
	for (size_t start = 0; start < count; start = end) {
		end = group_end(changes, start, count);
		change_group(commands, changes + start, end - start);
	}
	base_free(commands->allocator, changes, room * sizeof(*changes));
}
