/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "cli.h"

/* A handler gets no argument, so what it needs lies here: the only variables of the
 * program that are not on a stack. */
static _Atomic(const char *) unfinished_file;
static atomic_int line_is_shown;

static void end_program(int signal_number)
{
	static const char erase[] = "\r\033[K";
	const char *path = atomic_load(&unfinished_file);

	if (path != NULL)
		unlink(path);
	if (atomic_load(&line_is_shown) &&
	    write(STDERR_FILENO, erase, sizeof(erase) - 1) < 0)
		_exit(CLI_FAILED);
	/* A reader that has gone away has seen enough: nothing to say, but nothing is
	 * done. */
	_exit(signal_number == SIGPIPE ? CLI_FAILED : 128 + signal_number);
}

void cli_signal_install(void)
{
	struct sigaction action = {.sa_handler = end_program};

	sigfillset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
}

void cli_signal_remove_file(const char *path)
{
	atomic_store(&unfinished_file, path);
}

void cli_signal_erase_line(int erase)
{
	atomic_store(&line_is_shown, erase);
}
