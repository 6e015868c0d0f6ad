import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { publishContentChanged } from '../closing/publish-content-changed.ts';
import { lockMeetingWithSeries } from '../meetings/meeting-repository.ts';
import type { DepartedUser } from './choose-organizer.ts';
import { clearPresenter, listPresentedIds } from './departure-repository.ts';

/** Covers upcoming meetings to which the user was not invited, too. */
export async function leaveAgendas(tx: Queryable, { userId, actorId }: Omit<DepartedUser, 'directory'>): Promise<void> {
  // Locks the meetings, so that a concurrent agenda change cannot name the user again.
  for (const id of await listPresentedIds(tx, userId)) await lockMeetingWithSeries(tx, id);
  for (const ids of await clearPresenter(tx, userId)) {
    const [id] = ids;
    if (id !== undefined) await publishContentChanged(tx, id, { changed: ['agendaItems'], actorId, of: ids });
  }
}
