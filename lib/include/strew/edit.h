/* SPDX-License-Identifier: MIT */
#ifndef STREW_EDIT_H
#define STREW_EDIT_H

#include <strew/map.h>

STREW_BEGIN_DECLS

/**
 * A map that is being changed, by operations in words such as "move host:h3 to rack:r2".
 * One owner, one thread. The map that it starts from stays as it is.
 *
 * Operations do what Ceph's commands of the same purpose do to a cluster: weights follow
 * up the tree, weight sets follow the weights, and the shadow trees of device classes
 * follow the tree with the ids that they have.
 */
typedef struct strew_edit strew_edit;

/** Memory is the map's allocator's, for the maps that are built, too.
 * @return also STREW_ENOMEM */
STREW_API STREW_MUST_USE strew_status strew_edit_new(strew_edit **out,
						     const strew_map *map);
STREW_API void strew_edit_free(strew_edit *edit);

/**
 * Do one operation. One that can't be done changes nothing, and `error` says what would
 * be right; its column is the word's place in `operation`.
 *
 * @return also STREW_ESYNTAX, STREW_ENOTFOUND (a name), STREW_ERANGE (a number),
 * STREW_EMAP (what a map can't have), STREW_ENOMEM (then the edit can only be freed)
 */
STREW_API STREW_MUST_USE strew_status strew_edit_apply(strew_edit *edit,
						       const char *operation,
						       strew_error *error);

/**
 * Do the operations of a script, one a line; "#" starts a comment. What follows one that
 * can't be done is not looked at. `name` is the script's, for `error`, which has the line
 * and the column.
 */
STREW_API STREW_MUST_USE strew_status strew_edit_apply_script(strew_edit *edit,
							      const char *text,
							      size_t length,
							      const char *name,
							      strew_error *error);

/** The map as it is now, checked in full. The edit can go on. @return also STREW_EMAP */
STREW_API STREW_MUST_USE strew_status strew_edit_build(strew_map **out,
						       const strew_edit *edit,
						       strew_error *error);

/** The operations that there are, with what they do: for help. */
STREW_API size_t strew_edit_operation_count(void);
/** Such as "move ITEM to BUCKET". @return NULL when index is not below the count */
STREW_API const char *strew_edit_operation_syntax(size_t index);
STREW_API const char *strew_edit_operation_summary(size_t index);

STREW_END_DECLS

#endif
