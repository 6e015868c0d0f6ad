import { isDeepStrictEqual } from 'node:util';
import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { type FormFields, type FormFileField, invalidForm } from '@atrium/object-store/uploads/parse-form';
import {
  type ReceivedFile,
  receiveFormFiles,
  recordObjectWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import { MAX_ATTACHMENTS } from '@atrium/proto-events/http/chat/attachments';
import { EMPTY_MESSAGE } from '@atrium/proto-events/http/chat/message-text';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { sendMessageFields } from '@atrium/proto-events/http/chat/sending';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { closeConnectionAfterEarlyResponse } from '@atrium/service-kit/process/http-server';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { findReadState } from '../model/conversations/participant-repository.ts';
import { copyAttachments, findFileIdentities, insertAttachments } from '../model/messages/attachment-repository.ts';
import { replaceNullCharacters } from '../model/messages/message-repository.ts';
import { resolveSendConflicts, type SentRow } from '../model/messages/sending-repository.ts';
import { findRetried } from './find-retried.ts';
import { newMessage, REUSED_ID, type SentMessage } from './new-message.ts';
import { broadcastSentMessage, explainRejection, insertMessageOrReply, presentSentMessage } from './send-message.ts';
import type { SentReply } from './send-reply.ts';

/** Prefix of every object key of this service. */
export const KEY_PREFIX = 'chat/';

const FILE_FIELD: FormFileField = {
  name: 'attachments',
  maxFiles: MAX_ATTACHMENTS,
  unexpectedMessage: 'Send the files of a message in the field `attachments`',
  tooManyMessage: `A message can have at most ${MAX_ATTACHMENTS} files`,
  // 10,000 characters at four bytes each, plus the line breaks that a form expands.
  maxFieldBytes: 64 * 1024,
};

const SENT_WITHOUT_FILES = 'The text of this message was sent without its files. Send them as another message.';

type Fields = z.output<typeof sendMessageFields>;

/**
 * A retry with the same `clientMessageId` returns the original message. With different text or different files, it
 * throws `conflict`.
 */
export async function sendFiles(deps: Deps, caller: Caller, { req, res }: HttpExchange): Promise<Message> {
  closeConnectionAfterEarlyResponse(req, res);
  const sentMessage = await receiveMessageForm(deps, caller, { req, messageId: newId() });
  deps.thumbnailQueue.wake();
  return presentSentMessage(deps, caller, sentMessage);
}

function receiveMessageForm(
  deps: Deps,
  caller: Caller,
  { req, messageId }: { req: HttpExchange['req']; messageId: string },
) {
  let authorization: Authorization | undefined;
  return receiveFormFiles<SentMessage>(deps.files, {
    req,
    userId: caller.userId,
    fileField: FILE_FIELD,
    newObjectKey: () => `${KEY_PREFIX}${messageId}/${newId()}`,
    async authorize(fields) {
      // If the fields follow the files, `record` validates them.
      if (fields.conversation === undefined) return 'store';
      authorization ??= await authorizeMessage(deps, caller, parseFields(fields));
      return authorization.existing ? 'compare' : 'store';
    },
    async record({ fields, files }) {
      const parsed = parseFields(fields);
      if (files.length === 0 && parsed.content === '') throw invalidForm(EMPTY_MESSAGE);
      if (authorization?.existing) {
        await assertSameMessage(deps.db, authorization.existing, { fields: parsed, files });
        return { result: authorization.existing, objectKeys: [] };
      }
      const sentMessage = await resolveSendConflicts(() =>
        insertWithFiles(deps, caller, { fields: parsed, files, messageId }),
      );
      if (!sentMessage) throw await explainRejection(deps.db, caller, parsed.conversation);
      broadcastSentMessage(deps, sentMessage);
      return { result: sentMessage, objectKeys: (sentMessage.attachments ?? []).map(({ object_key }) => object_key) };
    },
  });
}

type Authorization = { existing: SentRow | undefined };

async function authorizeMessage({ db }: Deps, caller: Caller, fields: Fields): Promise<Authorization> {
  if (!(await findReadState(db, fields.conversation, caller.userId))) throw notFound('Conversation');
  const { conversation, thread, clientMessageId } = fields;
  return { existing: await findRetried(db, caller, { conversation, thread, clientMessageId }) };
}

/** Throws `conflict`, because different text or different files would be lost silently. */
async function assertSameMessage(db: Queryable, row: SentRow, { fields, files }: Omit<NewFileMessage, 'messageId'>) {
  // A deleted message no longer has its text and files, and an edited one has different text.
  if (row.deleted_at !== null) return;
  if (row.edited_at === null && row.content !== replaceNullCharacters(fields.content))
    throw new AppError('conflict', REUSED_ID);
  if (files.length === 0) return;
  const storedFiles = await findFileIdentities(db, row);
  if (storedFiles.length === 0) throw new AppError('conflict', SENT_WITHOUT_FILES);
  const receivedFiles = files.map(({ fileName, size, sha256 }) => ({ fileName, size, sha256 }));
  if (!isDeepStrictEqual(storedFiles, receivedFiles)) throw new AppError('conflict', REUSED_ID);
}

function parseFields(form: FormFields): Fields {
  // Forms normalize line breaks to CRLF (HTML, multipart/form-data encoding).
  const content = form.content?.replaceAll('\r\n', '\n');
  return parseInput('body', sendMessageFields, { ...form, ...(content !== undefined && { content }) });
}

const sumSizes = (files: readonly ReceivedFile[]) => files.reduce((sum, { size }) => sum + size, 0);

type NewFileMessage = { fields: Fields; files: readonly ReceivedFile[]; messageId: string };

async function insertWithFiles(
  { db, files: { quotas } }: Deps,
  caller: Caller,
  { fields, files, messageId }: NewFileMessage,
): Promise<SentReply | undefined> {
  const prepared = newMessage(caller, messageId, { ...fields, removesDraft: true });
  return db.transaction(async (tx) => {
    // Locks the conversation before the sender's files, so that a busy conversation does not block their other uploads.
    const row = await insertMessageOrReply(tx, prepared, fields);
    if (!row) return undefined;
    if (row.is_retry) {
      await assertSameMessage(tx, row, { fields, files });
      return row;
    }
    const objectKeys = new Map<ReceivedFile, string>();
    // Records files in a fixed order to avoid deadlocks.
    for (const file of files.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
      objectKeys.set(file, await recordObjectWithinQuota(tx, { quotas, userId: caller.userId, file }));
    }
    const storedFiles = files.map((file) => ({ ...file, objectKey: objectKeys.get(file) ?? file.objectKey }));
    const attachments = await insertAttachments(tx, row, storedFiles);
    if (row.sent?.copy) await copyAttachments(tx, row, row.sent.copy);
    await enforceWorkspaceQuota(tx, quotas, sumSizes(files));
    return { ...row, attachments };
  });
}
