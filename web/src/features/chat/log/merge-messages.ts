import type { Message, Thread } from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { replaceReferences } from '#realtime/replace-references.ts';
import { withKnownReactions } from './broadcast-reactions.ts';
import { withKnownParts } from './known-parts.ts';

/** Deletion wins over a later edit. */
export function newer(known: Message, other: Message | undefined): Message {
  if (!other) return known;
  const isOtherNewer = !(known.deleted && !other.deleted) && (other.deleted || other.updatedAt >= known.updatedAt);
  return isOtherNewer ? complete(other, known) : complete(known, other);
}

/** Completes the later of two copies of a message with what only the other one shows. */
function complete(later: Message, earlier: Message): Message {
  const message = later.deleted
    ? later
    : withKnownParts(withSaved(withKnownReactions(later, earlier), earlier), earlier);
  const thread = laterThread(message.thread, earlier.thread);
  return thread === message.thread ? message : { ...message, thread };
}

/** Broadcasts do not show whether the user has saved the message. */
const withSaved = (later: Message, { saved }: Message): Message =>
  later.saved === undefined && saved !== undefined ? { ...later, saved } : later;

/** A reply changes the thread of its root, but is not an edit of it. */
export function laterThread(thread: Thread | null, other: Thread | null): Thread | null {
  if (!thread || !other) return thread ?? other;
  return (other.lastSeq ?? 0) > (thread.lastSeq ?? 0) ? other : thread;
}

/** Updates users who have changed in what they sent, where they reacted or replied, and where they are mentioned. */
export function withChangedUsers(message: Message, users: ReadonlyMap<string, UserSummary>): Message {
  if (!listUsers(message).some(({ _id }) => users.has(_id))) return message;
  const replace = <User extends { _id: string }>(shown: User): User => replaceUser(shown, users.get(shown._id));
  const { sender, reactions, thread, mentions, forwarded, poll } = message;
  return {
    ...message,
    sender: replace(sender),
    reactions: reactions.map((reaction) => ({ ...reaction, users: reaction.users.map(replace) })),
    mentions: { ...mentions, users: mentions.users.map(replace) },
    forwarded: forwarded && { ...forwarded, sender: replace(forwarded.sender) },
    poll: poll && {
      ...poll,
      options: poll.options.map((option) => ({ ...option, users: option.users.map(replace) })),
    },
    thread: thread?.people ? { ...thread, people: thread.people.map(replace) } : thread,
  };
}

const listUsers = ({ sender, reactions, thread, mentions, forwarded, poll }: Message): readonly { _id: string }[] => [
  sender,
  ...reactions.flatMap(({ users }) => users),
  ...(thread?.people ?? []),
  ...mentions.users,
  ...(forwarded ? [forwarded.sender] : []),
  ...(poll?.options.flatMap(({ users }) => users) ?? []),
];

function replaceUser<User extends { _id: string }>(shown: User, user: UserSummary | undefined): User {
  if (!user) return shown;
  const action = user.deleted ? 'deleted' : 'updated';
  return replaceReferences(shown, { id: user._id, action, item: user }) as User;
}
