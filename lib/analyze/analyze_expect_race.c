/* SPDX-License-Identifier: MIT */
#include "analyze_expect_priv.h"

#include <math.h>

/*
 * Drawing different items one after the other, each time by weight, gives the same sets
 * as a race: each item comes after a time of its own, exponential with its weight as
 * rate, and the first ones are chosen. So the chance of an item is the integral, over the
 * time that it comes, of its density times the chance that fewer than `places` others
 * came before. That others come is independent, and counted with tables of those before
 * it and behind it in the list: all terms are positive, so that nothing cancels.
 *
 * The time is t = log(1 + exp(π sinh u)) / c. In u the integrand falls off doubly
 * exponentially on both sides, so that plain sums of equal steps converge to rounding
 * error, whatever the ratio of the weights.
 */

#define PI         3.14159265358979323846
#define STEPS_UNIT 32.0 /* steps in u, of few places */
#define TIME_MIN   1e-18
#define NOTHING    1e-17
#define CLOSED_MAX 256 /* racers; the closed form for 3 takes their square */

static size_t count_runners(const struct expect_race *race, double *total)
{
	size_t count = 0;

	*total = 0;
	for (size_t i = 0; i < race->count; i++) {
		count += race->racers[i].rate > 0;
		*total += race->racers[i].rate;
	}
	return count;
}

/* Is each racer sure to come in the end? */
static bool is_plain(const struct expect_race *race)
{
	for (size_t i = 0; i < race->count; i++) {
		if (race->racers[i].count > 0 || race->racers[i].chance < 1)
			return false;
	}
	return true;
}

static void win_all(const struct expect_race *race)
{
	for (size_t i = 0; i < race->count; i++)
		race->racers[i].wins = race->racers[i].rate > 0;
}

static void win_first(const struct expect_race *race, double total)
{
	for (size_t i = 0; i < race->count; i++)
		race->racers[i].wins = race->racers[i].rate / total;
}

/* Second, after any other. */
static void add_second(const struct expect_race *race, double total)
{
	double sum = 0;

	for (size_t i = 0; i < race->count; i++) {
		double p = race->racers[i].rate / total;

		sum += p / (1 - p);
	}
	for (size_t i = 0; i < race->count; i++) {
		double p = race->racers[i].rate / total;

		race->racers[i].wins += p * (sum - p / (1 - p));
	}
}

/* How likely two come first, one after the other, over what is left then. */
static double pair(const struct expect_race *race, double total, size_t i, size_t j)
{
	double p = race->racers[i].rate / total, q = race->racers[j].rate / total;

	return p * q * (1 / (1 - p) + 1 / (1 - q)) / (1 - p - q);
}

/* Third, after any two others. */
static void add_third(const struct expect_race *race, double total)
{
	double sum = 0;

	for (size_t i = 0; i < race->count; i++) {
		for (size_t j = 0; j < i; j++)
			sum += pair(race, total, i, j);
	}
	for (size_t i = 0; i < race->count; i++) {
		double own = 0;

		for (size_t j = 0; j < race->count; j++)
			own += j == i ? 0 : pair(race, total, i, j);
		race->racers[i].wins += race->racers[i].rate / total * (sum - own);
	}
}

/* A moment of the race. */
struct moment {
	double time;
	double weight;
	double *hit; /* by racer: it has come */
	/* by racer and number, and one more racer: at most so many have come of those
	 * from this one on */
	double *after;
	double *before; /* by number: just so many have come of those before this one */
};

static double come_by(const struct expect_race *race, const struct expect_racer *racer,
		      double time)
{
	const struct expect_member *members = race->members + racer->first;
	double hit = 0;

	if (racer->count == 0)
		return -expm1(-racer->rate * time) * racer->chance;
	for (size_t i = 0; i < racer->count; i++)
		hit += (1 - hit) * members[i].reweight * -expm1(-members[i].rate * time);
	return hit;
}

static void count_after(const struct expect_race *race, struct moment *moment)
{
	size_t places = race->places;
	double *row = moment->after + race->count * places;

	for (size_t m = 0; m < places; m++)
		row[m] = 1;
	for (size_t i = race->count; i-- > 0;) {
		double hit = come_by(race, &race->racers[i], moment->time);
		double *behind = row;

		row -= places;
		moment->hit[i] = hit;
		row[0] = behind[0] * (1 - hit);
		for (size_t m = 1; m < places; m++)
			row[m] = behind[m] * (1 - hit) + behind[m - 1] * hit;
	}
}

static void pass(const struct expect_race *race, struct moment *moment, double hit)
{
	double *before = moment->before;

	for (size_t m = race->places - 1; m > 0; m--)
		before[m] = before[m] * (1 - hit) + before[m - 1] * hit;
	before[0] *= 1 - hit;
}

/* The chance that fewer than `places` others have come. */
static double has_place(const struct expect_race *race, const struct moment *moment,
			size_t racer)
{
	const double *after = moment->after + (racer + 1) * race->places;
	double sum = 0;

	for (size_t m = 0; m < race->places; m++)
		sum += moment->before[m] * after[race->places - 1 - m];
	return sum;
}

/* @return what the members gain. */
static double add_members(const struct expect_race *race,
			  const struct expect_racer *racer, double time, double part)
{
	struct expect_member *members = race->members + racer->first;
	double none = 1, sum = 0;

	for (size_t i = racer->count; i-- > 0;) {
		members[i].after = none;
		none *= 1 + members[i].reweight * expm1(-members[i].rate * time);
	}
	none = 1;
	for (size_t i = 0; i < racer->count; i++) {
		double left = exp(-members[i].rate * time);
		double gain = part * members[i].reweight * members[i].rate * left * none *
			      members[i].after;

		members[i].wins += gain;
		sum += gain;
		none *= 1 + members[i].reweight * expm1(-members[i].rate * time);
	}
	return sum;
}

/* @return was it of any weight? */
static bool add_moment(const struct expect_race *race, struct moment *moment)
{
	bool counts = false;

	count_after(race, moment);
	moment->before[0] = 1;
	for (size_t m = 1; m < race->places; m++)
		moment->before[m] = 0;
	for (size_t i = 0; i < race->count; i++) {
		struct expect_racer *racer = &race->racers[i];
		double part = moment->weight * has_place(race, moment, i);
		double gain;

		if (racer->count > 0)
			gain = add_members(race, racer, moment->time, part);
		else
			gain = part * racer->chance * racer->rate *
			       exp(-racer->rate * moment->time);
		racer->wins += gain;
		counts = counts || gain > NOTHING * racer->wins;
		pass(race, moment, moment->hit[i]);
	}
	return counts;
}

static void integrate(const struct expect_race *race, struct moment *moment, double total)
{
	/* No racer comes much before 1 / total, nor the last place before this scale. */
	double scale = race->places / total;
	double step = 1 / (STEPS_UNIT * (1 + race->places / 64.0));
	double u = asinh(log(TIME_MIN) / PI);
	bool counts;

	do {
		double z = PI * sinh(u);

		moment->time = scale * (z < 700 ? log1p(exp(z)) : z);
		moment->weight = scale * step * PI * cosh(u) / (1 + exp(-z));
		counts = add_moment(race, moment);
		u += step;
	} while (counts || u < 1);
}

strew_status analyze_expect_integrate(const struct expect_race *race)
{
	size_t table = (race->count + 1) * race->places;
	size_t room = table + race->count + race->places;
	double *block = base_alloc(race->allocator, room, sizeof(*block));
	struct moment moment = {.after = block};
	double total;

	if (block == NULL)
		return STREW_ENOMEM;
	moment.hit = block + table;
	moment.before = moment.hit + race->count;
	for (size_t i = 0; i < race->count; i++) {
		race->racers[i].wins = 0;
		for (size_t m = 0; m < race->racers[i].count; m++)
			race->members[race->racers[i].first + m].wins = 0;
	}
	if (count_runners(race, &total) > 0)
		integrate(race, &moment, total);
	base_free(race->allocator, block, room * sizeof(*block));
	return STREW_OK;
}

strew_status analyze_expect_race(const struct expect_race *race)
{
	double total;
	size_t runners = count_runners(race, &total);

	if (!is_plain(race) || (race->places > 3 && race->places < runners) ||
	    (race->places == 3 && race->count > CLOSED_MAX))
		return analyze_expect_integrate(race);
	if (race->places >= runners) {
		win_all(race);
		return STREW_OK;
	}
	win_first(race, total);
	if (race->places > 1)
		add_second(race, total);
	if (race->places > 2)
		add_third(race, total);
	return STREW_OK;
}
