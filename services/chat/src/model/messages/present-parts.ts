import type { Poll, PollOption } from '@atrium/proto-events/http/chat/message-parts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { SYSTEM_SENDER } from '@atrium/proto-events/http/chat/messages';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { StoredForward, StoredPoll } from './message-repository.ts';
import type { PollRow } from './poll-repository.ts';

type UserSource = Pick<Directory, 'summary'>;

export const presentSender = (directory: UserSource, id: string): Message['sender'] =>
  id === SYSTEM_SENDER._id ? SYSTEM_SENDER : directory.summary(id);

/** Adds the link to the original for viewers who are in its conversation. */
export function withOriginal(
  forwarded: Message['forwarded'],
  stored: StoredForward | null,
  origins: ReadonlySet<string>,
): Message['forwarded'] {
  if (!forwarded || !stored) return forwarded;
  const { message, conversation } = stored;
  return origins.has(conversation)
    ? { ...forwarded, message, conversation }
    : { ...forwarded, message: null, conversation: null };
}

type PollContext = { votes: PollRow | undefined; isPersonal: boolean };

/** Omits what is different for each user, unless it is for the viewer of the votes. */
export function presentPoll(directory: UserSource, poll: StoredPoll, { votes, isPersonal }: PollContext): Poll {
  const votedAt = votes?.voted_at ? new Date(votes.voted_at).toISOString() : null;
  const present = ({ id, text }: StoredPoll['options'][number]): PollOption => {
    const option = votes?.options?.find((row) => row.id === id);
    return {
      id,
      text,
      count: option?.count ?? 0,
      ...(isPersonal && { mine: option?.mine ?? false }),
      users: poll.anonymous ? [] : (option?.user_ids ?? []).map((userId) => directory.summary(userId)),
    };
  };
  return {
    ...poll,
    options: poll.options.map(present),
    voterCount: votes?.voter_count ?? 0,
    ...(isPersonal && { votedAt }),
  };
}
