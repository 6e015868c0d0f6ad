import { isSent, type NoticeKind, type NoticeReason } from '@atrium/proto-events/notices/kinds';
import { resolveChannel } from '@atrium/proto-events/notices/settings';
import type { Mentions } from '@atrium/proto-events/text/mentions';
import type { Deps } from '../deps.ts';
import { listParticipantIds } from '../model/conversations/participant-repository.ts';
import { filterNotifiedOfAll, listGroupMembers, type NotifiedMessage } from '../model/messages/recipient-repository.ts';
import { listFollowers } from '../model/messages/thread-repository.ts';

export type Concern = { kind: NoticeKind; reason: NoticeReason };

export type CandidateDeps = Pick<Deps, 'db'> & {
  directory: Pick<Deps['directory'], 'users'>;
  filterOnline: (userIds: string[]) => Promise<string[]>;
};

export type RecipientDeps = CandidateDeps & { showsText: boolean };

/**
 * Finds the possible recipients of a message, each with the most specific reason; some may not be in the conversation.
 * A message in a large channel has few, unless it mentions everyone.
 */
export async function findCandidates(
  deps: CandidateDeps,
  message: NotifiedMessage,
  { rootId, mentions }: { rootId: string | undefined; mentions: Mentions },
): Promise<ReadonlyMap<string, Concern>> {
  const { users, groups, everyone, here } = mentions;
  const members = everyone || here ? await listParticipantIds(deps.db, message.conversation_id) : [];
  const groupMembers = await listGroupMembers(
    deps.db,
    groups.map(({ id }) => id),
  );
  // A later entry replaces an earlier one of the same user.
  return new Map([
    ...(await listUnmentioned(deps, message, rootId)),
    ...toEntries(everyone ? members : await deps.filterOnline(members), EVERYONE),
    ...toEntries(groupMembers, { kind: 'mention', reason: 'group_mentioned' }),
    ...toEntries(users, { kind: 'mention', reason: 'mentioned' }),
  ]);
}

const EVERYONE: Concern = { kind: 'mention', reason: 'everyone_mentioned' };

const toEntries = (userIds: readonly string[], concern: Concern) =>
  userIds.map((userId): [string, Concern] => [userId, concern]);

/** Lists the possible recipients of a message without mentions. */
async function listUnmentioned(
  deps: CandidateDeps,
  { conversation_id, conversation_type }: NotifiedMessage,
  rootId: string | undefined,
): Promise<[string, Concern][]> {
  if (rootId !== undefined)
    return toEntries(await listFollowers(deps.db, rootId), { kind: 'thread_reply', reason: 'followed_thread' });
  if (conversation_type === 'direct')
    return toEntries(await listParticipantIds(deps.db, conversation_id), {
      kind: 'direct_message',
      reason: 'conversation',
    });
  const subscriberIds = await filterNotifiedOfAll(deps.db, conversation_id, listSubscribers(deps));
  return toEntries(subscriberIds, { kind: 'channel_message', reason: 'conversation' });
}

/** Users of the whole workspace who have turned on notifications of channel messages. */
const listSubscribers = ({ directory }: Pick<CandidateDeps, 'directory'>): string[] =>
  [...directory.users()]
    .filter(({ preferences }) => isSent(resolveChannel(preferences?.notices, 'channel_message')))
    .map(({ _id }) => _id);
