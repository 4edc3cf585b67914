/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

/* A short run shows nothing, and a line is for eyes: a few times a second is enough. In a
 * log, each is a line that stays. */
#define FIRST_AFTER    0.5
#define TERMINAL_EVERY 0.1
#define LOG_EVERY      2.0

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void format_time(char *out, size_t room, double seconds)
{
	long whole = (long)(seconds + 0.5);

	if (whole < 60)
		snprintf(out, room, "%ld s", whole);
	else if (whole < 3600)
		snprintf(out, room, "%ld min %02ld s", whole / 60, whole % 60);
	else
		snprintf(out, room, "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
}

static void show(struct cli_progress *meter, double time, uint64_t done, uint64_t total)
{
	double part = total > 0 ? (double)done / (double)total : 0;
	char left[64] = "";

	if (part > 0) {
		char duration[48];

		format_time(duration, sizeof(duration),
			    (time - meter->start) * (1 - part) / part);
		snprintf(left, sizeof(left), ", %s left", duration);
	}
	cli_signal_erase_line(meter->terminal);
	fprintf(stderr, "%s%s %" PRIu64 " of %" PRIu64 " (%.0f %%)%s%s",
		meter->terminal ? "\r" : "", meter->what, done, total, 100 * part, left,
		meter->terminal ? "\033[K" : "\n");
	meter->shown = 1;
	meter->last = time;
}

/* Many threads come here, and none should wait for another to print. */
static int tick(void *ctx, uint64_t done, uint64_t total)
{
	struct cli_progress *meter = ctx;
	double every = meter->terminal ? TERMINAL_EVERY : LOG_EVERY;
	double time = now();

	if (pthread_mutex_trylock(&meter->lock) != 0)
		return 0;
	if (time - meter->last >= every && done < total)
		show(meter, time, done, total);
	pthread_mutex_unlock(&meter->lock);
	return 0;
}

void cli_progress_start(struct cli_progress *meter, const char *mode, const char *what)
{
	int always = mode != NULL && strcmp(mode, "always") == 0;
	int never = mode != NULL && strcmp(mode, "never") == 0;

	pthread_mutex_init(&meter->lock, NULL);
	meter->what = what;
	meter->terminal = isatty(STDERR_FILENO);
	meter->on = always || (!never && meter->terminal);
	meter->start = now();
	meter->last = meter->start;
	if (always && meter->on)
		meter->last -= LOG_EVERY;
	else
		meter->last += FIRST_AFTER - TERMINAL_EVERY;
}

strew_progress cli_progress_hook(struct cli_progress *meter)
{
	return (strew_progress){.tick = tick, .ctx = meter};
}

void cli_progress_end(struct cli_progress *meter)
{
	if (meter->shown && meter->terminal)
		fputs("\r\033[K", stderr);
	meter->shown = 0;
	cli_signal_erase_line(0);
	pthread_mutex_destroy(&meter->lock);
}
