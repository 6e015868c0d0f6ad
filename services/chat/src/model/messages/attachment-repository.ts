import { type ThumbnailRecord, thumbnailColumn } from '@atrium/object-store/thumbnails/thumbnail-records';
import type { ReceivedFile } from '@atrium/object-store/uploads/receive-form-files';
import { MAX_ATTACHMENTS } from '@atrium/proto-events/http/chat/attachments';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { fromMicroseconds, toMicroseconds } from './microseconds.ts';

/** Timestamps are strings if the row was selected as JSON with its conversation. */
export type AttachmentRow = {
  conversation_id: string;
  seq: number;
  position: number;
  attachment_id: string;
  name: string;
  extension: string;
  size: number;
  mimetype: string;
  width: number | null;
  height: number | null;
  object_key: string;
  uploader_id: string;
  created_at: Date | string;
  /** The object is missing in the object store; not selected with a conversation. */
  file_lost?: boolean;
  /** Null if the file is not an image; not selected with a conversation. */
  thumbnail?: ThumbnailRecord | null;
};

/** Avoids `*`, because adding a column would invalidate the prepared statements of running pods. */
const ATTACHMENT_COLUMNS = `a.conversation_id, a.seq, a.position, a.attachment_id, a.name, a.extension, a.size, a.mimetype, a.width, a.height,
  a.object_key, a.uploader_id, a.created_at`;
const COLUMNS = `${ATTACHMENT_COLUMNS}, o.missing_since is not null as file_lost, ${thumbnailColumn('a.object_key')}`;
const FROM = 'from attachments a left join objects o on o.object_key = a.object_key';

/** Selects from attachments `a`. */
export const SELECT_ATTACHMENTS = `select ${COLUMNS} ${FROM}`;

/** Selects the attachments of the last message of conversation `c` as JSON; null if there are none. */
export const LAST_MESSAGE_ATTACHMENTS = `(
  select jsonb_agg(to_jsonb(a) order by a.position) from attachments a
  where a.conversation_id = c.conversation_id and a.seq = c.last_seq
)`;

type MessageKey = { conversation_id: string; seq: number };

export async function findMessageAttachments(
  db: Queryable,
  { conversation_id, seq }: MessageKey,
): Promise<AttachmentRow[]> {
  const { rows } = await db.query<AttachmentRow>({
    name: 'find-message-attachments',
    text: `${SELECT_ATTACHMENTS} where a.conversation_id = $1 and a.seq = $2 order by a.position`,
    values: [conversation_id, seq],
  });
  return rows;
}

/** Finds the files of several messages. */
export async function listMessageAttachments(db: Queryable, messages: readonly MessageKey[]): Promise<AttachmentRow[]> {
  const { rows } = await db.query<AttachmentRow>({
    name: 'list-message-attachments',
    text: `${SELECT_ATTACHMENTS}
      where (a.conversation_id, a.seq) in (select * from unnest($1::text[], $2::bigint[])) order by a.position`,
    values: [messages.map(({ conversation_id }) => conversation_id), messages.map(({ seq }) => seq)],
  });
  return rows;
}

/** Returns the files in the order of the message. */
export async function findFileIdentities(
  db: Queryable,
  { conversation_id, seq }: MessageKey,
): Promise<{ fileName: string; size: number; sha256: string }[]> {
  const { rows } = await db.query<{ fileName: string; size: number; sha256: string }>(
    `select name as "fileName", size, sha256 from attachments where conversation_id = $1 and seq = $2 order by position`,
    [conversation_id, seq],
  );
  return rows;
}

export type ListedAttachment = AttachmentRow & {
  message_id: string;
  /** The root of the thread; null for a message of the conversation. */
  thread_id: string | null;
};

const THREAD = 'case when m.parent_id is not null then m.conversation_id end as thread_id';

/** Returns undefined if the viewer is not a participant of its conversation. */
export async function findReadableAttachment(
  db: Queryable,
  attachmentId: string,
  viewerId: string,
): Promise<ListedAttachment | undefined> {
  const { rows } = await db.query<ListedAttachment>(
    `select ${COLUMNS}, m.message_id, ${THREAD}, coalesce(m.parent_id, m.conversation_id) as conversation_id ${FROM}
     join messages m on m.conversation_id = a.conversation_id and m.seq = a.seq
     join participants p on p.conversation_id = coalesce(m.parent_id, m.conversation_id) and p.user_id = $2
     where a.attachment_id = $1 order by m.parent_id nulls last limit 1`,
    [attachmentId, viewerId],
  );
  return rows[0];
}

/** Scans the index backward. Exported for the query plan test. */
export const LIST_ATTACHMENTS_BEFORE = `select ${COLUMNS}, m.message_id, ${THREAD}, a.listed_in as conversation_id,
    ${toMicroseconds('a.created_at')} as microseconds
  ${FROM} join messages m on m.conversation_id = a.conversation_id and m.seq = a.seq
  where a.listed_in = $1 and (a.created_at, a.position, a.attachment_id) < (${fromMicroseconds('$2')}, $3, $4)
  order by a.created_at desc, a.position desc, a.attachment_id desc limit $5`;

/** Of a file in the list of a conversation, which is ordered by time. */
export type AttachmentPosition = { microseconds: number; position: number; id: string };

const END: AttachmentPosition = { microseconds: Number.MAX_SAFE_INTEGER, position: 0, id: '' };

/** Lists the files of messages and replies, the newest first; within a message, the last file first. */
export async function listAttachmentRows(
  db: Queryable,
  conversationId: string,
  { limit, before = END }: { limit: number; before: AttachmentPosition | undefined },
): Promise<(ListedAttachment & { microseconds: number })[]> {
  const { rows } = await db.query<ListedAttachment & { microseconds: number }>({
    name: 'attachments-before',
    text: LIST_ATTACHMENTS_BEFORE,
    values: [conversationId, before.microseconds, before.position, before.id, limit],
  });
  return rows;
}

export async function countAttachments(db: Queryable, conversationId: string): Promise<number> {
  const { rows } = await db.query<{ total: number }>('select count(*) as total from attachments where listed_in = $1', [
    conversationId,
  ]);
  return rows[0]?.total ?? 0;
}

export async function insertAttachments(
  tx: Queryable,
  message: MessageKey & { sender_id: string },
  files: readonly ReceivedFile[],
): Promise<AttachmentRow[]> {
  const { rows } = await tx.query<AttachmentRow>(
    `insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, width, height,
       sha256, object_key, uploader_id)
     select $1, $2, f.position, f.attachment_id, f.name, f.extension, f.size, f.mimetype, f.width, f.height, f.sha256, f.object_key, $3
     from jsonb_to_recordset($4) as f (position smallint, attachment_id text, name text, extension text, size bigint, mimetype text,
       width integer, height integer, sha256 text, object_key text)
     order by f.position
     returning ${ATTACHMENT_COLUMNS.replaceAll('a.', '')}`,
    [message.conversation_id, message.seq, message.sender_id, JSON.stringify(files.map(toRow))],
  );
  return rows;
}

/** Copies the files of a reply to its copy in the conversation. Both refer to the same objects. */
export async function copyAttachments(tx: Queryable, reply: MessageKey, copy: MessageKey): Promise<void> {
  const columns = `position, attachment_id, name, extension, size, mimetype, width, height, sha256, object_key,
    uploader_id, created_at`;
  await tx.query(
    `insert into attachments (conversation_id, seq, ${columns})
     select $3, $4, ${columns} from attachments where conversation_id = $1 and seq = $2 order by position`,
    [reply.conversation_id, reply.seq, copy.conversation_id, copy.seq],
  );
}

/**
 * Copies the files of a message to one that forwards it. Locks them, so that their objects are not deleted in the meantime,
 * in the same order as a new message with files does.
 */
export async function forwardAttachments(
  tx: Queryable,
  original: MessageKey,
  forward: MessageKey,
): Promise<AttachmentRow[]> {
  const columns = 'name, extension, size, mimetype, width, height, sha256, object_key, uploader_id';
  const { rows } = await tx.query<AttachmentRow>(
    `insert into attachments (conversation_id, seq, position, attachment_id, ${columns})
     select $3, $4, position, ($5::text[])[position + 1], ${columns} from attachments
     where conversation_id = $1 and seq = $2 order by sha256 collate "C", object_key for share
     returning ${ATTACHMENT_COLUMNS.replaceAll('a.', '')}`,
    [
      original.conversation_id,
      original.seq,
      forward.conversation_id,
      forward.seq,
      Array.from({ length: MAX_ATTACHMENTS }, newId),
    ],
  );
  return rows.toSorted((a, b) => a.position - b.position);
}

const toRow = (file: ReceivedFile, position: number) => ({
  position,
  attachment_id: newId(),
  name: file.fileName,
  extension: file.extension,
  size: file.size,
  mimetype: file.mimetype,
  width: file.image?.width ?? null,
  height: file.image?.height ?? null,
  sha256: file.sha256,
  object_key: file.objectKey,
});
