/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <err.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <strew/strew.h>

/**
 * A daemon that tells where objects lie, and a model for others: several threads answer
 * while the map is replaced under them.
 *
 *	daemon FOLDER/MAP POOL
 *
 * Each line of standard input is a request, and gets a line on standard output:
 *
 *	place OBJECT    →    ok OBJECT DEVICE…    or    error OBJECT: REASON
 *
 * with "-" for a shard that has no device.
 *
 * The map is replaced by renaming another over it; one that is written in place could be
 * read when it is half there. A broken map changes nothing, and standard error says why.
 * The daemon ends with its input.
 */

#define WORKERS 4

struct service {
	strew_live *live;
	const char *pool;
	int over; /* an eventfd that tells of the end of the input */
};

struct worker {
	const struct service *service;
	strew_reader *reader;
	pthread_t thread;
};

/* One get for the whole request: pool, PG and devices are of the same map. */
static strew_status find_object(struct worker *worker, const char *name,
				strew_stages *stages)
{
	const strew_placer *placer = strew_reader_get(worker->reader);
	const strew_pool *pool =
		strew_map_pool_by_name(strew_placer_map(placer), worker->service->pool);
	strew_object object = {.name = name, .name_len = strlen(name)};
	strew_pg pg;

	if (pool == NULL || strew_object_pg(&pg, placer, strew_pool_id(pool), &object))
		return STREW_ENOTFOUND;
	return strew_place_pg(placer, pg, stages, strew_reader_scratch(worker->reader));
}

static void answer(struct worker *worker, const char *name)
{
	int32_t devices[STREW_WANT_MAX];
	strew_stages stages = {.acting = {.devices = devices, .room = STREW_WANT_MAX}};
	strew_status status = find_object(worker, name, &stages);

	flockfile(stdout);
	if (status == STREW_OK)
		printf("ok %s", name);
	else
		printf("error %s: %s", name, strew_status_text(status));
	for (int i = 0; i < stages.acting.count; i++) {
		if (devices[i] == STREW_NONE)
			printf(" -");
		else
			printf(" %d", (int)devices[i]);
	}
	printf("\n");
	funlockfile(stdout);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	char *line = NULL;
	size_t room = 0;

	/* getline() locks the stream: each line goes to one thread. Where that may take
	 * long, strew_reader_rest() lets go of an old map before it. */
	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "place ", 6) == 0)
			answer(worker, line + 6);
		else
			printf("error %s: no such request\n", line);
	}
	free(line);
	eventfd_write(worker->service->over, 1);
	return NULL;
}

static void complain(const strew_error *error)
{
	fprintf(stderr, "%s", error->where);
	if (error->line)
		fprintf(stderr, ":%d:%d", error->line, error->column);
	fprintf(stderr, ": %s\n", error->text);
}

/* NULL when the map is broken; then it has said why. */
static strew_placer *load(const char *path)
{
	strew_placer *placer = NULL;
	strew_map *map = NULL;
	strew_error error;

	if (strew_map_read_file(&map, path, NULL, &error) ||
	    strew_placer_new(&placer, map, NULL, &error))
		complain(&error);
	strew_map_release(map);
	return placer;
}

static void reload(const struct service *service, const char *path)
{
	strew_placer *next = load(path);

	if (next == NULL || strew_live_publish(service->live, next))
		fprintf(stderr, "%s: the old map stays in force\n", path);
	else
		fprintf(stderr, "%s: epoch %lld is in force\n", path,
			(long long)strew_map_epoch(strew_placer_map(next)));
	strew_placer_release(next);
}

/* A descriptor that can be read when something was renamed into the path's folder. */
static int watch_folder(const char *path)
{
	const char *name = basename(path);
	char *folder = name > path ? strndup(path, (size_t)(name - path)) : strdup(".");
	int watch = inotify_init1(IN_CLOEXEC);

	if (inotify_add_watch(watch, folder, IN_MOVED_TO) < 0)
		err(1, "%s", path);
	free(folder);
	return watch;
}

/* Was it the path? Also when the kernel has lost count of what happened. */
static int was_replaced(int watch, const char *path)
{
	_Alignas(struct inotify_event) char bytes[8192];
	const struct inotify_event *event;
	ssize_t len = read(watch, bytes, sizeof(bytes));
	int replaced = 0;

	for (ssize_t at = 0; at < len; at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const void *)(bytes + at);
		replaced |= (event->mask & IN_Q_OVERFLOW) ||
			    (event->len && strcmp(event->name, basename(path)) == 0);
	}
	return replaced;
}

static void start_workers(struct worker *workers, const struct service *service)
{
	for (int i = 0; i < WORKERS; i++) {
		workers[i].service = service;
		/* Here, where a failure can still keep the daemon from starting. */
		if (strew_reader_new(&workers[i].reader, service->live) ||
		    pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			errx(1, "no memory or threads to start with");
	}
}

int main(int argc, char **argv)
{
	struct service service = {.over = eventfd(0, EFD_CLOEXEC)};
	struct worker workers[WORKERS];
	strew_placer *first;

	if (argc != 3)
		errx(2, "usage: %s FOLDER/MAP POOL", argv[0]);
	if (service.over < 0)
		err(1, "eventfd");
	service.pool = argv[2];
	setvbuf(stdout, NULL, _IOLBF, 0);
	/* Watch before loading: what comes in between is not missed. */
	struct pollfd events[] = {{.fd = watch_folder(argv[1]), .events = POLLIN},
				  {.fd = service.over, .events = POLLIN}};
	first = load(argv[1]);
	if (first == NULL || strew_live_new(&service.live, first))
		return 1;
	strew_placer_release(first);
	start_workers(workers, &service);
	while (!events[1].revents) {
		if (poll(events, 2, -1) > 0 && events[0].revents &&
		    was_replaced(events[0].fd, argv[1]))
			reload(&service, argv[1]);
	}
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		strew_reader_free(workers[i].reader);
	}
	strew_live_free(service.live);
	return 0;
}
