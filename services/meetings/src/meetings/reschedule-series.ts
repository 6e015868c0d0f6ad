import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteMeetings, idsOf } from '../model/meeting-repository.ts';
import type { Occurrence, SeriesRsvps } from '../model/occurrence-repository.ts';
import { resetRsvps, syncParticipantTimes } from '../model/participant-repository.ts';
import { columnsOfRule, moveOccurrences, ruleOf, type SeriesRow, updateSeriesRow } from '../model/series-repository.ts';
import { toWallClock } from '../recurrence/local-time.ts';
import { hasSameCadence, type Pattern, positionOf, startsOf } from '../recurrence/recurrence.ts';
import { batchSize, fillHorizon, fillState, insertOccurrences } from './fill-series.ts';

type RescheduleParams = {
  /** A start by the current rule and the one that replaces it. Positions in both rules are counted from them. */
  from: Date;
  to: Date;
  members: readonly Occurrence[];
  pattern: Pattern;
  durationMs: number;
  /**
   * True if time of day, day, or duration changes: every occurrence follows the rule, also individually moved ones. Otherwise an
   * individually moved occurrence stays unless its start by the rule changes.
   */
  timeChanged: boolean;
  rsvpReset: boolean;
  rsvps: SeriesRsvps;
};

/**
 * Applies a new rule. Occurrences keep their identity (notes, links) if the new rule has their position, and cancelled positions stay
 * cancelled; others are added or removed. Returns the remaining meetings.
 */
export async function rescheduleSeries(tx: Queryable, series: SeriesRow, plan: RescheduleParams): Promise<string[]> {
  const { pattern, durationMs } = plan;
  const max = batchSize(series.participant_ids.length);
  // A series with an end was filled up to it, which says nothing about one without.
  const isOpenEnded = pattern.lastDay === null && series.last_day === null;
  const until = later(fillHorizon(pattern), isOpenEnded ? series.filled_until : null);
  const found = startsOf(pattern, { until, max });
  const matched = matchPositions(series, plan, { starts: found.starts, later: laterStarts(series, plan, found) });
  await deleteMeetings(tx, idsOf(matched.removed));
  const next = await updateSeriesRow(tx, series, {
    ...columnsOfRule(pattern),
    first_start: pattern.first,
    timezone: pattern.timezone,
    last_day: pattern.lastDay,
    duration_ms: durationMs,
    excluded: matched.excluded,
    ...fillState(found, { until, max }),
  });
  const remaining = idsOf(matched.remaining);
  const moved = plan.timeChanged
    ? matched.remaining
    : matched.remaining.filter(({ start, oldPosition: before }) => start.getTime() !== before.getTime());
  await moveOccurrences(tx, moved, { durationMs, timezone: pattern.timezone });
  await syncParticipantTimes(tx, idsOf(moved), plan);
  if (plan.rsvpReset && !plan.timeChanged) await resetRsvps(tx, remaining);
  await insertOccurrences(tx, next, { starts: matched.added, rsvps: plan.rsvps });
  return remaining;
}

const later = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a);

/** Bounds the search for the positions of existing occurrences: 54 years of a daily rule. */
const MAX_LATER_STARTS = 20_000;
/** An occurrence may move by up to a month relative to the series and keep its position. */
const MONTH_MS = 32 * 86_400_000;

function laterStarts(
  { excluded }: SeriesRow,
  { from, to, members, pattern }: RescheduleParams,
  found: { starts: readonly Date[]; complete: boolean },
): Date[] {
  const after = found.starts.at(-1);
  if (found.complete || !after) return [];
  const last = [...members.slice(-1).map(({ original_start }) => original_start), ...excluded].reduce(later, after);
  const until = new Date(last.getTime() + to.getTime() - from.getTime() + MONTH_MS);
  return until > after ? startsOf(pattern, { after, until, max: MAX_LATER_STARTS }).starts : [];
}

/** Matches existing occurrences to the new starts by position. Unmatched starts are added, unless they are `later` ones. */
function matchPositions(
  series: SeriesRow,
  plan: RescheduleParams,
  { starts, later: laterOnes }: { starts: readonly Date[]; later: readonly Date[] },
) {
  const { before, after } = countPositions(series, plan);
  const unmatched = new Map(plan.members.map((member) => [before(member.original_start), member]));
  const cancelled = new Set(series.excluded.map(before));
  const remaining: { id: string; oldPosition: Date; start: Date }[] = [];
  const excluded: Date[] = [];
  const unoccupied: Date[] = [];
  for (const start of [...starts, ...laterOnes]) {
    const position = after(start);
    const member = unmatched.get(position);
    if (member) remaining.push({ id: member.id, oldPosition: member.original_start, start });
    else (cancelled.has(position) ? excluded : unoccupied).push(start);
    unmatched.delete(position);
  }
  const removed = [...unmatched.values()];
  const lastAdded = starts.at(-1);
  const added = unoccupied.filter((start) => lastAdded && start <= lastAdded);
  // A series has at least one meeting.
  return remaining.length + added.length > 0
    ? { remaining, added, excluded, removed }
    : { remaining, added: excluded, excluded: [], removed };
}

/**
 * Counts positions by day unless both rules have equally many starts per period. A moved series maps `from` and `to` to the same position;
 * without a new time, each week or month keeps its own.
 */
function countPositions(series: SeriesRow, { from, to, pattern, timeChanged }: RescheduleParams) {
  const rule = ruleOf(series);
  const daily = hasSameCadence(rule, pattern) ? {} : { frequency: 'daily' as const };
  const oldPosition = (start: Date) => positionOf({ ...rule, ...daily, first: from, timezone: series.timezone }, start);
  const after = (start: Date) => positionOf({ ...pattern, ...daily, first: to }, start);
  const shift = timeChanged ? oldPosition(from) - after(to) : 0;
  return { before: oldPosition, after: (start: Date) => after(start) + shift };
}

type IntendedTime = { start: Date; end: Date; timezone: string };

/**
 * A rule means the first of two repeated local times (RFC 5545, section 3.3.5). If the edited meeting is meant for the second, it is stored
 * as individually moved. Returns whether that was necessary.
 */
export async function pinAmbiguousTime(
  tx: Queryable,
  id: string,
  { start, end, timezone }: IntendedTime,
): Promise<boolean> {
  const byRule = toWallClock(start, timezone);
  if (byRule.getTime() === start.getTime()) return false;
  const { rowCount } = await tx.query(
    'update meetings set starts_at = $2, ends_at = $3 where id = $1 and starts_at = $4',
    [id, start, end, byRule],
  );
  if (rowCount === 0) return false;
  await syncParticipantTimes(tx, [id]);
  return true;
}
