import type { EventOf } from '@atrium/proto-events/event';
import type { userDeactivated } from '@atrium/proto-events/events/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteFeeds } from '../calendar-feed/feed-repository.ts';
import type { Deps } from '../deps.ts';
import { recordContentChange } from '../events/append-meeting-events.ts';
import { lockMeetingWithSeries } from '../model/meeting-repository.ts';
import {
  clearPresenter,
  listMeetingIdsByPresenter,
  listOpenMeetingIds,
  listOpenSeriesIds,
} from './departure-repository.ts';
import { type DeactivatedUser, leaveMeeting } from './leave-meeting.ts';
import { leaveSeries } from './leave-series.ts';

const PROPAGATION_TIMEOUT_MS = 2_000;

/**
 * Removes the user from open meetings and agendas, and revokes their calendar feed. Meetings they organize are handed
 * over or canceled. Series come before single meetings, both ordered by id, so that concurrent events lock in the same
 * order.
 */
export const removeDeactivatedUser =
  ({ directory }: Pick<Deps, 'directory'>) =>
  async ({ data: { userId, version }, actorId, occurredAt }: EventOf<typeof userDeactivated>, tx: Queryable) => {
    await directory.whenUser(userId, (user) => user !== undefined && user.version >= version, PROPAGATION_TIMEOUT_MS);
    const user = { userId, actorId, directory };
    for (const id of await listOpenSeriesIds(tx, userId)) await leaveSeries(tx, id, user);
    for (const id of await listOpenMeetingIds(tx, userId)) await leaveMeeting(tx, id, user);
    await removeFromAgendas(tx, user);
    await deleteFeeds(tx, [userId], new Date(occurredAt));
  };

/** Also covers upcoming meetings that the user is not invited to. */
async function removeFromAgendas(
  tx: Queryable,
  { userId, actorId }: Omit<DeactivatedUser, 'directory'>,
): Promise<void> {
  // Locks the meetings, so that a concurrent agenda change cannot name the user again.
  for (const id of await listMeetingIdsByPresenter(tx, userId)) await lockMeetingWithSeries(tx, id);
  for (const ids of await clearPresenter(tx, userId)) {
    const [id] = ids;
    if (id !== undefined) await recordContentChange(tx, id, { changed: ['agendaItems'], actorId, meetingIds: ids });
  }
}
