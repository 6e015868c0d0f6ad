import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { type Mentions, mentionOfGroup } from '@atrium/proto-events/text/mentions';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

type Size = { name: string; count: number };

/** Names and sizes of the departments and projects that were offered, by conversation and token. */
const sizes = createUserScopedStore(() => new Map<string, Size>());

export function recordGroupSize(conversationId: string, token: string, size: Size): void {
  sizes.get().set(`${conversationId}:${token}`, size);
}

type MentionedPeople = {
  /** The most people that the message notifies. */
  count: number;
  /** The names of the departments and projects, if it notifies only those. */
  names: string[];
};

/** A group whose size is unknown, as in a draft of an earlier visit, may be as large as the conversation. */
export function countMentionedPeople(
  { _id, participantCount }: Pick<Conversation, '_id' | 'participantCount'>,
  { here, everyone, groups }: Mentions,
): MentionedPeople {
  const others = participantCount - 1;
  if (here || everyone) return { count: others, names: [] };
  const known = groups.map((group) => sizes.get().get(`${_id}:${mentionOfGroup(group)}`));
  const count = known.reduce((sum, size) => sum + (size?.count ?? others), 0);
  return { count: Math.min(count, others), names: known.flatMap((size) => (size ? [size.name] : [])) };
}
