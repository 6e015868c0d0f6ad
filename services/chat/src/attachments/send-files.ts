import { settleRoom } from '@atrium/object-store/objects/quota';
import { readToEnd } from '@atrium/object-store/receiving/read-to-end';
import { type FileParts, type FormFields, invalid } from '@atrium/object-store/receiving/receive-form';
import { FORM_BYTES, recordWithRoom, type TakenFile, takeInFiles } from '@atrium/object-store/receiving/take-in-files';
import { MOST_ATTACHMENTS } from '@atrium/proto-events/http/chat-attachments';
import { EMPTY_MESSAGE, type Message, sendMessageFields } from '@atrium/proto-events/http/chat-messages';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/cut-after-answer';
import type { Exchange } from '@atrium/service-kit/http/handle';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import { findStanding } from '../conversations/participant-repository.ts';
import type { Deps } from '../deps.ts';
import { findSent, insertMessage, type SentRow } from '../messages/message-repository.ts';
import { answerSent, deliver, newMessage, type Sent } from '../messages/send-message.ts';
import { findAttachmentsOf, insertAttachments } from './attachment-repository.ts';

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

/**
 * Sends a message that came as a form with files. The same `clientMessageId` again gives the first answer again, and what was uploaded for
 * it a second time goes. Whatever fails, refuses all of it.
 */
export async function sendFiles(deps: Deps, caller: Caller, { req, res }: Exchange): Promise<Message> {
  cutAfterAnswer(req, res);
  const messageId = newId();
  try {
    const sent = await takeIn(deps, caller, { req, messageId });
    deps.pictures.wake();
    return await answerSent(deps, caller, sent);
  } catch (error) {
    if (!(error instanceof SentBefore)) throw error;
    // Browsers look for an answer only once they have sent everything, and this one must not be lost.
    await readToEnd(req, deps.files.maxUploadBytes * MOST_ATTACHMENTS + FORM_BYTES);
    return answerSent(deps, caller, error.row);
  }
}

function takeIn(deps: Deps, caller: Caller, { req, messageId }: { req: Exchange['req']; messageId: string }) {
  let admitted = false;
  return takeInFiles<Sent>(deps.files, {
    req,
    userId: caller.userId,
    parts: PARTS,
    newKey: () => `${KEY_PREFIX}${messageId}/${newId()}`,
    async judge(fields) {
      // Who writes them behind its files is told later, once all is there.
      if (admitted || fields.conversation === undefined) return;
      await admit(deps, caller, parseFields(fields));
      admitted = true;
    },
    async record({ fields, files }) {
      const given = parseFields(fields);
      if (files.length === 0 && given.content === '') throw invalid(EMPTY_MESSAGE);
      const insert = () => insertWithFiles(deps, caller, { given, files, messageId });
      const sent = await deliver(deps, { insert });
      return { result: sent, objectKeys: (sent.attachments ?? []).map(({ object_key }) => object_key) };
    },
  });
}

/** Before any byte is stored: not for strangers, and not a second time. */
async function admit({ db }: Deps, caller: Caller, given: Fields): Promise<void> {
  if (!(await findStanding(db, given.conversation, caller.userId))) throw notFound('Conversation');
  if (given.clientMessageId === undefined) return;
  const row = await findSent(db, { ...given, clientMessageId: given.clientMessageId, sender: caller.userId });
  // Where it has no files, these may be the first: that is told once they are known.
  if (row && !(await isWithoutFiles(db, row))) throw new SentBefore(row);
}

/** It was sent so. A deleted one may have had some. */
const isWithoutFiles = async (db: Queryable, row: SentRow) =>
  row.deleted_at === null && (await findAttachmentsOf(db, row)).length === 0;

function parseFields(given: FormFields): Fields {
  // A form writes line breaks its own way, whatever was typed (HTML, multipart/form-data encoding).
  const content = given.content?.replaceAll('\r\n', '\n');
  return parseInput('body', sendMessageFields, { ...given, ...(content !== undefined && { content }) });
}

/** What ends a transaction or an upload for a message that is there already. */
class SentBefore extends Error {
  readonly row: SentRow;
  constructor(row: SentRow) {
    super('this message was sent before');
    this.row = row;
  }
}

const sumSizes = (files: readonly TakenFile[]) => files.reduce((sum, { size }) => sum + size, 0);

type Sending = { given: Fields; files: readonly TakenFile[]; messageId: string };

async function insertWithFiles(deps: Deps, caller: Caller, { given, files, messageId }: Sending) {
  const { db, files: intake } = deps;
  const { message, event } = newMessage(caller, { ...given, messageId });
  try {
    return await db.transaction(async (tx) => {
      // The conversation's row before any lock of the sender's files: a busy conversation holds up nothing else of theirs.
      const row = await insertMessage(tx, message, event);
      if (!row) throw notFound('Conversation');
      if (row.repeated) {
        const areLost = files.length > 0 && (await isWithoutFiles(tx, row));
        throw areLost ? new AppError('conflict', SENT_WITHOUT_FILES) : new SentBefore(row);
      }
      const keys = new Map<TakenFile, string>();
      // In one order for everybody, so that nobody waits in a circle.
      for (const file of files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
        keys.set(file, await recordWithRoom(tx, { quotas: intake.quotas, userId: caller.userId, file }));
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
