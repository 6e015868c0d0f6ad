import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import type { writeNotes as contract } from '@atrium/proto-events/http/after-meeting/notes';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { canWriteNotes, NOTES_DENIED } from '../closing/policy.ts';
import { publishContentChanged } from '../closing/publish-content-changed.ts';
import type { Deps } from '../deps.ts';
import { assertVisible } from '../meetings/assert-visible.ts';
import { findMeeting, lockMeetingOnly } from '../meetings/meeting-repository.ts';
import { mergeNotes } from './merge-notes.ts';

type Written = ResultOf<typeof contract>;

/** Merges concurrent edits: neither a retry nor a late request loses text. */
export async function writeNotes(
  { db }: Deps,
  caller: Caller,
  { id, body, key }: { id: string; body: RequestOf<typeof contract>['body']; key: IdempotencyKey | undefined },
): Promise<Written> {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    // Locks only the meeting, not its series.
    await lockMeetingOnly(tx, id);
    const row = assertVisible(caller, await findMeeting(tx, id));
    if (!canWriteNotes(caller)) throw new AppError('forbidden', NOTES_DENIED);
    const { text, both } = mergeNotes(row.notes, body);
    if (text === row.notes) return { meeting: id, notes: text, both, version: row.version };
    await tx.query('update meetings set notes = $2 where id = $1', [id, text]);
    const version = await publishContentChanged(tx, id, { changed: ['notes'], actorId: caller.userId });
    return { meeting: id, notes: text, both, version };
  });
}
