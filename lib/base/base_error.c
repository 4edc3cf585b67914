/* SPDX-License-Identifier: MIT */
#include "base_error.h"

#include <stdio.h>
#include <string.h>

#include "base_str.h"

#define STATUS_CASE_NAME(name, value, text)                                              \
	case STREW_##name:                                                               \
		return "STREW_" #name;
#define STATUS_CASE_TEXT(name, value, text)                                              \
	case STREW_##name:                                                               \
		return text;

const char *strew_version(void)
{
	return STREW_VERSION;
}

const char *strew_status_name(strew_status status)
{
	switch (status) {
		STREW_STATUS_LIST(STATUS_CASE_NAME)
	}
	return "unknown";
}

const char *strew_status_text(strew_status status)
{
	switch (status) {
		STREW_STATUS_LIST(STATUS_CASE_TEXT)
	}
	return "unknown";
}

/* A cut inside a UTF-8 character would print as rubbish: drop what is left of it. */
static void cut_at_character(char *text, size_t room, int wanted)
{
	size_t len = room - 1;

	if (wanted < 0 || (size_t)wanted < room)
		return;
	while (len > 0 && ((unsigned char)text[len - 1] & 0xc0) == 0x80)
		len--;
	if (len > 0 && (unsigned char)text[len - 1] >= 0xc0)
		len--;
	if (((unsigned char)text[room - 2] & 0x80) != 0)
		text[len] = '\0';
}

strew_status base_error_vat(strew_error *error, strew_status status, const char *where,
			    int line, int column, const char *format, va_list args)
{
	int wanted;

	if (error == NULL)
		return status;
	error->status = status;
	error->line = line;
	error->column = column;
	wanted = snprintf(error->where, sizeof(error->where), "%s", where ? where : "");
	cut_at_character(error->where, sizeof(error->where), wanted);
	base_str_make_printable(error->where);
	wanted = vsnprintf(error->text, sizeof(error->text), format, args);
	cut_at_character(error->text, sizeof(error->text), wanted);
	base_str_make_printable(error->text);
	return status;
}

strew_status base_error_at(strew_error *error, strew_status status, const char *where,
			   int line, int column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	base_error_vat(error, status, where, line, column, format, args);
	va_end(args);
	return status;
}

strew_status base_error_set(strew_error *error, strew_status status, const char *format,
			    ...)
{
	va_list args;

	va_start(args, format);
	base_error_vat(error, status, NULL, 0, 0, format, args);
	va_end(args);
	return status;
}

strew_status base_error_nomem(strew_error *error)
{
	return base_error_set(error, STREW_ENOMEM, "there is not enough memory");
}
