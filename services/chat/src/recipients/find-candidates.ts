import { isSent, type NoticeKind, type NoticeReason } from '@atrium/proto-events/notices/kinds';
import { resolveChannel } from '@atrium/proto-events/notices/settings';
import { listMentions } from '@atrium/proto-events/text/mentions';
import type { Deps } from '../deps.ts';
import { listParticipantIds } from '../model/conversations/participant-repository.ts';
import { listGroupMembers, type NotifiedMessage } from '../model/messages/recipient-repository.ts';
import { listFollowers } from '../model/messages/thread-repository.ts';

export type Concern = { kind: NoticeKind; reason: NoticeReason };

export type CandidateDeps = Pick<Deps, 'db' | 'directory'> & {
  filterOnline: (userIds: string[]) => Promise<string[]>;
};

/**
 * Finds the possible recipients of a message, each with the most specific reason; some may not be in the conversation.
 * A message in a large channel has few, unless it mentions everyone.
 */
export async function findCandidates(
  deps: CandidateDeps,
  message: NotifiedMessage,
  rootId: string | undefined,
): Promise<ReadonlyMap<string, Concern>> {
  const { users, groups, everyone, here } = listMentions(message.content);
  const members = everyone || here ? await listMembers(deps, message, rootId) : [];
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

const listMembers = ({ db }: CandidateDeps, { conversation_id }: NotifiedMessage, rootId: string | undefined) =>
  rootId === undefined ? listParticipantIds(db, conversation_id) : listFollowers(db, rootId);

/** Lists the possible recipients of a message without mentions. */
async function listUnmentioned(
  deps: CandidateDeps,
  message: NotifiedMessage,
  rootId: string | undefined,
): Promise<[string, Concern][]> {
  if (rootId !== undefined)
    return toEntries(await listFollowers(deps.db, rootId), { kind: 'thread_reply', reason: 'followed_thread' });
  if (message.conversation_type === 'direct')
    return toEntries(await listMembers(deps, message, rootId), { kind: 'direct_message', reason: 'conversation' });
  return toEntries(listSubscribers(deps), { kind: 'channel_message', reason: 'conversation' });
}

/** Users who have turned on notifications of channel messages. */
const listSubscribers = ({ directory }: CandidateDeps): string[] =>
  [...directory.users()]
    .filter(({ preferences }) => isSent(resolveChannel(preferences?.notices, 'channel_message')))
    .map(({ _id }) => _id);
