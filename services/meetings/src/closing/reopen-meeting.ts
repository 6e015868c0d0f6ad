import { meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { databaseTime } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { incrementVersion } from '../events/append-meeting-events.ts';
import { idsOf, lockMeetingWithSeries } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { deleteClosing, findClosing } from './closing-repository.ts';
import { canReopen, isReopenable } from './policy.ts';

/**
 * Reopens a meeting that was closed by mistake, within a day. Notes, summary, and decisions stay, with the tasks that
 * were created from them. The summary is removed from the conversation of the project, and is posted again with the
 * next closing.
 */
export async function reopenMeeting({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    const closing = await findClosing(tx, id);
    if (!closing) throw new AppError('conflict', 'This meeting is not closed');
    if (!canReopen(caller, closing))
      throw new AppError('forbidden', 'Only Admin and the person who closed this meeting can reopen it');
    if (!isReopenable(closing, await databaseTime(tx)))
      throw new AppError('conflict', 'A meeting can be reopened within a day after it was closed');
    await deleteClosing(tx, closing.id);
    const after = await incrementVersion(tx, id, ['closing']);
    await appendEvent(tx, {
      event: meetingReopened,
      data: {
        meetingId: id,
        closingId: closing.id,
        organizerId: row.organizer_id,
        participantIds: idsOf(row.participants),
        project: closing.project_id,
        closedBy: closing.closed_by,
        version: after.version,
      },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
