import { recipientsFound } from '@atrium/proto-events/events/chat';
import { appendEvents, type PendingEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import {
  claimRecipients,
  type NotifiedMessage,
  type Recipient,
  selectOutsideThread,
} from '../model/messages/recipient-repository.ts';
import { partitionOf, readersAggregate } from '../model/readers-aggregate.ts';
import type { Concern } from './find-candidates.ts';

/** Locks as many participants at a time, which keeps them from reading. */
const BATCH_SIZE = 500;

type Cause = { id: string; occurredAt: string; requestId: string };

type PublishParams = {
  message: NotifiedMessage;
  rootId: string | undefined;
  candidates: ReadonlyMap<string, Concern>;
  isEdit: boolean;
  /** The event that is handled. */
  cause: Cause;
  actorId: string;
  /** Of the message, if pushes and emails show it. */
  text?: string | undefined;
};

/**
 * Publishes the candidates who have not read the message, in one event for each partition. Each batch is a transaction;
 * repeated ones change nothing.
 */
export async function publishRecipients({ db }: Pick<Deps, 'db'>, params: PublishParams): Promise<void> {
  for (const userIds of toBatches([...params.candidates.keys()]))
    await db.transaction(async (tx) => {
      const { candidates } = params;
      const recipients = (await selectRecipients(tx, params, userIds)).flatMap(({ user_id: userId, notify: level }) => {
        const concern = candidates.get(userId);
        // Of every message in a channel, those who want only mentions are not even published.
        return concern && (concern.kind !== 'channel_message' || level === 'all')
          ? [{ userId, level, ...concern }]
          : [];
      });
      if (recipients.length === 0) return;
      const partitions = Map.groupBy(recipients, ({ userId }) => partitionOf(userId));
      const event = { ...params, causeId: params.message.message_id };
      await appendEvents(
        tx,
        [...partitions.values()].map((partition) => toRecipientsEvent(event, partition)),
      );
    });
}

async function selectRecipients(
  tx: Queryable,
  { message, rootId, candidates, isEdit }: PublishParams,
  userIds: readonly string[],
): Promise<Recipient[]> {
  const claimed = await claimRecipients(tx, message, { rootId, userIds, isEdit });
  if (rootId === undefined) return claimed;
  const mentionedIds = userIds.filter((id) => candidates.get(id)?.kind === 'mention');
  return [...claimed, ...(await selectOutsideThread(tx, message, { rootId, userIds: mentionedIds }))];
}

type RecipientsParams = Omit<PublishParams, 'candidates' | 'isEdit' | 'message'> & {
  /** Of the message or reaction. */
  causeId: string;
  message: Pick<NotifiedMessage, 'conversation_id' | 'conversation_type' | 'title' | 'message_id' | 'seq'>;
};

/** What pushes and emails show of a message. */
const MAX_TEXT_LENGTH = 200;

type Recipients = PendingEvent<typeof recipientsFound>['data']['recipients'];

/** All recipients are in the same partition. */
export function toRecipientsEvent(
  { message, rootId, cause, causeId, actorId, text }: RecipientsParams,
  recipients: Recipients,
): PendingEvent<typeof recipientsFound> {
  const { conversation_id, conversation_type, title, message_id, seq } = message;
  const [first] = recipients;
  return {
    event: recipientsFound,
    data: {
      conversationId: conversation_id,
      title: conversation_type === 'direct' ? null : title,
      ...(text !== undefined && { text: text.slice(0, MAX_TEXT_LENGTH).toWellFormed() }),
      messageId: message_id,
      seq,
      ...(rootId !== undefined && { rootId }),
      cause: causeId,
      sentAt: cause.occurredAt,
      recipients,
    },
    aggregate: readersAggregate(conversation_id, first?.userId ?? ''),
    actorId,
    id: deterministicId([cause.id, ...recipients.map(({ userId }) => userId)].join()),
    requestId: cause.requestId,
  };
}

/** Batches of whole partitions where possible, because each one waits for the disk. */
export function toBatches(userIds: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (const partition of Map.groupBy(userIds, partitionOf).values())
    for (let from = 0; from < partition.length; from += BATCH_SIZE) {
      const part = partition.slice(from, from + BATCH_SIZE);
      const last = batches.at(-1);
      if (last && last.length + part.length <= BATCH_SIZE) last.push(...part);
      else batches.push(part);
    }
  return batches;
}
