import type { Change, PastChange, Topic } from '@atrium/proto-events/realtime';
import { loadProfile, presentPerson } from '../lib/session.ts';
import { coalesce } from './coalesce.ts';
import { followPresence } from './presence.ts';
import { chatSocket, liveSocket, startSockets, TIMEOUT_MS } from './socket.ts';
import { isStale } from './stale-keys.ts';
import { noteConnected, whenConnected } from './status.ts';
import { topicsOfAll } from './topics.ts';
import { watchTopics } from './watch-topics.ts';

/** A lively conversation tells of every message; whoever looks elsewhere needs its count no oftener than this. */
const MESSAGES_EVERY_MS = 1_000;
/** All browsers are told to ask again in one moment. */
const RESYNC_WITHIN_MS = 3_000;
/** What came so shortly before the first connection, or is still on its way, is taken for what stands: every page load would ask for all of it twice. */
const JUST_ASKED_MS = 1_000;

type Given = {
  /** Asks again for everything on the screen that is meant. */
  refresh: (isMeant: (key: string, age: number) => boolean) => Promise<void>;
  /** Whether what is shown counts a conversation as read up to there already. */
  isKnownAsRead: (conversation: string, seq: number) => boolean;
  /** Under which keys something is shown, the most important first. */
  shownKeys: () => string[];
  onShown: (listener: () => void) => () => void;
};

const isOfMe = ({ resource, id }: Change) => resource === 'user' && id === presentPerson();
const isOfConversations = (key: string) => key.startsWith('/chat/conversations');

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges({ refresh, isKnownAsRead, shownKeys, onShown }: Given): () => void {
  const revalidate = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    void refresh((key) => changes.some((change) => isStale(key, change)));
    if (changes.some(isOfMe)) void loadProfile();
  };
  const receiveMessages = coalesce<Change>(MESSAGES_EVERY_MS, revalidate);
  // Answers to questions of after a change have it already.
  const catchUp = (changes: readonly PastChange[]) => {
    void refresh((key, age) => changes.some((change) => age > change.agoMs && isStale(key, change)));
    if (changes.some(isOfMe)) void loadProfile();
  };
  let isFirst = true;
  const catchUpWithAll = () => {
    const isMeant = isFirst ? (age: number) => age >= JUST_ASKED_MS && age < Number.POSITIVE_INFINITY : () => true;
    void refresh((_key, age) => isMeant(age));
  };
  const watch = watchTopics({
    topics: (): Topic[] => topicsOfAll(shownKeys(), presentPerson()),
    isConnected: () => liveSocket.connected,
    send: (payload) => liveSocket.timeout(TIMEOUT_MS).emitWithAck('watch', payload),
    catchUp(changes) {
      if (changes === null) catchUpWithAll();
      else catchUp(changes);
      isFirst = false;
    },
  });
  const onChanged = ({ changes, position }: { changes: Change[]; position?: string }) => {
    receiveMessages(changes.filter(({ resource }) => resource === 'message'));
    revalidate(changes.filter(({ resource }) => resource !== 'message'));
    watch.reach(position);
  };
  const onPosition = ({ position }: { position: string }) => watch.reach(position);
  // What is read on one device is read on all, whichever screen they show. The one that read it knows.
  const askForCounts = coalesce<null>(MESSAGES_EVERY_MS, () => void refresh(isOfConversations));
  const onRead = ({ conversation, user, seq }: { conversation: string; user: string; seq: number }) => {
    if (user === presentPerson() && !isKnownAsRead(conversation, seq)) askForCounts([null]);
  };
  // What was said, edited and read meanwhile is of chat's own socket, and stands in no position.
  const stopCatchingUp = whenConnected(() => {
    if (!isFirst) void refresh((key) => key.startsWith('/chat/'));
  });
  let resyncing: ReturnType<typeof setTimeout> | undefined;
  const onResync = () => {
    resyncing ??= setTimeout(() => {
      resyncing = undefined;
      noteConnected();
    }, Math.random() * RESYNC_WITHIN_MS);
  };
  liveSocket.on('connect', watch.begin);
  liveSocket.on('changed', onChanged);
  liveSocket.on('position', onPosition);
  liveSocket.on('resync', onResync);
  chatSocket.on('message:read', onRead);
  const stopLooking = onShown(watch.look);
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopCatchingUp();
    stopLooking();
    watch.stop();
    clearTimeout(resyncing);
    liveSocket.off('connect', watch.begin);
    liveSocket.off('changed', onChanged);
    liveSocket.off('position', onPosition);
    liveSocket.off('resync', onResync);
    chatSocket.off('message:read', onRead);
    stopPresence();
    stopSockets();
  };
}
