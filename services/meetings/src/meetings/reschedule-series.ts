import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteMeetings, idsOf } from '../model/meeting-repository.ts';
import type { Occurrence, SeriesRsvps } from '../model/occurrence-repository.ts';
import { resetRsvps, syncParticipantTimes } from '../model/participant-repository.ts';
import {
  getRule,
  moveOccurrences,
  type SeriesRow,
  toRuleColumns,
  updateSeriesRow,
} from '../model/series-repository.ts';
import { toWallClock } from '../recurrence/local-time.ts';
import { findStarts, getPosition, hasSameCadence, type Pattern } from '../recurrence/recurrence.ts';
import { getBatchSize, getFillHorizon, insertOccurrences, toFillState } from './fill-series.ts';

type RescheduleParams = {
  /** A start by the current rule. `to` replaces it; positions in the two rules are counted from `from` and `to`. */
  from: Date;
  to: Date;
  affectedOccurrences: readonly Occurrence[];
  pattern: Pattern;
  durationMs: number;
  /**
   * True if time of day, day, or duration changes: every occurrence follows the rule, including individually moved
   * ones. Otherwise an individually moved occurrence stays unless its start by the rule changes.
   */
  timeChanged: boolean;
  rsvpReset: boolean;
  rsvps: SeriesRsvps;
};

/**
 * Applies a new rule. Occurrences keep their identity (notes, links) if the new rule has their position, and canceled
 * positions stay canceled; others are added or removed. Returns the ids of the remaining meetings.
 */
export async function rescheduleSeries(tx: Queryable, series: SeriesRow, plan: RescheduleParams): Promise<string[]> {
  const { pattern, durationMs } = plan;
  const max = getBatchSize(series.participant_ids.length);
  // A series with an end was filled up to that end, which says nothing about how far to fill it without one.
  const isOpenEnded = pattern.lastDay === null && series.last_day === null;
  const until = maxDate(getFillHorizon(pattern), isOpenEnded ? series.filled_until : null);
  const batch = findStarts(pattern, { until, max });
  const laterStarts = findLaterStarts(series, plan, batch);
  const matches = matchPositions(series, plan, { starts: batch.starts, laterStarts });
  await deleteMeetings(tx, idsOf(matches.removed));
  const updatedSeries = await updateSeriesRow(tx, series, {
    ...toRuleColumns(pattern),
    first_start: pattern.first,
    timezone: pattern.timezone,
    last_day: pattern.lastDay,
    duration_ms: durationMs,
    excluded: matches.excluded,
    ...toFillState(batch, { until, max }),
  });
  const remainingIds = idsOf(matches.remaining);
  const movedOccurrences = plan.timeChanged
    ? matches.remaining
    : matches.remaining.filter(({ start, oldStart }) => start.getTime() !== oldStart.getTime());
  await moveOccurrences(tx, movedOccurrences, { durationMs, timezone: pattern.timezone });
  await syncParticipantTimes(tx, idsOf(movedOccurrences), plan);
  if (plan.rsvpReset && !plan.timeChanged) await resetRsvps(tx, remainingIds);
  await insertOccurrences(tx, updatedSeries, { starts: matches.added, rsvps: plan.rsvps });
  return remainingIds;
}

const maxDate = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a);

/** Limits the search for the positions of existing occurrences to 54 years of a daily rule. */
const MAX_LATER_STARTS = 20_000;
/** How far an occurrence may move relative to the series and keep its position. */
const MONTH_MS = 32 * 86_400_000;

function findLaterStarts(
  { excluded }: SeriesRow,
  { from, to, affectedOccurrences, pattern }: RescheduleParams,
  batch: { starts: readonly Date[]; complete: boolean },
): Date[] {
  const after = batch.starts.at(-1);
  if (batch.complete || !after) return [];
  const last = [...affectedOccurrences.slice(-1).map(({ original_start }) => original_start), ...excluded].reduce(
    maxDate,
    after,
  );
  const until = new Date(last.getTime() + to.getTime() - from.getTime() + MONTH_MS);
  return until > after ? findStarts(pattern, { after, until, max: MAX_LATER_STARTS }).starts : [];
}

/** Matches existing occurrences to the new starts by position. Unmatched starts are added, except `laterStarts`. */
function matchPositions(
  series: SeriesRow,
  plan: RescheduleParams,
  { starts, laterStarts }: { starts: readonly Date[]; laterStarts: readonly Date[] },
) {
  const { getOldPosition, getNewPosition } = countPositions(series, plan);
  const unmatchedOccurrences = new Map(
    plan.affectedOccurrences.map((occurrence) => [getOldPosition(occurrence.original_start), occurrence]),
  );
  const canceledPositions = new Set(series.excluded.map(getOldPosition));
  const remaining: { id: string; oldStart: Date; start: Date }[] = [];
  const excluded: Date[] = [];
  const freeStarts: Date[] = [];
  for (const start of [...starts, ...laterStarts]) {
    const position = getNewPosition(start);
    const occurrence = unmatchedOccurrences.get(position);
    if (occurrence) remaining.push({ id: occurrence.id, oldStart: occurrence.original_start, start });
    else (canceledPositions.has(position) ? excluded : freeStarts).push(start);
    unmatchedOccurrences.delete(position);
  }
  const removed = [...unmatchedOccurrences.values()];
  const lastStart = starts.at(-1);
  const added = freeStarts.filter((start) => lastStart && start <= lastStart);
  // A series has at least one meeting.
  return remaining.length + added.length > 0
    ? { remaining, added, excluded, removed }
    : { remaining, added: excluded, excluded: [], removed };
}

/**
 * Counts positions by day unless both rules have equally many starts per period. A moved series maps `from` and `to` to
 * the same position; without a new time, each week or month keeps its own.
 */
function countPositions(series: SeriesRow, { from, to, pattern, timeChanged }: RescheduleParams) {
  const rule = getRule(series);
  const frequencyOverride = hasSameCadence(rule, pattern) ? {} : { frequency: 'daily' as const };
  const oldPattern = { ...rule, ...frequencyOverride, first: from, timezone: series.timezone };
  const newPattern = { ...pattern, ...frequencyOverride, first: to };
  const shift = timeChanged ? getPosition(oldPattern, from) - getPosition(newPattern, to) : 0;
  return {
    getOldPosition: (start: Date) => getPosition(oldPattern, start),
    getNewPosition: (start: Date) => getPosition(newPattern, start) + shift,
  };
}

type IntendedTime = { start: Date; end: Date; timezone: string };

/**
 * A rule uses the first of two repeated local times (RFC 5545, section 3.3.5). If the edited meeting is meant for the
 * second, it is stored as individually moved. Returns whether that was necessary.
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
