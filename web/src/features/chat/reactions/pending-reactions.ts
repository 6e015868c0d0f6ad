import type {
  addReaction as addReactionEndpoint,
  Message,
  removeReaction,
} from '@atrium/proto-events/http/chat/messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { MAX_REACTING_USERS } from '@atrium/proto-events/text/emoji';
import { useSyncExternalStore } from 'react';
import { call } from '#lib/api/api.ts';
import { currentUser, useCurrentUser } from '#lib/session/session.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { showErrorToast } from '#ui/overlays/toast.ts';
import { responseWriter } from '../log/write-messages.ts';
import { recordEmojiUse } from './frequent-emoji.ts';

type Reactions = Message['reactions'];

/** The user's latest choices that the server has not confirmed: per message, whether they react with an emoji. */
type PendingReactions = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

const pendingReactions = createUserScopedStore<PendingReactions>(() => new Map());

const NONE: ReadonlyMap<string, boolean> = new Map();

/** Reacts, or removes the reaction if the user has already reacted with this emoji. */
export function toggleReaction(message: Message, emoji: string): void {
  const user = currentUser();
  if (!user) return;
  const shown = withPending(message.reactions, pendingReactions.get().get(message._id), user);
  setReaction(message, emoji, !shown.some((reaction) => reaction.emoji === emoji && reaction.mine));
}

export const addReaction = (message: Message, emoji: string): void => setReaction(message, emoji, true);

/** Shows the choice immediately. While a request is in flight, the latest choice waits for it. */
function setReaction(message: Message, emoji: string, isAdded: boolean): void {
  const isInFlight = pendingReactions.get().get(message._id)?.has(emoji) === true;
  setPending(pendingReactions.owner(), message._id, emoji, isAdded);
  if (!isInFlight) void sendReaction(message, emoji);
}

async function sendReaction(message: Message, emoji: string): Promise<void> {
  const owner = pendingReactions.owner();
  const writeResponse = responseWriter(message);
  const input = { params: { id: message._id, emoji } };
  try {
    for (let sent: boolean | undefined; ; ) {
      const isAdded = pendingReactions.get().get(message._id)?.get(emoji);
      if (pendingReactions.owner() !== owner || isAdded === sent || isAdded === undefined) break;
      const reactedMessage = isAdded
        ? await call<typeof addReactionEndpoint>('PUT /chat/messages/:id/reactions/:emoji', input)
        : await call<typeof removeReaction>('DELETE /chat/messages/:id/reactions/:emoji', input);
      writeResponse(reactedMessage);
      if (isAdded && owner !== null) recordEmojiUse(owner, emoji);
      sent = isAdded;
    }
  } catch (error) {
    if (pendingReactions.owner() === owner) showErrorToast(error, 'Failed to save your reaction');
  }
  setPending(owner, message._id, emoji, undefined);
}

function setPending(owner: string | null, messageId: string, emoji: string, isAdded: boolean | undefined): void {
  pendingReactions.change(owner, (all) => {
    const choices = new Map(all.get(messageId));
    if (isAdded === undefined) choices.delete(emoji);
    else choices.set(emoji, isAdded);
    const next = new Map(all);
    if (choices.size === 0) next.delete(messageId);
    else next.set(messageId, choices);
    return next;
  });
}

/** Returns the reactions of a message including the user's own unconfirmed ones. */
export function useReactions({ _id, reactions }: Message): Reactions {
  const choices = useSyncExternalStore(pendingReactions.subscribe, () => pendingReactions.get().get(_id) ?? NONE);
  return withPending(reactions, choices, useCurrentUser());
}

export function withPending(
  reactions: Reactions,
  choices: ReadonlyMap<string, boolean> | undefined,
  user: UserSummary,
): Reactions {
  return [...(choices ?? NONE)].reduce(
    (shown, [emoji, isAdded]) => (isAdded ? withAdded(shown, emoji, user) : withRemoved(shown, emoji, user)),
    reactions,
  );
}

function withAdded(reactions: Reactions, emoji: string, user: UserSummary): Reactions {
  if (!reactions.some((reaction) => reaction.emoji === emoji))
    return [...reactions, { emoji, count: 1, mine: true, users: [user] }];
  return reactions.map((reaction) => {
    if (reaction.emoji !== emoji || reaction.mine) return reaction;
    const users = [...reaction.users, user].slice(0, MAX_REACTING_USERS);
    return { ...reaction, count: reaction.count + 1, mine: true, users };
  });
}

function withRemoved(reactions: Reactions, emoji: string, user: UserSummary): Reactions {
  return reactions.flatMap((reaction) => {
    if (reaction.emoji !== emoji || !reaction.mine) return [reaction];
    if (reaction.count === 1) return [];
    const users = reaction.users.filter(({ _id }) => _id !== user._id);
    return [{ ...reaction, count: reaction.count - 1, mine: false, users }];
  });
}
