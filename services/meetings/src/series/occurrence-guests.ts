import type { OccurrenceChange } from './occurrence-changes.ts';
import type { Occurrence } from './occurrences.ts';

type Invited = Pick<Occurrence, 'id' | 'user_ids'>;

/** Users invited to an occurrence but not to the series; no event about the series reaches them. */
export function listGuests(seriesUserIds: readonly string[], occurrences: readonly Invited[]): OccurrenceChange[] {
  const ofSeries = new Set(seriesUserIds);
  return occurrences.flatMap(({ id, user_ids }) => {
    const userIds = user_ids?.filter((userId) => !ofSeries.has(userId)) ?? [];
    return userIds.length === 0 ? [] : [{ meetingId: id, userIds }];
  });
}

/** Each guest once. */
export function mergeGuests(changes: readonly OccurrenceChange[]): OccurrenceChange[] {
  return [...Map.groupBy(changes, ({ meetingId }) => meetingId)].map(([meetingId, same]) => ({
    meetingId,
    userIds: [...new Set(same.flatMap(({ userIds }) => userIds))],
  }));
}
