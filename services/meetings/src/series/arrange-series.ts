import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { askAgain, followTimes, removeMeetings } from '../meetings/meeting-repository.ts';
import { batchFor, filled, insertOccurrences, reachOf } from './fill-series.ts';
import type { Occurrence } from './occurrences.ts';
import { type Pattern, slotOf, startsOf } from './recurrence.ts';
import type { SeriesAnswers } from './series-answers.ts';
import { changeSeries, placeOccurrences, type SeriesRow } from './series-repository.ts';

type Arrangement = {
  /** The start from which the series is arranged anew, as the rule had it. */
  pivot: Date;
  members: readonly Occurrence[];
  pattern: Pattern;
  durationMs: number;
  /** The time of day, day or length changes: every occurrence goes where the rule has it, also one that was moved alone. */
  timed: boolean;
  /** Everybody is asked again. */
  again: boolean;
  /** With what dates that are added are answered. */
  answers: SeriesAnswers;
};

/**
 * Gives a series another rule from `pivot` on. An occurrence stays the same meeting (its notes, its link in people's hands) where the
 * new rule has a turn for it; turns cancelled alone stay cancelled; the rest is made or removed. Answers the meetings that stay.
 */
export async function arrangeSeries(tx: Queryable, series: SeriesRow, plan: Arrangement): Promise<string[]> {
  const { pattern, members, durationMs } = plan;
  const max = Math.max(batchFor(series.participant_ids.length), members.length + 1);
  // What had an end was filled to it, which says nothing of how far one without reaches.
  const wasOpen = pattern.lastDay === null && series.last_day === null;
  const until = later(reachOf(pattern), wasOpen ? series.filled_until : null);
  const found = startsOf(pattern, { until, max });
  const turns = matchTurns(series, plan, found.starts);
  await removeMeetings(
    tx,
    turns.removed.map(({ id }) => id),
  );
  const next = await changeSeries(tx, series, {
    frequency: pattern.frequency,
    first_start: pattern.first,
    timezone: pattern.timezone,
    last_day: pattern.lastDay,
    duration_ms: durationMs,
    excluded: turns.excluded,
    ...filled(found, { until, max }),
  });
  const kept = turns.kept.map(({ id }) => id);
  if (plan.timed) {
    await placeOccurrences(tx, turns.kept, { durationMs, timezone: pattern.timezone });
    await followTimes(tx, kept, plan);
  } else if (plan.again) await askAgain(tx, kept);
  await insertOccurrences(tx, next, { starts: turns.added, answers: plan.answers });
  return kept;
}

const later = (one: Date, other: Date | null) => (other !== null && other > one ? other : one);

/** Pairs what is there with the new rule's starts by their turn, counted from where each rule begins. */
function matchTurns(series: SeriesRow, { pivot, members, pattern }: Arrangement, starts: readonly Date[]) {
  const same = series.frequency === pattern.frequency;
  // Between two rhythms only the day says which is which.
  const frequency = same ? series.frequency : 'daily';
  const before = (start: Date) => slotOf({ frequency, first: pivot, timezone: series.timezone }, start);
  const left = new Map(members.map((member) => [before(member.original_start), member]));
  const cancelled = new Set(same ? series.excluded.map(before) : []);
  const kept: { id: string; start: Date }[] = [];
  const added: Date[] = [];
  const excluded: Date[] = [];
  for (const start of starts) {
    const turn = slotOf({ ...pattern, frequency }, start);
    const member = left.get(turn);
    if (member) kept.push({ id: member.id, start });
    else (cancelled.has(turn) ? excluded : added).push(start);
    left.delete(turn);
  }
  return { kept, added, excluded, removed: [...left.values()] };
}
