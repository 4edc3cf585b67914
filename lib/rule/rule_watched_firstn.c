/* SPDX-License-Identifier: MIT */
/* rule_firstn.c once more, telling who watches what it does. */
#define RULE_WATCHED
#define rule_firstn rule_firstn_watched
#include "rule_firstn.c"
