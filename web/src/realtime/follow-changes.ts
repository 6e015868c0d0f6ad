import type { Change } from '@atrium/proto-events/realtime';
import { currentSession, loadProfile } from '../lib/session.ts';
import { coalesce } from './coalesce.ts';
import { followPresence } from './presence.ts';
import { chatSocket, liveSocket, startSockets } from './socket.ts';
import { isStale } from './stale-keys.ts';
import { whenConnected } from './status.ts';

const EVERY_MS = 250;
/** A lively conversation tells of every message; whoever looks elsewhere needs its count no oftener than this. */
const MESSAGES_EVERY_MS = 1_000;

/** Asks again for everything on the screen whose key fits. */
type Refresh = (isStale: (key: unknown) => boolean) => void;

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges(refresh: Refresh): () => void {
  const receive = coalesce<Change>(EVERY_MS, (changes) => revalidate(changes, refresh));
  const receiveMessages = coalesce<Change>(MESSAGES_EVERY_MS, (changes) => revalidate(changes, refresh));
  const onChanged = ({ changes }: { changes: Change[] }) => {
    const { messages = [], others = [] } = Object.groupBy(changes, ({ resource }) =>
      resource === 'message' ? 'messages' : 'others',
    );
    receiveMessages(messages);
    receive(others);
  };
  // What changed while the connection was away is not sent again, so everything on the screen is asked for.
  const stopCatchingUp = whenConnected(() => refresh(() => true));
  // What is read on one device is read on all, whichever screen they show.
  const onRead = ({ user }: { user: string }) => {
    if (user === myId()) refresh((key) => typeof key === 'string' && key.startsWith('/chat/conversations'));
  };
  liveSocket.on('changed', onChanged);
  chatSocket.on('message:read', onRead);
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopCatchingUp();
    liveSocket.off('changed', onChanged);
    chatSocket.off('message:read', onRead);
    stopPresence();
    stopSockets();
  };
}

function revalidate(changes: Change[], refresh: Refresh): void {
  refresh((key) => changes.some((change) => isStale(key, change)));
  const me = myId();
  if (changes.some((change) => change.resource === 'user' && change.id === me)) void loadProfile();
}

function myId(): string | null {
  const session = currentSession();
  return session.state === 'authenticated' ? session.user._id : null;
}
