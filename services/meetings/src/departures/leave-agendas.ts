import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { publishContentChanged } from '../closing/publish-content-changed.ts';
import { lockMeetingWithSeries } from '../meetings/meeting-repository.ts';
import type { Departure } from './choose-organizer.ts';
import { clearPresenter, listPresentedIds } from './departure-repository.ts';

/** Takes a departed user off the agendas of meetings to come, also of those that they were not invited to. */
export async function leaveAgendas(tx: Queryable, { userId, actorId }: Omit<Departure, 'directory'>): Promise<void> {
  // An agenda that is being changed keeps nobody who departs meanwhile.
  for (const id of await listPresentedIds(tx, userId)) await lockMeetingWithSeries(tx, id);
  for (const ids of await clearPresenter(tx, userId)) {
    const [id] = ids;
    if (id !== undefined) await publishContentChanged(tx, id, { changed: ['agendaItems'], actorId, of: ids });
  }
}
