/* SPDX-License-Identifier: MIT */
/* The text of the commands, and what can't be said. */
#include "format_ceph_commands.h"

#include <stdio.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"

void format_command(struct format_commands *commands, enum format_section section,
		    const char *format, ...)
{
	struct base_str *text = &commands->texts[section];
	va_list args;

	base_str_add(text, "ceph ");
	va_start(args, format);
	base_str_addv(text, format, args);
	va_end(args);
	base_str_add(text, "\n");
}

void format_command_lose(struct format_commands *commands, const char *format, ...)
{
	char fact[500];
	va_list args;

	va_start(args, format);
	vsnprintf(fact, sizeof(fact), format, args);
	va_end(args);
	base_str_make_printable(fact);
	commands->fact_count++;
	base_str_addf(&commands->facts, "#   - %s\n", fact);
	if (commands->lost)
		commands->lost(commands->ctx, fact);
}

void format_tally(struct format_tally *tally, const char *name)
{
	if (tally->count++ == 0)
		snprintf(tally->first, sizeof(tally->first), "%s", name);
}

void format_tally_lose(struct format_commands *commands, const struct format_tally *tally,
		       const char *what)
{
	if (tally->count == 1)
		format_command_lose(commands, "%s %s", what, tally->first);
	else if (tally->count > 1)
		format_command_lose(commands, "%s %s, and of %zu more", what,
				    tally->first, tally->count - 1);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

struct format_quoted format_quote_name(struct format_commands *commands, const char *name)
{
	struct format_quoted quoted;
	size_t len = 0;

	while (is_letter(name[len]))
		len++;
	if (name[len] != '\0' || len == 0 || len >= sizeof(quoted.text)) {
		format_command_lose(
			commands, "the name \"%.200s\", which commands don't take", name);
		commands->blocked = true;
		len = 0;
	}
	memcpy(quoted.text, name, len);
	quoted.text[len] = '\0';
	return quoted;
}

static bool is_plain(const char *text)
{
	while (is_letter(*text) || *text == '/' || *text == '+')
		text++;
	return *text == '\0';
}

struct format_quoted format_quote(struct format_commands *commands, const char *text)
{
	struct format_quoted quoted = {"'"};
	size_t len = 1;

	for (const char *at = text; *at != '\0'; at++) {
		if ((unsigned char)*at < ' ' || len + 8 > sizeof(quoted.text)) {
			format_command_lose(
				commands, "the name \"%.200s\", which is cut here", text);
			break;
		}
		if (*at == '\'') {
			memcpy(quoted.text + len, "'\\''", 4);
			len += 4;
		} else {
			quoted.text[len++] = *at;
		}
	}
	memcpy(quoted.text + len, "'", 2);
	if (text[0] != '\0' && is_plain(text) && len < sizeof(quoted.text))
		memcpy(quoted.text, text, strlen(text) + 1);
	return quoted;
}

bool format_fixed_is_exact(uint32_t weight)
{
	while (weight != 0 && (weight & 1) == 0)
		weight >>= 1;
	return weight < 1u << 24;
}

/* The cluster rounds to a float, multiplies by 65536 and cuts: the fewest decimals,
 * rounded up, that are less than half a unit above. */
struct format_fixed format_fixed(uint32_t weight)
{
	struct format_fixed fixed;
	uint64_t rest = weight & 0xffff, power = 1, parts = rest != 0;
	int digits = 0;

	while (parts * 65536 - rest * power >= power / 2 + (digits == 0) && digits < 6) {
		digits++;
		power *= 10;
		parts = (rest * power + 0xffff) >> 16;
	}
	if (digits == 0)
		snprintf(fixed.text, sizeof(fixed.text), "%u", weight >> 16);
	else
		snprintf(fixed.text, sizeof(fixed.text), "%u.%0*u", weight >> 16, digits,
			 (unsigned)parts);
	return fixed;
}

static const char head[] =
	"# What carries the cluster from %s to %s. Data moves only once when this is\n"
	"# run between `ceph osd set norebalance` and `ceph osd unset norebalance`.\n";

/* How to set the CRUSH map as a whole, for those who do that. */
static void put_whole(struct base_str *text, const struct format_commands *commands,
		      const char *name)
{
	const char *lead = commands->blocked ? "" : "#     ";

	base_str_addf(text,
		      "%smaptool convert %s --to crush-bin -o crush.bin\n"
		      "%sceph osd setcrushmap -i crush.bin\n",
		      lead, name, lead);
}

/* Deploying an OSD makes its entry; commands for the CRUSH map need one. */
static void put_missing(struct base_str *text, const struct format_commands *commands)
{
	const strew_map *before = commands->before.map, *after = commands->after.map;
	const strew_device *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < after->device_count; i++) {
		const strew_device *is = &after->devices[i];
		const strew_device *was = strew_map_device_by_id(before, is->id);

		if (is->exists && (was == NULL || !was->exists) && count++ == 0)
			first = is;
	}
	if (count > 0)
		base_str_addf(text, "#\n# %zu OSD%s to be deployed first: osd.%d%s.\n",
			      count, count == 1 ? " has" : "s have", (int)first->id,
			      count == 1 ? "" : " and so on");
}

static void put_facts(struct base_str *text, const struct format_commands *commands,
		      const char *name)
{
	if (commands->fact_count == 0)
		return;
	base_str_add(text, "#\n# No command says:\n");
	base_str_add(text, base_str_text(&commands->facts));
	if (commands->blocked) {
		base_str_add(text, "# So the CRUSH map is set as a whole.\n");
		return;
	}
	if (commands->crush_fact_count == 0)
		return;
	base_str_add(text,
		     "# To have the CRUSH map just as it is there, set it as a whole, "
		     "in place of all\n# `ceph osd crush` below:\n");
	put_whole(text, commands, name);
}

static void put_sections(struct base_str *text, const struct format_commands *commands,
			 const char *name)
{
	static const char *const titles[] = {
		"CRUSH map: tree, classes, weights", "CRUSH map: rules",
		"OSDs, pools and their upmaps", "What is left over"};

	if (commands->blocked) {
		base_str_add(text, "\n");
		put_whole(text, commands, name);
	}
	for (size_t i = 0; i < FORMAT_SECTIONS; i++) {
		const struct base_str *section = &commands->texts[i];

		if (base_str_len(section) == 0 ||
		    (commands->blocked && i != FORMAT_CLUSTER))
			continue;
		base_str_addf(text, "\n# %s\n", titles[i]);
		base_str_add(text, base_str_text(section));
	}
}

static void gather(struct format_commands *commands)
{
	format_commands_tunables(commands);
	format_commands_tree(commands);
	format_commands_check_tree(commands);
	format_commands_check_ids(commands);
	format_commands_classes(commands);
	format_commands_drop_sets(commands);
	format_commands_weight_sets(commands, FORMAT_CRUSH);
	format_commands_rules(commands);
	format_commands_remove_rules(commands);
	format_commands_remove_items(commands);
	commands->crush_fact_count = commands->fact_count;
	format_commands_devices(commands);
	format_commands_pools(commands);
	format_commands_weight_sets(commands, FORMAT_CLUSTER);
	format_commands_overrides(commands);
}

static bool is_fine(const struct format_commands *commands)
{
	bool fine = !commands->failed && base_str_ok(&commands->facts);

	for (size_t i = 0; i < FORMAT_SECTIONS; i++)
		fine = fine && base_str_ok(&commands->texts[i]);
	return fine;
}

static strew_status write_all(struct format_commands *commands,
			      const strew_commands_options *options,
			      const strew_sink *sink, strew_error *error)
{
	struct format_quoted before, after;
	struct base_str text;
	strew_status status = STREW_OK;

	base_str_init(&text, commands->allocator);
	before = format_quote(commands, options->before_name);
	after = format_quote(commands, options->after_name);
	base_str_addf(&text, head, before.text, after.text);
	put_missing(&text, commands);
	put_facts(&text, commands, after.text);
	put_sections(&text, commands, after.text);
	if (!is_fine(commands) || !base_str_ok(&text))
		status = base_error_nomem(error);
	else if (sink->write(sink->ctx, base_str_text(&text), base_str_len(&text)) != 0)
		status = base_error_set(error, STREW_EIO,
					"the commands could not be written");
	base_str_free(&text);
	return status;
}

static strew_commands_options complete(const strew_commands_options *options)
{
	strew_commands_options full = STREW_COMMANDS_OPTIONS_INIT;

	if (options)
		memcpy(&full, options,
		       options->size < sizeof(full) ? options->size : sizeof(full));
	if (full.before_name == NULL)
		full.before_name = "OLD";
	if (full.after_name == NULL)
		full.after_name = "NEW";
	full.allocator = base_allocator_or_heap(full.allocator);
	return full;
}

strew_status strew_map_write_commands(const strew_map *before, const strew_map *after,
				      const strew_commands_options *options,
				      const strew_sink *sink, strew_error *error)
{
	strew_commands_options full = complete(options);
	struct format_commands commands = {.before.map = before,
					   .after.map = after,
					   .allocator = full.allocator,
					   .lost = full.lost,
					   .ctx = full.ctx};
	strew_status status;

	for (size_t i = 0; i < FORMAT_SECTIONS; i++)
		base_str_init(&commands.texts[i], full.allocator);
	base_str_init(&commands.facts, full.allocator);
	if (format_sides_match(&commands))
		gather(&commands);
	else
		commands.failed = true;
	status = write_all(&commands, &full, sink, error);
	format_sides_free(&commands);
	base_str_free(&commands.facts);
	for (size_t i = 0; i < FORMAT_SECTIONS; i++)
		base_str_free(&commands.texts[i]);
	return status;
}
