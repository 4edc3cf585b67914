/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base_fixed.h"
#include "format_walk.h"

/* Above this a double no longer holds every integer. */
#define EXACT_MAX 9007199254740992.0

static bool fault_integer(struct format_walk *walk, const json_t *value)
{
	if (json_is_real(value))
		format_fault(walk, "expected an integer, found %.15g",
			     json_real_value(value));
	else
		format_fault(walk, "expected an integer, found %s",
			     format_kind_of(value));
	return false;
}

static bool check_range(struct format_walk *walk, int64_t number, int64_t min,
			int64_t max)
{
	if (number >= min && number <= max)
		return true;
	if (max == INT64_MAX)
		format_fault_range(walk, "expected an integer from %lld up, found %lld",
				   (long long)min, (long long)number);
	else
		format_fault_range(walk,
				   "expected an integer from %lld to %lld, found %lld",
				   (long long)min, (long long)max, (long long)number);
	return false;
}

bool format_integer(struct format_walk *walk, const json_t *value, int64_t min,
		    int64_t max, int64_t *out)
{
	double real = json_real_value(value);
	int64_t number = json_integer_value(value);

	if (json_is_real(value) && real >= -EXACT_MAX && real <= EXACT_MAX &&
	    (double)(int64_t)real == real)
		number = (int64_t)real;
	else if (!json_is_integer(value))
		return fault_integer(walk, value);
	if (!check_range(walk, number, min, max))
		return false;
	*out = number;
	return true;
}

bool format_text(struct format_walk *walk, const json_t *value, const char **out)
{
	if (!json_is_string(value)) {
		format_fault(walk, "expected a string, found %s", format_kind_of(value));
		return false;
	}
	*out = json_string_value(value);
	return true;
}

static bool expect_number(struct format_walk *walk, const json_t *value)
{
	if (json_is_number(value))
		return true;
	format_fault(walk, "expected a number, found %s", format_kind_of(value));
	return false;
}

bool format_round_weight(double number, uint32_t *out)
{
	if (base_fixed_nearest(out, number) && base_fixed_to_double(*out) == number)
		return true;
	return base_fixed_from_double(out, number);
}

bool format_weight(struct format_walk *walk, const json_t *value, uint32_t *out)
{
	double number = json_number_value(value);

	if (!expect_number(walk, value))
		return false;
	if (format_round_weight(number, out) && *out != STREW_AUTO_WEIGHT)
		return true;
	format_fault_range(walk, "a weight is from 0 to 65535.99; this is %.15g", number);
	return false;
}

bool format_share(struct format_walk *walk, const json_t *value, uint32_t *out)
{
	double number = json_number_value(value);

	if (!expect_number(walk, value))
		return false;
	if (number >= 0 && number <= 1 && base_fixed_nearest(out, number))
		return true;
	format_fault_range(walk, "expected a number from 0 to 1, found %.15g", number);
	return false;
}

/* Decimal digits at *text, which moves behind them. @return how many; 0 also when the
 * number would be 10^18 and above. */
static int scan_digits(const char **text, uint64_t *number)
{
	const char *at = *text;
	int count = 0;

	for (; *at >= '0' && *at <= '9'; at++, count++) {
		if (*number >= UINT64_C(100000000000000000))
			return 0;
		*number = *number * 10 + (uint64_t)(*at - '0');
	}
	*text = at;
	return count;
}

/* What decimals of a unit come to, to the nearest. From the last one on, what is cut away
 * can't change what the next one comes to. */
static uint64_t scale_decimals(const char *first, const char *end, uint64_t unit)
{
	uint64_t part = 0;

	while (end-- > first) {
		uint64_t half = end == first ? 5 : 0;

		part = ((uint64_t)(*end - '0') * unit + part + half) / 10;
	}
	return part;
}

/* Not strtod(), which would read a comma in some countries, and round twice. */
static bool parse_bytes(const char *text, uint64_t *out)
{
	const struct format_word *unit;
	const char *decimals;
	uint64_t whole = 0, part;
	size_t count = 0;

	if (scan_digits(&text, &whole) == 0)
		return false;
	decimals = text + 1;
	if (*text == '.') {
		count = strspn(decimals, "0123456789");
		if (count == 0)
			return false;
		text = decimals + count;
	}
	while (*text == ' ')
		text++;
	unit = format_word_of(WORD_UNIT, text);
	if (unit == NULL)
		return false;
	part = scale_decimals(decimals, decimals + count, (uint64_t)unit->value);
	return !__builtin_mul_overflow(whole, (uint64_t)unit->value, out) &&
	       !__builtin_add_overflow(*out, part, out) && *out <= INT64_MAX;
}

bool format_bytes(struct format_walk *walk, const json_t *value, uint64_t *out)
{
	int64_t number = 0;

	if (json_is_string(value)) {
		if (parse_bytes(json_string_value(value), out))
			return true;
		format_fault(walk,
			     "\"%s\" is not a size; write a number of bytes, or a number "
			     "below 8 EiB with its unit, such as \"10TB\" or \"9.09TiB\"",
			     json_string_value(value));
		return false;
	}
	if (!json_is_number(value)) {
		format_fault(walk,
			     "expected a number of bytes or a string such as \"10TB\", "
			     "found %s",
			     format_kind_of(value));
		return false;
	}
	if (!format_integer(walk, value, 0, INT64_MAX, &number))
		return false;
	*out = (uint64_t)number;
	return true;
}

bool format_pg(struct format_walk *walk, const char *member, const char *text,
	       strew_pg *out)
{
	size_t mark;

	if (strew_pg_parse(out, text) == STREW_OK)
		return true;
	mark = format_enter(walk, member);
	format_fault(walk,
		     "\"%s\" is not a placement group; write its pool's id, a dot and "
		     "its number in hexadecimal, as in \"1.2f\"",
		     text);
	format_leave(walk, mark);
	return false;
}

bool format_run(struct format_walk *walk, const char *text, int64_t *first, int64_t *last)
{
	const char *at = text;
	uint64_t low = 0, high = 0;
	bool good = scan_digits(&at, &low) > 0;

	high = low;
	if (good && *at == '-') {
		at++;
		high = 0;
		good = scan_digits(&at, &high) > 0;
	}
	if (!good || *at != '\0') {
		format_fault(walk, "\"%s\" is not a run of devices; write it as \"0-11\"",
			     text);
		return false;
	}
	if (low > high || high > STREW_DEVICE_ID_MAX) {
		format_fault_range(walk,
				   "\"%s\" is not a run of devices: ids go up, and no "
				   "higher than %d",
				   text, STREW_DEVICE_ID_MAX);
		return false;
	}
	*first = (int64_t)low;
	*last = (int64_t)high;
	return true;
}

bool format_numbered(const char *name, const char *prefix, int64_t *id)
{
	const char *digits = name + strlen(prefix);
	uint64_t number = 0;

	if (strncmp(name, prefix, strlen(prefix)) != 0 ||
	    scan_digits(&digits, &number) == 0 || *digits != '\0' ||
	    number > STREW_DEVICE_ID_MAX)
		return false;
	*id = (int64_t)number;
	return true;
}

static bool expect_list(struct format_walk *walk, const json_t *value)
{
	if (json_is_array(value))
		return true;
	format_fault(walk, "expected a list, found %s", format_kind_of(value));
	return false;
}

bool format_ids(struct format_walk *walk, json_t *list, struct base_vec *out)
{
	bool good = expect_list(walk, list);

	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t mark = format_enter_at(walk, i);
		int64_t id = 0;
		int32_t *room = base_vec_push(out, walk->allocator, sizeof(*room));

		if (!format_integer(walk, json_array_get(list, i), INT32_MIN, INT32_MAX,
				    &id))
			good = false;
		if (room)
			*room = (int32_t)id;
		else
			walk->failed = true;
		format_leave(walk, mark);
	}
	return good && !walk->failed;
}

bool format_weights(struct format_walk *walk, json_t *list, struct base_vec *out)
{
	bool good = expect_list(walk, list);

	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t mark = format_enter_at(walk, i);
		uint32_t *room = base_vec_push(out, walk->allocator, sizeof(*room));

		if (room == NULL)
			walk->failed = true;
		else if (!format_weight(walk, json_array_get(list, i), room))
			good = false;
		format_leave(walk, mark);
	}
	return good && !walk->failed;
}

void format_weight_ids(struct format_walk *walk, json_t *list, int32_t bucket)
{
	struct base_vec ids = {0};
	size_t mark = format_enter(walk, "ids");

	if (format_ids(walk, list, &ids))
		strew_builder_set_weight_ids(format_builder(walk), bucket, ids.items,
					     ids.count);
	format_leave(walk, mark);
	base_vec_free(&ids, walk->allocator);
}

void format_set(struct format_walk *walk, const char *member, json_t *list, strew_pg pg,
		void (*add)(strew_builder *, strew_pg, const int32_t *, size_t))
{
	struct base_vec set = {0};
	size_t mark = format_enter(walk, member);

	if (format_ids(walk, list, &set))
		add(format_builder(walk), pg, set.items, set.count);
	format_leave(walk, mark);
	base_vec_free(&set, walk->allocator);
}
