/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define WORKING_SIZE_AT 48
#define ALLOWED_ALGS_AT 60

static void *load_first(const char *pattern)
{
	glob_t found;
	void *library = NULL;

	if (glob(pattern, 0, NULL, &found) != 0)
		return NULL;
	for (size_t i = 0; i < found.gl_pathc && library == NULL; i++)
		library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
	globfree(&found);
	return library;
}

static void *load_library(void)
{
	const char *given = getenv("STREW_PEER_LIB");
	void *library;

	if (given)
		return dlopen(given, RTLD_NOW | RTLD_LOCAL);
	library = load_first("/usr/lib/*/ceph/libceph-common.so.2");
	return library ? library : dlopen("libceph-common.so.2", RTLD_NOW | RTLD_LOCAL);
}

static bool find_function(const struct peer *peer, const char *name, void *function)
{
	void *found = dlsym(peer->library, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

static bool find_functions(struct peer *peer)
{
	return find_function(peer, "crush_create", &peer->create) &&
	       find_function(peer, "crush_make_bucket", &peer->make_bucket) &&
	       find_function(peer, "crush_add_bucket", &peer->add_bucket) &&
	       find_function(peer, "crush_make_rule", &peer->make_rule) &&
	       find_function(peer, "crush_rule_set_step", &peer->rule_set_step) &&
	       find_function(peer, "crush_add_rule", &peer->add_rule) &&
	       find_function(peer, "crush_finalize", &peer->finalize) &&
	       find_function(peer, "crush_init_workspace", &peer->init_workspace) &&
	       find_function(peer, "crush_do_rule", &peer->do_rule) &&
	       find_function(peer, "crush_destroy", &peer->destroy);
}

static uint32_t word_at(const void *map, size_t offset)
{
	uint32_t word;

	memcpy(&word, (const char *)map + offset, sizeof(word));
	return word;
}

void peer_set_word(void *map, size_t offset, uint32_t word)
{
	memcpy((char *)map + offset, &word, sizeof(word));
}

void peer_set_byte(void *map, size_t offset, uint32_t byte)
{
	*((unsigned char *)map + offset) = (unsigned char)byte;
}

/** Is a new map laid out as we know it, with the tunables that we know? */
static bool has_known_layout(const struct peer *peer)
{
	unsigned char *map = peer->create();
	bool known = word_at(map, PEER_TOTAL_TRIES_AT) == 50 &&
		     word_at(map, PEER_DESCEND_ONCE_AT) == 1 &&
		     map[PEER_VARY_R_BYTE_AT] == 1 && map[PEER_STABLE_BYTE_AT] == 1 &&
		     word_at(map, ALLOWED_ALGS_AT) == 54;

	peer->destroy(map);
	return known;
}

const char *peer_open(struct peer *peer)
{
	peer->library = load_library();
	if (peer->library == NULL)
		return "Ceph's libceph-common.so.2 can't be loaded";
	if (!find_functions(peer) || !has_known_layout(peer))
		return "Ceph's library is not one that we know";
	return NULL;
}

void *peer_workspace(const struct peer *peer, const void *map, int want)
{
	size_t size;
	void *workspace;

	memcpy(&size, (const char *)map + WORKING_SIZE_AT, sizeof(size));
	workspace = calloc(1, size + 3 * sizeof(int) * ((size_t)want + 1));
	if (workspace != NULL)
		peer->init_workspace(map, workspace);
	return workspace;
}
