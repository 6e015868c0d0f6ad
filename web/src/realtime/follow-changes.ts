import type { Change, PastChange, Topic } from '@atrium/proto-events/realtime';
import type { AnswerCache } from '../lib/cache/answer-cache.ts';
import { loadProfile, presentPerson } from '../lib/session/session.ts';
import { coalesce } from './coalesce.ts';
import { followPresence } from './presence.ts';
import { chatSocket, liveSocket, startSockets, TIMEOUT_MS } from './socket.ts';
import { isStale, mayHaveMissed } from './stale-keys.ts';
import { noteConnected, whenConnected } from './status.ts';
import { topicsOfAll } from './topics.ts';
import { watchTopics } from './watch-topics.ts';

/** A lively conversation tells of every message; whoever looks elsewhere needs its count no oftener than this. */
const MESSAGES_EVERY_MS = 1_000;
/** All browsers are told to ask again in one moment. */
const RESYNC_WITHIN_MS = 3_000;

type Given = {
  /** Asks again for everything on the screen that is meant. */
  refresh: (isMeant: (key: string, age: number) => boolean) => Promise<void>;
  /** Whether what is shown counts a conversation as read up to there already. */
  isKnownAsRead: (conversation: string, seq: number) => boolean;
  answers: Pick<AnswerCache, 'wanted' | 'onShown' | 'askedAgo'>;
};

const isOfMe = ({ resource, id }: Change) => resource === 'user' && id === presentPerson();
const isOfConversations = (key: string) => key.startsWith('/chat/conversations');

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges({ refresh, isKnownAsRead, answers }: Given): () => void {
  const revalidate = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    void refresh((key) => changes.some((change) => isStale(key, change)));
    if (changes.some(isOfMe)) void loadProfile();
  };
  const receiveMessages = coalesce<Change>(MESSAGES_EVERY_MS, revalidate);
  // Answers to questions of after a change have it already.
  const catchUp = (changes: readonly PastChange[]) => {
    void refresh((key, age) => changes.some((change) => age > change.agoMs && mayHaveMissed(key, change)));
    if (changes.some(isOfMe)) void loadProfile();
  };
  const all = () => {
    void refresh(() => true);
    void loadProfile();
  };
  const ageOf = (key: string) => answers.askedAgo(key);
  const watch = watchTopics({
    topics: (): Topic[] => topicsOfAll(answers.wanted(), presentPerson()),
    isConnected: () => liveSocket.connected,
    // The server counts from when this has come.
    shownForMs: () => TIMEOUT_MS + Math.max(0, ...answers.wanted().map(ageOf).filter(Number.isFinite)),
    send: (payload) => liveSocket.timeout(TIMEOUT_MS).emitWithAck('watch', payload),
    catchUp: (changes) => (changes === null ? all() : catchUp(changes)),
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
  // What was said, edited and read meanwhile is of chat's own socket, and stands in no position. A page that has just been loaded has it.
  let leastAge = TIMEOUT_MS;
  const stopCatchingUp = whenConnected(() => {
    const meant = leastAge;
    leastAge = 0;
    void refresh((key, age) => key.startsWith('/chat/') && age >= meant);
  });
  let resyncing: ReturnType<typeof setTimeout> | undefined;
  const onResync = () => {
    resyncing ??= setTimeout(() => {
      resyncing = undefined;
      leastAge = 0;
      noteConnected();
      // What others tell the sockets of a pod of before goes by Redis, too.
      if (watch.isOfBefore()) all();
    }, Math.random() * RESYNC_WITHIN_MS);
  };
  liveSocket.on('connect', watch.begin);
  liveSocket.on('changed', onChanged);
  liveSocket.on('position', onPosition);
  liveSocket.on('resync', onResync);
  chatSocket.on('message:read', onRead);
  const stopLooking = answers.onShown(watch.look);
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
