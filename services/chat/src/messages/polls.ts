import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { type createPoll as contract, ONE_OPTION, UNKNOWN_OPTION } from '@atrium/proto-events/http/chat/polls';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import type { FoundMessage, MessageRow, StoredPoll } from '../model/messages/message-repository.ts';
import { markPollClosed, recordVotes, replaceVotes, setPoll } from '../model/messages/poll-repository.ts';
import { insertMessage, resolveSendConflicts } from '../model/messages/sending-repository.ts';
import { CLOSE_DENIED, canDeleteMessage } from '../model/policy.ts';
import { assertCanMention } from './assert-can-mention.ts';
import { appendChanges, findForChange, lockForChange } from './change-message.ts';
import { newMessage, REUSED_ID, type SentMessage } from './new-message.ts';
import { broadcastChanges, presentStoredMessage, presentWithoutReaders } from './present-stored-message.ts';
import { broadcastSentMessage, explainRejection } from './send-message.ts';

const CLOSED = 'This poll is closed';

type CreateParams = NonNullable<RequestOf<typeof contract>['body']>;

export async function createPoll(deps: Deps, caller: Caller, params: CreateParams): Promise<Message> {
  const sent = await resolveSendConflicts(() => deps.db.transaction((tx) => insertPoll(tx, caller, params)));
  if (!sent) throw await explainRejection(deps.db, caller, params.conversation);
  if (sent.is_retry && sent.deleted_at === null && !sent.poll) throw new AppError('conflict', REUSED_ID);
  broadcastSentMessage(deps, sent);
  return presentStoredMessage(deps, caller, sent);
}

/** Returns undefined if the caller is not in the conversation, or cannot write there. */
async function insertPoll(
  tx: Queryable,
  caller: Caller,
  { question, options, multiple, anonymous, ...target }: CreateParams,
): Promise<SentMessage | undefined> {
  const { message, event } = newMessage(caller, newId(), { ...target, content: question });
  await assertCanMention(tx, message);
  const sent = await insertMessage(tx, message, event);
  if (!sent || sent.is_retry) return sent;
  const poll: StoredPoll = {
    question,
    options: options.map((text, index) => ({ id: String(index + 1), text })),
    multiple,
    anonymous,
    closedAt: null,
  };
  await setPoll(tx, sent, poll);
  return { ...sent, poll };
}

type VoteParams = { id: string; options: readonly string[] };

export async function vote(deps: Deps, caller: Caller, { id, options }: VoteParams): Promise<Message> {
  const { userId } = caller;
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const { message, poll } = await lockPoll(tx, await findPoll(tx, id, userId));
    if (poll.closedAt !== null) throw new AppError('conflict', CLOSED);
    const isChanged = await replaceVotes(tx, message, { userId, options: toChoice(poll, options) });
    const rows = isChanged ? await recordVotes(tx, message) : [];
    // The event of an anonymous poll does not name the voter.
    const actorId = poll.anonymous ? null : userId;
    return { message: rows[0] ?? message, changes: await appendChanges(tx, rows, 'poll', actorId) };
  });
  await broadcastChanges(deps, changes, { voter: userId });
  return presentWithoutReaders(deps, caller, message);
}

/** Throws `not_found` for messages that are not polls. */
async function findPoll(tx: Queryable, id: string, userId: string): Promise<FoundMessage> {
  const found = await findForChange(tx, id, userId);
  if (found.poll === null && found.deleted_at === null) throw notFound('Poll');
  return found;
}

/** Serializes votes, so that each is one revision. */
async function lockPoll(tx: Queryable, found: FoundMessage): Promise<{ message: MessageRow; poll: StoredPoll }> {
  const message = await lockForChange(tx, found);
  if (message.poll === null) throw notFound('Poll');
  return { message, poll: message.poll };
}

/** Returns the ids in the order of the poll, without duplicates. */
function toChoice(poll: StoredPoll, ids: readonly string[]): string[] {
  const reject = (rule: string) => new AppError('validation_failed', rule, { messages: [rule] });
  const choice = poll.options.map(({ id }) => id).filter((id) => ids.includes(id));
  if (choice.length < new Set(ids).size) throw reject(UNKNOWN_OPTION);
  if (choice.length > 1 && !poll.multiple) throw reject(ONE_OPTION);
  return choice;
}

export async function closePoll(deps: Deps, caller: Caller, id: string): Promise<Message> {
  const { message, changes } = await deps.db.transaction(async (tx) => {
    const found = await findPoll(tx, id, caller.userId);
    if (!canDeleteMessage(caller, found)) throw new AppError('forbidden', CLOSE_DENIED);
    const { message, poll } = await lockPoll(tx, found);
    const rows = poll.closedAt === null ? await markPollClosed(tx, message, new Date().toISOString()) : [];
    return { message: rows[0] ?? message, changes: await appendChanges(tx, rows, 'poll', caller.userId) };
  });
  await broadcastChanges(deps, changes);
  return presentWithoutReaders(deps, caller, message);
}
