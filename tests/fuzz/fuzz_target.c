/* SPDX-License-Identifier: MIT */
/* A libFuzzer target; the build says which. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	fuzz_run(FUZZ_TARGET, bytes, count);
	return 0;
}
