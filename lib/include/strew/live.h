/* SPDX-License-Identifier: MIT */
#ifndef STREW_LIVE_H
#define STREW_LIVE_H

#include <strew/placer.h>

STREW_BEGIN_DECLS

/**
 * Swap placers under running threads. A daemon has one strew_live, which names the placer
 * in force, and a strew_reader for each of its threads that place:
 *
 *	const strew_placer *placer = strew_reader_get(reader);
 *	strew_place(placer, rule, x, out, want, strew_reader_scratch(reader));
 *
 * A placer, and with it its map, lives until the last who uses it has moved on. Whoever
 * that is frees it, also a reader; strew_live_behind() helps when none should.
 *
 * A strew_live and its readers, with their scratch, are made with the allocator of the
 * first placer, and from any thread that uses them.
 */
typedef struct strew_live strew_live;
/** One thread's view of a strew_live, and the thread's scratch. Belongs to one thread at
 * a time. */
typedef struct strew_reader strew_reader;

/** Start with a placer. Like publish, it takes a reference of its own: yours stays yours.
 * @return STREW_ENOMEM, else STREW_OK. */
STREW_API STREW_MUST_USE strew_status strew_live_new(strew_live **out,
						     const strew_placer *first);
/** Give it up. Readers may outlive it: they keep the placer that was last published. */
STREW_API void strew_live_free(strew_live *live);

/**
 * Put another placer in force. From any thread, also several at once: then one comes
 * after the other.
 *
 * When it returns, every later strew_reader_get() of any thread gives this placer or a
 * newer one. It waits for no reader's work, and no reader waits for its own but for the
 * swap of a few pointers. The cost is independent of the map; where this placer needs
 * larger scratch than all before it, the scratch of every reader is made here.
 *
 * @return STREW_ENOMEM: there is no memory for that scratch. Then nothing has changed.
 */
STREW_API STREW_MUST_USE strew_status strew_live_publish(strew_live *live,
							 const strew_placer *next);

/**
 * How many readers hold a placer that is no longer in force.
 *
 * When freeing a large map would cost a reader too much, keep your own reference to each
 * placer that you publish over, and release it once this says 0: it is the last.
 * From any thread; may wait for a strew_live_publish().
 */
STREW_API size_t strew_live_behind(strew_live *live);

/** Make a reader. From any thread; may wait for a strew_live_publish().
 * @return STREW_ENOMEM, else STREW_OK. */
STREW_API STREW_MUST_USE strew_status strew_reader_new(strew_reader **out,
						       strew_live *live);
STREW_API void strew_reader_free(strew_reader *reader);

/**
 * The placer in force; never NULL. It doesn't change until the next get, rest or free of
 * this reader: get it once for look-ups that belong together, such as an object's PG and
 * the devices of that. Retain it to keep it longer.
 *
 * It looks at one counter, which is written only when a placer is published. Then it
 * takes the new one under a short lock, and drops the old one. It allocates nothing and
 * cannot fail.
 */
STREW_API const strew_placer *strew_reader_get(strew_reader *reader);

/** The reader's scratch. It fits the placer of the last get, and may be another after the
 * next: ask again rather than keep it. */
STREW_API strew_scratch *strew_reader_scratch(strew_reader *reader);

/** Let go of the placer until the next get, which then takes the lock. For a thread that
 * goes to sleep: it would keep an old map alive for as long. */
STREW_API void strew_reader_rest(strew_reader *reader);

STREW_END_DECLS

#endif
