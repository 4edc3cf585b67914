/* SPDX-License-Identifier: MIT */
#include "base_fixed.h"

#include <math.h>

bool base_fixed_from_double(uint32_t *out, double value)
{
	float scaled;

	if (!(value >= 0.0 && value < 65536.0))
		return false;
	scaled = (float)value * 65536.0f;
	if (scaled >= 4294967296.0f)
		return false;
	*out = (uint32_t)scaled;
	return true;
}

bool base_fixed_nearest(uint32_t *out, double value)
{
	double scaled = floor(value * 65536.0 + 0.5);

	if (!(value >= 0.0 && scaled < 4294967296.0))
		return false;
	*out = (uint32_t)scaled;
	return true;
}

double base_fixed_to_double(uint32_t weight)
{
	return (double)weight / 65536.0;
}
