/* SPDX-License-Identifier: MIT */
#include "analyze_compare_priv.h"

#include <stdio.h>
#include <string.h>

#include "base_error.h"

#define CHURN_MAX  10000
#define EVENTS_MAX 1000
#define NAME_ROOM  32
/* All states' lists are there at once. */
#define MEMBERS_MAX 10000000

/* A generator of the same numbers each time. */
static uint64_t churn_number(size_t step)
{
	return strew_study_mix(0x9e3779b97f4a7c15u * (step + 1));
}

static uint32_t find_name(const struct compare *compare, const char *name)
{
	for (size_t i = 0; i < compare->node_count; i++) {
		if (strcmp(compare->names[i], name) == 0)
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

static size_t find_member(const struct compare_state *state, uint32_t node)
{
	size_t i = 0;

	while (i < state->count && state->members[i] != node)
		i++;
	return i;
}

static size_t steps_of(const strew_compare_event *event)
{
	return event->kind == STREW_COMPARE_CHURN ? event->weight : 1;
}

static strew_status count_steps(struct compare *compare, strew_error *error)
{
	const strew_compare_options *options = &compare->options;

	if (options->event_count > EVENTS_MAX)
		return base_error_set(error, STREW_ERANGE, "at most %d events are told",
				      EVENTS_MAX);
	for (size_t i = 0; i < options->event_count; i++) {
		size_t steps = steps_of(&options->events[i]);

		if (steps < 1 || steps > CHURN_MAX)
			return base_error_set(error, STREW_ERANGE,
					      "a churn is of 1 to %d nodes", CHURN_MAX);
		compare->step_count += steps;
	}
	if (compare->step_count > CHURN_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "all events together are at most %d steps",
				      CHURN_MAX);
	return STREW_OK;
}

static strew_status copy_state(struct compare *compare, struct compare_state *to,
			       const struct compare_state *from, strew_error *error)
{
	size_t room = from->count + 1;

	*to = *from;
	compare->member_count += room;
	if (compare->member_count > MEMBERS_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "%zu steps of events are too many for %zu nodes",
				      compare->step_count, from->count);
	to->members = base_arena_alloc(&compare->arena, room, sizeof(*to->members));
	to->nodes = base_arena_alloc(&compare->arena, room, sizeof(*to->nodes));
	if (to->members == NULL || to->nodes == NULL)
		return base_error_nomem(error);
	memcpy(to->members, from->members, from->count * sizeof(*to->members));
	memcpy(to->nodes, from->nodes, from->count * sizeof(*to->nodes));
	return STREW_OK;
}

static void sum_up(struct compare_state *state)
{
	state->weight = 0;
	state->live = 0;
	for (size_t i = 0; i < state->count; i++) {
		state->weight += state->nodes[i].weight;
		state->live += state->nodes[i].weight > 0;
	}
}

/* There is room for one more; a name that had gone comes back as the same node. */
static void add_node(struct compare *compare, struct compare_state *state,
		     const char *name, uint32_t weight)
{
	uint32_t node = find_name(compare, name);

	if (node == UINT32_MAX) {
		node = (uint32_t)compare->node_count++;
		compare->names[node] = name;
	}
	state->members[state->count] = node;
	state->nodes[state->count++] = (strew_study_node){compare->names[node], weight};
}

static void remove_member(struct compare_state *state, size_t member)
{
	state->count--;
	for (size_t i = member; i < state->count; i++) {
		state->members[i] = state->members[i + 1];
		state->nodes[i] = state->nodes[i + 1];
	}
}

/* One leaves, if the number is even and another stays, else one joins. */
static strew_status churn(struct compare *compare, struct compare_state *state,
			  struct compare_step *step, size_t index, strew_error *error)
{
	uint64_t number = churn_number(index);
	char *name;

	if (number % 2 == 0 && state->count > 1) {
		size_t member = (size_t)(number / 2 % state->count);

		step->node = state->members[member];
		step->takes_from_it = true;
		remove_member(state, member);
		return STREW_OK;
	}
	name = base_arena_alloc(&compare->arena, NAME_ROOM, 1);
	if (name == NULL)
		return base_error_nomem(error);
	do
		snprintf(name, NAME_ROOM, "joined-%zu", ++index);
	while (find_name(compare, name) != UINT32_MAX);
	step->node = (uint32_t)compare->node_count;
	add_node(compare, state, name, 0x10000);
	return STREW_OK;
}

static strew_status refuse_node(const char *name, const char *what, strew_error *error)
{
	return base_error_set(error, STREW_ENOTFOUND, "%s %.96s", what, name);
}

bool analyze_compare_takes_all(const strew_compare_event *event)
{
	return event->kind == STREW_COMPARE_FAIL || event->kind == STREW_COMPARE_DRAIN ||
	       (event->kind == STREW_COMPARE_REWEIGHT && event->weight == 0);
}

static strew_status change_member(struct compare_state *state, struct compare_step *step,
				  const strew_compare_event *event, uint32_t node,
				  strew_error *error)
{
	size_t member = find_member(state, node);

	if (node == UINT32_MAX || member == state->count)
		return refuse_node(event->node, "there is no node (or none any more)",
				   error);
	step->node = node;
	step->takes_from_it = analyze_compare_takes_all(event);
	if (event->kind == STREW_COMPARE_FAIL)
		remove_member(state, member);
	else
		state->nodes[member].weight =
			event->kind == STREW_COMPARE_DRAIN ? 0 : event->weight;
	return STREW_OK;
}

static strew_status apply(struct compare *compare, struct compare_state *state,
			  struct compare_step *step, size_t index, strew_error *error)
{
	const strew_compare_event *event = &compare->options.events[step->event];
	uint32_t node;

	if (event->kind == STREW_COMPARE_CHURN)
		return churn(compare, state, step, index, error);
	node = find_name(compare, event->node);
	if (event->kind != STREW_COMPARE_ADD)
		return change_member(state, step, event, node, error);
	if (node != UINT32_MAX && find_member(state, node) < state->count)
		return base_error_set(error, STREW_EINVAL,
				      "there is a node %.96s already", event->node);
	step->node = node == UINT32_MAX ? (uint32_t)compare->node_count : node;
	add_node(compare, state, event->node, event->weight);
	return STREW_OK;
}

static strew_status start(struct compare *compare, struct compare_state *state,
			  strew_error *error)
{
	const strew_compare_options *options = &compare->options;

	state->members = base_arena_alloc(&compare->arena, options->node_count,
					  sizeof(*state->members));
	state->nodes = base_arena_copy(&compare->arena, options->nodes,
				       options->node_count, sizeof(*state->nodes));
	if (state->members == NULL || state->nodes == NULL)
		return base_error_nomem(error);
	state->count = options->node_count;
	for (size_t i = 0; i < options->node_count; i++) {
		state->members[i] = (uint32_t)i;
		compare->names[i] = options->nodes[i].name;
	}
	compare->node_count = options->node_count;
	sum_up(state);
	return STREW_OK;
}

static strew_status make_room(struct compare *compare, strew_error *error)
{
	size_t steps = compare->step_count;
	struct base_arena *arena = &compare->arena;

	compare->states = base_arena_alloc(arena, steps + 1, sizeof(*compare->states));
	compare->steps = base_arena_alloc(arena, steps, sizeof(*compare->steps));
	compare->names = base_arena_alloc(arena, compare->options.node_count + steps,
					  sizeof(*compare->names));
	if (!compare->states || !compare->steps || !compare->names)
		return base_error_nomem(error);
	return STREW_OK;
}

static strew_status take_step(struct compare *compare, size_t index, strew_error *error)
{
	struct compare_state *state = &compare->states[index + 1];
	strew_status status = copy_state(compare, state, &compare->states[index], error);

	if (status == STREW_OK)
		status = apply(compare, state, &compare->steps[index], index, error);
	sum_up(state);
	if (status == STREW_OK && state->live == 0)
		return base_error_set(error, STREW_EINVAL,
				      "no node with weight would be left");
	return status;
}

strew_status analyze_compare_states(struct compare *compare, strew_error *error)
{
	const strew_compare_options *options = &compare->options;
	strew_status status = count_steps(compare, error);
	size_t step = 0;

	if (status == STREW_OK)
		status = make_room(compare, error);
	if (status == STREW_OK)
		status = start(compare, &compare->states[0], error);
	if (status == STREW_OK && compare->states[0].live == 0)
		return base_error_set(error, STREW_EINVAL, "no node has weight");
	for (size_t i = 0; i < options->event_count && status == STREW_OK; i++) {
		size_t end = step + steps_of(&options->events[i]);

		for (; step < end && status == STREW_OK; step++) {
			compare->steps[step].event = i;
			status = take_step(compare, step, error);
		}
	}
	return status;
}

double analyze_compare_share(const struct compare_state *state, size_t member,
			     bool weighted)
{
	uint32_t weight = state->nodes[member].weight;

	if (weight == 0)
		return 0;
	return weighted ? weight / state->weight : 1.0 / (double)state->live;
}
