/* SPDX-License-Identifier: MIT */
#ifndef STREW_COMMON_H
#define STREW_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include <strew/version.h>

#ifdef __cplusplus
#define STREW_BEGIN_DECLS extern "C" {
#define STREW_END_DECLS   }
#else
#define STREW_BEGIN_DECLS
#define STREW_END_DECLS
#endif

#if defined(__GNUC__)
#define STREW_API                 __attribute__((visibility("default")))
#define STREW_MUST_USE            __attribute__((warn_unused_result))
#define STREW_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define STREW_API
#define STREW_MUST_USE
#define STREW_PRINTF(text, first)
#endif

/** A hole: no device holds this position. Ceph writes it as 2147483647. */
#define STREW_NONE ((int32_t)0x7fffffff)

/** The weight 1.0. All weights and reweights are 16.16 fixed point. */
#define STREW_WEIGHT_ONE ((uint32_t)0x10000)

/** The most devices that one placement may ask for. */
#define STREW_WANT_MAX 1024

STREW_BEGIN_DECLS

/** The version of the library in use, such as "0.1.0". */
STREW_API const char *strew_version(void);

STREW_END_DECLS

#endif
