import type { RequestOf, ResultOf } from '@atrium/proto-events/endpoint';
import { type writeNotes as contract, MAX_MERGED_LENGTH } from '@atrium/proto-events/http/meetings/notes';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { countChars } from '@atrium/proto-events/text-length';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { recordContentChange } from '../events/append-meeting-events.ts';
import { findMeeting, lockMeetingWithoutSeries } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { canWriteNotes } from './policy.ts';

type WriteNotesResult = ResultOf<typeof contract>;

/** Merges concurrent edits, so that neither a retry nor a late request loses text. */
export async function writeNotes(
  { db }: Deps,
  caller: Caller,
  { id, body, key }: { id: string; body: RequestOf<typeof contract>['body']; key: IdempotencyKey | undefined },
): Promise<WriteNotesResult> {
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    await lockMeetingWithoutSeries(tx, id);
    const row = assertVisible(caller, await findMeeting(tx, id));
    if (!canWriteNotes(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can add notes');
    const { text, conflicts } = mergeNotes(row.notes, body);
    if (text === row.notes) return { meeting: id, notes: text, both: conflicts, version: row.version };
    await tx.query('update meetings set notes = $2 where id = $1', [id, text]);
    const version = await recordContentChange(tx, id, { changed: ['notes'], actorId: caller.userId });
    return { meeting: id, notes: text, both: conflicts, version };
  });
}

export const TOO_LONG = 'The notes have grown too long. Please shorten them first.';

export function mergeNotes(currentNotes: string, { base, text }: { base: string; text: string }) {
  const mergedNotes = mergeParagraphs({ base, theirs: currentNotes, yours: text });
  if (countChars(mergedNotes.text) > MAX_MERGED_LENGTH) throw new AppError('conflict', TOO_LONG);
  return mergedNotes;
}
