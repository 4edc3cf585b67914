/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "cli.h"

/* A handler gets no argument: what it needs lies here, the program's only variables. */
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
	/* A reader that has gone away has seen enough, but not all was written. */
	_exit(signal_number == SIGPIPE ? CLI_FAILED : 128 + signal_number);
}

/* What the caller had ignored, as nohup does, stays ignored. */
static void catch (int signal_number)
{
	struct sigaction action = {.sa_handler = end_program};
	struct sigaction old;

	sigfillset(&action.sa_mask);
	if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(signal_number, &action, NULL);
}

void cli_signal_install(void)
{
	catch (SIGHUP);
	catch (SIGINT);
	catch (SIGTERM);
	catch (SIGPIPE);
	/* A file that may not grow further is an error of write(), like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
}

void cli_signal_remove_file(const char *path)
{
	atomic_store(&unfinished_file, path);
}

void cli_signal_erase_line(int erase)
{
	atomic_store(&line_is_shown, erase);
}
