/* SPDX-License-Identifier: MIT */
/* An input on its way through a reader: an answer, nothing leaked, no more memory than
 * its size can justify; and if there is a map, one that holds what maps promise. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* What a map may cost: so much, and so much a byte of input. Where runs of devices can be
 * named, a few bytes may stand for a million of them, and no input for more. */
#define BASE_BYTES ((size_t)1 << 20)
#define RUNS_BYTES ((size_t)1 << 28)
#define BYTE_BYTES 2048

/* What is only read, and no more. */
#define DEVICES_MAX 10000

/* What facts are joined to. */
#define TREE                                                                             \
	"{\"format\":\"strew-map/1\",\"types\":[\"osd\",\"host\",\"root\"],\"tree\":["   \
	"{\"type\":\"root\",\"name\":\"default\",\"children\":["                         \
	"{\"type\":\"host\",\"name\":\"h0\",\"children\":["                              \
	"{\"device\":0,\"weight\":1,\"class\":\"hdd\"},{\"device\":1,\"weight\":2}]},"   \
	"{\"type\":\"host\",\"name\":\"h1\",\"children\":["                              \
	"{\"device\":2,\"weight\":1,\"class\":\"ssd\"},{\"device\":3,\"weight\":1}]},"   \
	"{\"type\":\"host\",\"name\":\"h2\",\"children\":["                              \
	"{\"device\":4,\"weight\":1},{\"device\":7,\"weight\":1}]}]}],"                  \
	"\"rules\":[{\"name\":\"replicated_rule\",\"id\":0,\"steps\":["                  \
	"\"take default\",\"chooseleaf firstn 0 type host\",\"emit\"]}]"

#define POOLS                                                                            \
	",\"pools\":[{\"name\":\"a\",\"id\":1,\"pg_num\":8,\"size\":3,"                  \
	"\"rule\":\"replicated_rule\"},{\"name\":\"b\",\"id\":2,\"pg_num\":4,"           \
	"\"size\":2,\"rule\":\"replicated_rule\"}]"

/* The targets that begin with a map: formats that can only be joined to one, and edits.
 */
static const struct base {
	const char *target;
	const char *map;
} bases[] = {
	{"ceph-osd-dump", TREE "}"},       {"ceph-osd-df", TREE POOLS "}"},
	{"ceph-osd-tree", TREE POOLS "}"}, {"ceph-pg-dump", TREE POOLS "}"},
	{"device-list", TREE POOLS "}"},   {FUZZ_EDIT, TREE POOLS "}"},
};

void fuzz_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	abort();
}

FILE *fuzz_open(struct fuzz_text *text)
{
	FILE *out = open_memstream(&text->bytes, &text->count);

	if (out == NULL)
		fuzz_fail("no memory for the test itself");
	return out;
}

static void read_base(strew_builder *builder, const char *target,
		      const strew_allocator *allocator)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_error error;

	options.allocator = allocator;
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		if (strcmp(bases[i].target, target) == 0 &&
		    strew_builder_read_memory(builder, bases[i].map, strlen(bases[i].map),
					      &options, &error) != STREW_OK)
			fuzz_fail("the map to begin with can't be read: %s", error.text);
}

/* What is refused is refused in words, for a reason that lies in the input. */
static void check_refusal(const char *what, strew_status status, const strew_error *error)
{
	switch (status) {
	case STREW_EFORMAT:
	case STREW_ESYNTAX:
	case STREW_EMAP:
	case STREW_ENOTFOUND:
	case STREW_ERANGE:
	case STREW_ENOTSUP:
		if (error->status != status || error->text[0] == '\0')
			fuzz_fail("%s fails with %s and tells %s \"%s\"", what,
				  strew_status_name(status),
				  strew_status_name(error->status), error->text);
		return;
	default:
		fuzz_fail("%s fails with %s: %s", what, strew_status_name(status),
			  error->text);
	}
}

static void check_faults(const strew_builder *builder)
{
	const strew_error *fault;

	if (strew_builder_fault_count(builder) == 0)
		fuzz_fail("there is no map, and no fault");
	for (size_t i = 0; (fault = strew_builder_fault_at(builder, i)); i++)
		check_refusal("a fault", fault->status, fault);
}

static strew_map *build(strew_builder *builder)
{
	strew_error error = {.text = ""};
	strew_map *map = NULL;
	strew_status status;

	status = strew_builder_build(&map, builder, &error);
	if (status != STREW_OK) {
		check_refusal("building", status, &error);
		check_faults(builder);
	}
	return map;
}

static strew_map *read_input(const char *format, const uint8_t *bytes, size_t count,
			     const strew_allocator *allocator)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_error error = {.text = ""};
	strew_builder *builder;
	strew_map *map = NULL;
	strew_status status;

	options.format = format;
	options.allocator = allocator;
	if (strew_builder_new(&builder, allocator) != STREW_OK)
		fuzz_fail("there is no builder");
	read_base(builder, format, allocator);
	status = strew_builder_read_memory(builder, bytes, count, &options, &error);
	if (status == STREW_OK)
		map = build(builder);
	else
		check_refusal("reading", status, &error);
	strew_builder_free(builder);
	return map;
}

/* A script of edits; what it can't do ends it, and is no reason to give up what it did.
 */
static strew_map *edit(const uint8_t *bytes, size_t count,
		       const strew_allocator *allocator)
{
	strew_error error = {.text = ""};
	strew_map *base, *map = NULL;
	strew_edit *edit;
	strew_builder *builder;
	strew_status status;

	if (strew_builder_new(&builder, allocator) != STREW_OK)
		fuzz_fail("there is no builder");
	read_base(builder, FUZZ_EDIT, allocator);
	base = build(builder);
	if (strew_edit_new(&edit, base) != STREW_OK)
		fuzz_fail("there is no edit");
	status = strew_edit_apply_script(edit, (const char *)bytes, count, "-", &error);
	if (status != STREW_OK)
		check_refusal("an edit", status, &error);
	status = strew_edit_build(&map, edit, &error);
	if (status != STREW_OK)
		check_refusal("building what was edited", status, &error);
	strew_edit_free(edit);
	strew_builder_free(builder);
	strew_map_release(base);
	return map;
}

static void check_memory(const char *target, const struct support_heap *heap,
			 size_t count)
{
	bool has_runs = strcmp(target, "json") == 0 || strcmp(target, FUZZ_EDIT) == 0;

	if (heap->most > (has_runs ? RUNS_BYTES : BASE_BYTES) + count * BYTE_BYTES)
		fuzz_fail("%zu bytes of input took %zu bytes of memory", count,
			  heap->most);
}

static strew_map *run(const char *target, const uint8_t *bytes, size_t count,
		      const strew_allocator *allocator)
{
	uint8_t *sealed;
	strew_map *map;

	if (strcmp(target, FUZZ_EDIT) == 0)
		return edit(bytes, count, allocator);
	if (strcmp(target, "osdmap") != 0)
		return read_input(target, bytes, count, allocator);
	sealed = malloc(count ? count : 1);
	if (sealed == NULL)
		fuzz_fail("no memory for the test itself");
	if (count > 0)
		memcpy(sealed, bytes, count);
	fuzz_seal(sealed, count);
	map = read_input(target, sealed, count, allocator);
	free(sealed);
	return map;
}

bool fuzz_run(const char *target, const uint8_t *bytes, size_t count)
{
	struct support_heap heap;
	strew_map *map;

	support_heap_init(&heap);
	map = run(target, bytes, count, &heap.allocator);
	check_memory(target, &heap, count);
	if (map && strew_map_device_count(map) <= DEVICES_MAX)
		fuzz_map(map, &heap);
	strew_map_release(map);
	if (heap.blocks || heap.bytes)
		fuzz_fail("%zu blocks of %zu bytes are not freed", heap.blocks,
			  heap.bytes);
	return map != NULL;
}
