import { presentDownloadLink } from '@atrium/object-store/objects/download-link';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import { presentThumbnail } from '@atrium/object-store/thumbnails/present-thumbnail';
import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import type { Poll } from '@atrium/proto-events/http/chat/message-parts';
import { type Message, type ReadBy, SYSTEM_SENDER, type Thread } from '@atrium/proto-events/http/chat/messages';
import type { Reaction } from '@atrium/proto-events/http/chat/reactions';
import type { ThreadState } from '@atrium/proto-events/realtime';
import { listMentions } from '@atrium/proto-events/text/mentions';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { messageAbilities } from '../policy.ts';
import type { AttachmentRow, ListedAttachment } from './attachment-repository.ts';
import { conversationOf, type MessageRow, type StoredForward, type Timestamp } from './message-repository.ts';
import type { PollRow } from './poll-repository.ts';
import { presentPoll, presentSender, withOriginal } from './present-parts.ts';
import type { ReactionRow } from './reaction-repository.ts';
import type { ThreadRow } from './thread-repository.ts';

/** Does not parse what PostgreSQL writes into JSON in UTC, because lists contain hundreds of timestamps. */
function toIsoString(timestamp: Timestamp): string {
  if (typeof timestamp !== 'string' || !timestamp.endsWith(JSON_UTC)) return new Date(timestamp).toISOString();
  const milliseconds = timestamp
    .slice(SECONDS_END + 1, -JSON_UTC.length)
    .padEnd(3, '0')
    .slice(0, 3);
  return `${timestamp.slice(0, SECONDS_END)}.${milliseconds}Z`;
}

const JSON_UTC = '+00:00';
const SECONDS_END = 'YYYY-MM-DDTHH:MM:SS'.length;

type NameSource = Pick<Directory, 'summary' | 'groupName'>;

export function presentMentions(directory: NameSource, content: string): Message['mentions'] {
  const { users, groups, ...others } = listMentions(content);
  return {
    ...others,
    users: users.map((id) => directory.summary(id)),
    groups: groups.flatMap(({ type, id }) => {
      const name = directory.groupName(type, id);
      return name === undefined ? [] : [{ type, _id: id, name }];
    }),
  };
}

const presentPin = (directory: Pick<Directory, 'summary'>, { pinned_at, pinned_by }: MessageRow) =>
  pinned_at === null || pinned_by === null ? null : { by: directory.summary(pinned_by), at: toIsoString(pinned_at) };

type Shown = {
  attachments?: Attachment[] | undefined;
  reactions?: Reaction[];
  thread?: Thread | null;
  poll?: Poll | null;
};

/** Presents the link of a reply, or of its copy, to the root of its thread. */
function presentRootLink({ parent_id, conversation_id, thread_id }: MessageRow): Thread | undefined {
  const root = parent_id === null ? thread_id : conversation_id;
  return root === null ? undefined : { root };
}

const typeOf = ({ summary, poll }: MessageRow) => (summary ? 'summary' : poll ? 'poll' : 'text');

/** Without the link to the original, which only some users may see. */
function presentForwarded(directory: NameSource, forwarded: StoredForward | null): Message['forwarded'] {
  if (!forwarded) return null;
  const { sender, content, createdAt } = forwarded;
  return {
    sender: presentSender(directory, sender),
    content,
    mentions: presentMentions(directory, content),
    createdAt,
  };
}

/** Presents a message for broadcasts, which are the same for all participants. */
export function presentMessage(
  directory: NameSource,
  row: MessageRow,
  { attachments = [], reactions = [], thread = null, poll = null }: Shown = {},
): Message {
  const isSystem = row.sender_id === SYSTEM_SENDER._id;
  return {
    _id: row.message_id,
    conversation: conversationOf(row),
    seq: row.seq,
    sender: presentSender(directory, row.sender_id),
    content: row.deleted_at === null ? row.content : '',
    attachments: row.deleted_at === null ? attachments : [],
    reactions,
    thread: presentRootLink(row) ?? thread,
    pinned: presentPin(directory, row),
    tasks: row.tasks,
    mentions: presentMentions(directory, row.deleted_at === null ? row.content : ''),
    type: isSystem ? 'system' : typeOf(row),
    summary: row.summary,
    forwarded: presentForwarded(directory, row.forwarded),
    poll,
    clientMessageId: row.client_message_id,
    createdAt: toIsoString(row.created_at),
    updatedAt: toIsoString(row.updated_at),
    editedAt: row.edited_at === null ? null : toIsoString(row.edited_at),
    deleted: row.deleted_at !== null,
  };
}

const NONE: ReadonlySet<string> = new Set();

type PresenterDeps = { directory: Directory; files: { store: Pick<ObjectStore, 'link'> } };

type CallerContext = {
  caller: Pick<Caller, 'userId' | 'role'>;
  /** Absent in lists from several conversations. */
  readBy?: ReadBy;
  files: readonly AttachmentRow[];
  reactions: readonly ReactionRow[];
  thread?: ThreadRow | undefined;
  isSaved?: boolean;
  votes?: PollRow | undefined;
  /** The conversations of forwarded messages in which the caller is. */
  origins?: ReadonlySet<string>;
};

export function presentMessageFor(
  { directory, files: { store } }: PresenterDeps,
  row: MessageRow,
  { caller, readBy, files, reactions, thread, isSaved = false, votes, origins = NONE }: CallerContext,
): Message {
  const attachments = files.map((file) => presentAttachmentWithLinks(store, file));
  const shown = {
    attachments,
    reactions: reactions.map((reaction) => presentReaction(directory, reaction)),
    thread: thread ? { ...presentSharedThread(directory, thread), ...presentFollowing(thread) } : null,
    poll: row.poll && presentPoll(directory, row.poll, { votes, isPersonal: true }),
  };
  const message = presentMessage(directory, row, shown);
  return {
    ...message,
    forwarded: withOriginal(message.forwarded, row.forwarded, origins),
    saved: isSaved,
    ...(readBy && { readBy }),
    abilities: messageAbilities(caller, row),
  };
}

function presentReaction(
  directory: Pick<Directory, 'summary'>,
  { emoji, count, mine, user_ids }: ReactionRow,
): Reaction {
  return { emoji, count, mine, users: user_ids.map((id) => directory.summary(id)) };
}

/** Omits what is different for each user. */
export const presentSharedThread = (directory: Pick<Directory, 'summary'>, row: ThreadRow): Thread => ({
  lastSeq: row.last_seq,
  replyCount: row.reply_count,
  lastReplyAt: toIsoString(row.updated_at),
  people: row.repliers.map((id) => directory.summary(id)),
});

/** A thread whose replies are all deleted has nothing to read, and is not listed. */
const presentFollowing = ({ last_seq, reply_count, last_read_seq, own_after_read, read_revision }: ThreadRow) => ({
  followed: last_read_seq !== null,
  unreadCount: last_read_seq === null || reply_count === 0 ? 0 : last_seq - last_read_seq - (own_after_read ?? 0),
  readRevision: read_revision ?? 0,
});

export const presentThreadState = (conversation: string, row: ThreadRow): ThreadState => ({
  conversation,
  root: row.thread_id,
  lastSeq: row.last_seq,
  lastReadSeq: row.last_read_seq ?? row.last_seq,
  ...presentFollowing(row),
});

/** Omits what is different for each user. */
export const presentSharedReactions = (directory: Pick<Directory, 'summary'>, rows: readonly ReactionRow[]) =>
  rows.map((row): Reaction => {
    const { mine: _mine, ...reaction } = presentReaction(directory, row);
    return reaction;
  });

/** Omits links, which would expire before they are used. */
export function presentAttachment(row: AttachmentRow): Attachment {
  return {
    _id: row.attachment_id,
    name: row.name,
    size: row.size,
    mimetype: row.mimetype,
    ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
    ...(row.file_lost && { fileLost: true as const }),
  };
}

function presentAttachmentWithLinks(store: Pick<ObjectStore, 'link'>, row: AttachmentRow): Attachment {
  return {
    ...presentAttachment(row),
    ...presentDownloadLink(store, row.name, { ...row, file_lost: row.file_lost ?? false }),
    ...presentThumbnail(store, row),
  };
}

export function presentListedAttachment(
  { store, directory }: { store: Pick<ObjectStore, 'link'>; directory: Directory },
  row: ListedAttachment,
): ConversationAttachment {
  return {
    ...presentAttachmentWithLinks(store, row),
    conversation: row.conversation_id,
    message: row.message_id,
    thread: row.thread_id,
    seq: row.seq,
    uploadedBy: directory.summary(row.uploader_id),
    createdAt: toIsoString(row.created_at),
  };
}
