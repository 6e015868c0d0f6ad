import { words } from '../meetings/meeting-facts.ts';
import type { Occurrence } from './occurrences.ts';
import type { SeriesRow } from './series-repository.ts';

/** The occurrences to which more than the series' people are invited, as events tell of them: those people know of no series. */
export function invitedAlone(series: Pick<SeriesRow, 'participant_ids'>, occurrences: readonly Occurrence[]) {
  const ofSeries = new Set(series.participant_ids);
  return occurrences.flatMap((occurrence) => {
    const { id, original_start, starts_at, ends_at, user_ids } = occurrence;
    const aloneIds = user_ids?.filter((userId) => !ofSeries.has(userId)) ?? [];
    if (!user_ids || aloneIds.length === 0) return [];
    return {
      meetingId: id,
      recurrenceId: original_start.toISOString(),
      startTime: starts_at.toISOString(),
      endTime: ends_at.toISOString(),
      participantIds: user_ids,
      aloneIds,
      ...words(occurrence),
    };
  });
}
