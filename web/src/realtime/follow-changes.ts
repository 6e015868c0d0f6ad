import type { Change } from '@atrium/proto-events/realtime';
import { loadProfile, presentPerson } from '../lib/session.ts';
import { coalesce } from './coalesce.ts';
import { followPresence } from './presence.ts';
import { chatSocket, liveSocket, startSockets } from './socket.ts';
import { isStale } from './stale-keys.ts';
import { noteConnected, whenConnected } from './status.ts';

const EVERY_MS = 250;
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
};

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges({ refresh, isKnownAsRead }: Given): () => void {
  const revalidate = (changes: Change[]) => {
    void refresh((key) => changes.some((change) => isStale(key, change)));
    const me = presentPerson();
    if (changes.some((change) => change.resource === 'user' && change.id === me)) void loadProfile();
  };
  const receive = coalesce<Change>(EVERY_MS, revalidate);
  const receiveMessages = coalesce<Change>(MESSAGES_EVERY_MS, revalidate);
  const onChanged = ({ changes }: { changes: Change[] }) => {
    receiveMessages(changes.filter(({ resource }) => resource === 'message'));
    receive(changes.filter(({ resource }) => resource !== 'message'));
  };
  let isFirst = true;
  // What changed while the connection was away is not sent again, so everything on the screen is asked for.
  const stopCatchingUp = whenConnected(() => {
    const isMeant = isFirst ? (age: number) => age >= JUST_ASKED_MS && age < Number.POSITIVE_INFINITY : () => true;
    isFirst = false;
    void refresh((_key, age) => isMeant(age));
  });
  // What is read on one device is read on all, whichever screen they show. The one that read it knows.
  const askForCounts = coalesce<null>(
    MESSAGES_EVERY_MS,
    () => void refresh((key) => key.startsWith('/chat/conversations')),
  );
  const onRead = ({ conversation, user, seq }: { conversation: string; user: string; seq: number }) => {
    if (user === presentPerson() && !isKnownAsRead(conversation, seq)) askForCounts([null]);
  };
  let resyncing: ReturnType<typeof setTimeout> | undefined;
  const onResync = () => {
    resyncing ??= setTimeout(() => {
      resyncing = undefined;
      noteConnected();
    }, Math.random() * RESYNC_WITHIN_MS);
  };
  liveSocket.on('changed', onChanged);
  liveSocket.on('resync', onResync);
  chatSocket.on('message:read', onRead);
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopCatchingUp();
    clearTimeout(resyncing);
    liveSocket.off('changed', onChanged);
    liveSocket.off('resync', onResync);
    chatSocket.off('message:read', onRead);
    stopPresence();
    stopSockets();
  };
}
