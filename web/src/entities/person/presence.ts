import { useEffect, useSyncExternalStore } from 'react';
import { createPersonStore } from '../../lib/session/person-store.ts';
import { chatSocket } from '../../realtime/socket.ts';
import { whenConnected } from '../../realtime/status.ts';
import { TIMEOUT_MS } from '../../realtime/watching/watch-topics.ts';
import { watchPeople } from './watch-people.ts';

type Known = {
  /** Who of those on the screen is online, once the server has said so; null before, and whenever the connection is away. */
  online: ReadonlySet<string> | null;
  /** Who came or went while the server was asked: newer than its answer. */
  heard: ReadonlyMap<string, boolean>;
};

const NOTHING: Known = { online: null, heard: new Map() };
const known = createPersonStore(() => NOTHING);
const change = (edit: (known: Known) => Known) => void known.change(known.owner(), edit);

function note(user: string, isOnline: boolean): void {
  change(({ online, heard }) => ({
    online: online && withPresence(online, user, isOnline),
    heard: new Map(heard).set(user, isOnline),
  }));
}

function withPresence(online: ReadonlySet<string>, user: string, isOnline: boolean): ReadonlySet<string> {
  return isOnline ? new Set(online).add(user) : new Set([...online].filter((one) => one !== user));
}

function take(users: readonly string[], present: readonly string[]): void {
  change(({ online, heard }) => {
    const next = new Set(online);
    for (const user of users) next.delete(user);
    for (const user of present) next.add(user);
    for (const [user, isOnline] of heard) {
      if (isOnline) next.add(user);
      else next.delete(user);
    }
    return { online: next, heard };
  });
}

const people = watchPeople({
  isConnected: () => chatSocket.connected,
  send: (users) => {
    change(({ online }) => ({ online, heard: NOTHING.heard }));
    return chatSocket.timeout(TIMEOUT_MS).emitWithAck('presence:watch', { users });
  },
  take,
});

/** Follows the presence of whom the screen shows. A server of before tells a fresh socket of everyone, and then of all who come and go. */
export function followPresence(): () => void {
  const onState = (payload: { online: string[] }) => take([], payload.online);
  const onOnline = ({ user }: { user: string }) => note(user, true);
  const onOffline = ({ user }: { user: string }) => note(user, false);
  const onLost = () => change(() => NOTHING);
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
  const online = useSyncExternalStore(known.subscribe, () => known.get().online);
  return ({ _id, status }) => (online ? online.has(_id) : status === 'active');
}
