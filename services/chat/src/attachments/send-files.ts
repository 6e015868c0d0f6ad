import { isDeepStrictEqual } from 'node:util';
import { settleRoom } from '@atrium/object-store/objects/quota';
import { type FileParts, type FormFields, invalid } from '@atrium/object-store/uploads/receive-form';
import {
  type ReceivedFile,
  receiveFormFiles,
  recordWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import { MOST_ATTACHMENTS } from '@atrium/proto-events/http/chat-attachments';
import { EMPTY_MESSAGE, type Message, sendMessageFields } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/close-early-response';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { findReadState } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { findSent, insertMessage, type SentRow, storable } from '../messages/message-repository.ts';
import { answerSent, newMessage, persistAndBroadcast, type Sent } from '../messages/send-message.ts';
import { findFileIdentities, insertAttachments } from './attachment-repository.ts';

/** Everything of this service lies below this prefix of the bucket. */
export const KEY_PREFIX = 'chat/';

const PARTS: FileParts = {
  name: 'attachments',
  most: MOST_ATTACHMENTS,
  elsewhere: 'Files of a message come as attachments',
  tooMany: `A message can have at most ${MOST_ATTACHMENTS} files`,
  // The longest text: 10,000 characters of four bytes, and the line breaks that a form makes longer.
  fieldBytes: 64 * 1024,
};

const SENT_WITHOUT_FILES = 'The text of this message was sent without its files. Send them as another message.';

type Fields = z.output<typeof sendMessageFields>;

const REUSED_ID = 'This clientMessageId was used for another message';

/**
 * Sends a message that came as a form with files. The same `clientMessageId` again gives the first answer again, and what was uploaded for
 * it a second time goes. Throws `conflict` where that id came with another text or other files. Whatever fails, refuses all of it.
 */
export async function sendFiles(deps: Deps, caller: Caller, { req, res }: HttpContext): Promise<Message> {
  cutAfterAnswer(req, res);
  const sent = await takeIn(deps, caller, { req, messageId: newId() });
  deps.pictures.wake();
  return answerSent(deps, caller, sent);
}

function takeIn(deps: Deps, caller: Caller, { req, messageId }: { req: HttpContext['req']; messageId: string }) {
  let admitted: Admitted | undefined;
  return receiveFormFiles<Sent>(deps.files, {
    req,
    userId: caller.userId,
    parts: PARTS,
    newKey: () => `${KEY_PREFIX}${messageId}/${newId()}`,
    async validate(fields) {
      // Who writes them behind its files is told later, once all is there.
      if (fields.conversation === undefined) return 'store';
      admitted ??= await admit(deps, caller, parseFields(fields));
      return admitted.earlier ? 'compare' : 'store';
    },
    async record({ fields, files }) {
      const given = parseFields(fields);
      if (files.length === 0 && given.content === '') throw invalid(EMPTY_MESSAGE);
      if (admitted?.earlier) {
        await assertSameMessage(deps.db, admitted.earlier, { given, files });
        return { result: admitted.earlier, objectKeys: [] };
      }
      const insert = () => insertWithFiles(deps, caller, { given, files, messageId });
      const sent = await persistAndBroadcast(deps, { insert });
      return { result: sent, objectKeys: (sent.attachments ?? []).map(({ object_key }) => object_key) };
    },
  });
}

/** `earlier`: the message that this `clientMessageId` has made already. */
type Admitted = { earlier: SentRow | undefined };

/** Before any byte is stored: not for strangers, and not a second time. */
async function admit({ db }: Deps, caller: Caller, given: Fields): Promise<Admitted> {
  if (!(await findReadState(db, given.conversation, caller.userId))) throw notFound('Conversation');
  const { clientMessageId } = given;
  if (clientMessageId === undefined) return { earlier: undefined };
  return { earlier: await findSent(db, { ...given, clientMessageId, sender: caller.userId }) };
}

/** Throws `conflict` where the repeat has a text or files that the message was not sent with: they would be lost without a word. */
async function assertSameMessage(db: Queryable, row: SentRow, { given, files }: Omit<Sending, 'messageId'>) {
  // A deleted message no longer has its text and files, and an edited one has another text.
  if (row.deleted_at !== null) return;
  if (row.edited_at === null && row.content !== storable(given.content)) throw new AppError('conflict', REUSED_ID);
  if (files.length === 0) return;
  const before = await findFileIdentities(db, row);
  if (before.length === 0) throw new AppError('conflict', SENT_WITHOUT_FILES);
  const now = files.map(({ fileName, size, sha256 }) => ({ fileName, size, sha256 }));
  if (!isDeepStrictEqual(before, now)) throw new AppError('conflict', REUSED_ID);
}

function parseFields(given: FormFields): Fields {
  // A form writes line breaks its own way, whatever was typed (HTML, multipart/form-data encoding).
  const content = given.content?.replaceAll('\r\n', '\n');
  return parseInput('body', sendMessageFields, { ...given, ...(content !== undefined && { content }) });
}

/** Ends the transaction for a message that is there already. */
class SentBefore extends Error {
  readonly row: SentRow;
  constructor(row: SentRow) {
    super('this message was sent before');
    this.row = row;
  }
}

const sumSizes = (files: readonly ReceivedFile[]) => files.reduce((sum, { size }) => sum + size, 0);

type Sending = { given: Fields; files: readonly ReceivedFile[]; messageId: string };

async function insertWithFiles(deps: Deps, caller: Caller, { given, files, messageId }: Sending) {
  const { db, files: intake } = deps;
  const { message, event } = newMessage(caller, { ...given, messageId });
  try {
    return await db.transaction(async (tx) => {
      // The conversation's row before any lock of the sender's files: a busy conversation holds up nothing else of theirs.
      const row = await insertMessage(tx, message, event);
      if (!row) throw notFound('Conversation');
      if (row.repeated) {
        await assertSameMessage(tx, row, { given, files });
        throw new SentBefore(row);
      }
      const keys = new Map<ReceivedFile, string>();
      // In one order for everybody, so that nobody waits in a circle.
      for (const file of files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
        keys.set(file, await recordWithinQuota(tx, { quotas: intake.quotas, userId: caller.userId, file }));
      }
      const named = files.map((file) => ({ ...file, objectKey: keys.get(file) ?? file.objectKey }));
      const attachments = await insertAttachments(tx, row, named);
      await settleRoom(tx, intake.quotas, sumSizes(files));
      return { ...row, attachments };
    });
  } catch (error) {
    if (error instanceof SentBefore) return error.row;
    throw error;
  }
}
