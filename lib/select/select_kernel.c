/* SPDX-License-Identifier: MIT */
/*
 * The kernels, and which of them this processor can run. This file is compiled for the
 * least of all processors, and a kernel's is only ever entered after it was asked for
 * what it needs.
 */
#include <string.h>

#include "straw2_kernel.h"

#if defined(__AVX2__) && defined(STREW_X86_KERNELS)
#error "compile the dispatcher for the baseline"
#endif

#if defined(STREW_X86_KERNELS)
extern const struct select_kernel straw2_avx512, straw2_avx2;
#endif
extern const struct select_kernel straw2_vec128, straw2_scalar;

/* The definition itself. */
static const struct select_kernel plain = {
	.name = "plain",
	.summary = "the definition, an item at a time",
};

/* The best first. */
static const struct select_kernel *const kernels[] = {
#if defined(STREW_X86_KERNELS)
	&straw2_avx512, &straw2_avx2,
#endif
	&straw2_vec128, &straw2_scalar, &plain,
};

#define COUNT (sizeof(kernels) / sizeof(kernels[0]))

static bool is_usable(const struct select_kernel *kernel)
{
	return kernel->usable == NULL || kernel->usable();
}

const struct select_kernel *select_kernel_at(size_t index)
{
	for (size_t i = 0; i < COUNT; i++) {
		if (is_usable(kernels[i]) && index-- == 0)
			return kernels[i];
	}
	return NULL;
}

const struct select_kernel *select_kernel_find(const char *name)
{
	const struct select_kernel *kernel;

	for (size_t i = 0; (kernel = select_kernel_at(i)) != NULL; i++) {
		if (name == NULL || strcmp(kernel->name, name) == 0)
			return kernel;
	}
	return NULL;
}

const char *select_kernel_name(const struct select_kernel *kernel)
{
	return kernel->name;
}

bool select_asks_together(const struct select_kernel *kernel)
{
	return kernel && kernel->parts;
}
