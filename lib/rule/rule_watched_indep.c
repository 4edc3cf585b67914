/* SPDX-License-Identifier: MIT */
/* rule_indep.c once more, telling who watches what it does. */
#define RULE_WATCHED
#define rule_indep rule_indep_watched
#include "rule_indep.c"
