import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';
import { chatSocket } from '../../realtime/socket.ts';
import { whenConnected } from '../../realtime/status.ts';
import { TIMEOUT_MS } from '../../realtime/watch-topics.ts';
import { watchPeople } from './watch-people.ts';

/** Who of those on the screen is online, once the server has said so; null before, and whenever the connection is away. */
let online: ReadonlySet<string> | null = null;
/** Who came or went while the server was asked: newer than its answer. */
const heard = new Map<string, boolean>();
const listeners = createListeners();

function become(next: ReadonlySet<string> | null): void {
  online = next;
  listeners.tell();
}

function note(user: string, isOnline: boolean): void {
  heard.set(user, isOnline);
  if (online) become(isOnline ? new Set(online).add(user) : new Set([...online].filter((one) => one !== user)));
}

function take(users: readonly string[], present: readonly string[]): void {
  const next = new Set(online);
  for (const user of users) next.delete(user);
  for (const user of present) next.add(user);
  for (const [user, isOnline] of heard) {
    if (isOnline) next.add(user);
    else next.delete(user);
  }
  become(next);
}

const people = watchPeople({
  isConnected: () => chatSocket.connected,
  send: (users) => {
    heard.clear();
    return chatSocket.timeout(TIMEOUT_MS).emitWithAck('presence:watch', { users });
  },
  take,
});

/** Follows the presence of whom the screen shows. A server of before tells a fresh socket of everyone, and then of all who come and go. */
export function followPresence(): () => void {
  const onState = (payload: { online: string[] }) => take([], payload.online);
  const onOnline = ({ user }: { user: string }) => note(user, true);
  const onOffline = ({ user }: { user: string }) => note(user, false);
  const onLost = () => {
    heard.clear();
    become(null);
  };
  chatSocket.on('connect', people.begin);
  chatSocket.on('presence:state', onState);
  chatSocket.on('user:online', onOnline);
  chatSocket.on('user:offline', onOffline);
  chatSocket.on('disconnect', onLost);
  const stopCatchingUp = whenConnected(people.begin);
  return () => {
    stopCatchingUp();
    people.stop();
    chatSocket.off('connect', people.begin);
    chatSocket.off('presence:state', onState);
    chatSocket.off('user:online', onOnline);
    chatSocket.off('user:offline', onOffline);
    chatSocket.off('disconnect', onLost);
    onLost();
  };
}

type Someone = { _id: string; status?: 'active' | 'inactive' | undefined };

/** Tells who of these, whom the screen shows, is online: has a socket, else, while nothing is known, has an active account (decisions, section 7). */
export function useIsOnline(shown: readonly Someone[]): (person: Someone) => boolean {
  const ids = shown.map(({ _id }) => _id).join();
  useEffect(() => {
    if (ids === '') return;
    return people.show(ids.split(','));
  }, [ids]);
  const known = useSyncExternalStore(listeners.subscribe, () => online);
  return ({ _id, status }) => (known ? known.has(_id) : status === 'active');
}
