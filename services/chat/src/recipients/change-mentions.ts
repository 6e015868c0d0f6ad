import type { EventOf } from '@atrium/proto-events/event';
import { mentionsRemoved, type messageChanged } from '@atrium/proto-events/events/chat';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import { deterministicId } from '@atrium/service-kit/process/new-id';
import { findNotifiedMessage, type NotifiedMessage } from '../model/messages/recipient-repository.ts';
import { partitionOf, readersAggregate } from '../model/readers-aggregate.ts';
import { type CandidateDeps, type Concern, findCandidates } from './find-candidates.ts';
import { publishRecipients, toBatches } from './publish-recipients.ts';

type Changed = EventOf<typeof messageChanged>;
type Candidates = ReadonlyMap<string, Concern>;

/**
 * After an edit, notifies users who were not notified of the message, and withdraws the notifications of those who are no
 * longer mentioned. Compares the mentions in the event: the content may have been edited again since then. For the same
 * reason, no text is published, so that an edit always withdraws the published one.
 */
export async function changeMentions(deps: CandidateDeps, cause: Changed): Promise<void> {
  const { conversationId, rootId, seq, mentions } = cause.data;
  const message = mentions && (await findNotifiedMessage(deps.db, rootId ?? conversationId, seq));
  if (!message) return;
  const { before, after } = mentions;
  const find = (some: typeof before) => findCandidates(deps, message, { rootId, mentions: some });
  // Nobody knows anymore who was online when it was sent.
  const notified = await find({ ...before, here: false });
  const concerned = await find({ ...after, here: after.here && !before.here });
  await publishRecipients(deps, {
    message,
    rootId,
    candidates: new Map([...concerned].filter(([id, { kind }]) => kind === 'mention' && !isNotified(notified.get(id)))),
    isEdit: true,
    cause,
    actorId: message.sender_id,
  });
  if (after.everyone || after.here) return;
  const mentioned = before.here ? await find({ ...before, everyone: true }) : notified;
  await publishRemoved(deps, { message, rootId, cause, userIds: listRemoved(mentioned, concerned) });
}

/** Those who are notified of every message in a channel are notified of the mention as well, as some of them are of nothing else. */
const isNotified = (concern: Concern | undefined) => concern !== undefined && concern.kind !== 'channel_message';

const listRemoved = (before: Candidates, after: Candidates): string[] =>
  [...before].flatMap(([id, { kind }]) => (kind === 'mention' && !isNotified(after.get(id)) ? [id] : []));

type Removal = { message: NotifiedMessage; rootId: string | undefined; cause: Changed; userIds: readonly string[] };

async function publishRemoved(
  { db }: Pick<CandidateDeps, 'db'>,
  { message, rootId, cause, userIds }: Removal,
): Promise<void> {
  const { conversation_id: conversationId, message_id: messageId, seq } = message;
  for (const batch of toBatches(userIds))
    await db.transaction((tx) =>
      appendEvents(
        tx,
        [...Map.groupBy(batch, partitionOf).values()].map((partition) => ({
          event: mentionsRemoved,
          data: { conversationId, ...(rootId !== undefined && { rootId }), messageId, seq, userIds: partition },
          aggregate: readersAggregate(conversationId, partition[0] ?? ''),
          actorId: message.sender_id,
          id: deterministicId([cause.id, 'removed', ...partition].join()),
          requestId: cause.requestId,
        })),
      ),
    );
}
