import { useEffect, useSyncExternalStore } from 'react';
import { createUserScopedStore } from '../../lib/session/user-scoped-store.ts';
import { chatSocket } from '../../realtime/socket.ts';
import { onConnected } from '../../realtime/status.ts';
import { TIMEOUT_MS } from '../../realtime/topic-subscriptions/sync-topics.ts';
import type { Presence } from './avatar.tsx';
import { watchPeople } from './presence-subscription.ts';

type Known = {
  /** Presence of subscribed users; null before the first response and while disconnected. */
  online: ReadonlyMap<string, boolean> | null;
  /** Changes that arrived during a request, and so are newer than its response. */
  heard: ReadonlyMap<string, boolean>;
};

const NOTHING: Known = { online: null, heard: new Map() };
const known = createUserScopedStore(() => NOTHING);
const change = (edit: (known: Known) => Known) => void known.change(known.owner(), edit);

function note(user: string, isOnline: boolean): void {
  change(({ online, heard }) => ({
    online: online && new Map(online).set(user, isOnline),
    heard: new Map(heard).set(user, isOnline),
  }));
}

/** Presence of users who are no longer subscribed is unknown. */
function take(users: readonly string[], present: readonly string[]): void {
  change(({ heard }) => {
    const offline = users.map((user) => [user, false] as const);
    const online = present.map((user) => [user, true] as const);
    return { online: new Map([...offline, ...online, ...heard]), heard };
  });
}

const people = watchPeople({
  isConnected: () => chatSocket.connected,
  send: (users) => {
    change((before) => ({ ...before, heard: NOTHING.heard }));
    return chatSocket.timeout(TIMEOUT_MS).emitWithAck('presence:subscribe', { users });
  },
  take,
});

/** Follows the presence of visible users. */
export function followPresence(): () => void {
  const onOnline = ({ user }: { user: string }) => note(user, true);
  const onOffline = ({ user }: { user: string }) => note(user, false);
  const onLost = () => change(() => NOTHING);
  chatSocket.on('connect', people.begin);
  chatSocket.on('user:online', onOnline);
  chatSocket.on('user:offline', onOffline);
  chatSocket.on('disconnect', onLost);
  const stopCatchingUp = onConnected(people.begin);
  return () => {
    stopCatchingUp();
    people.stop();
    chatSocket.off('connect', people.begin);
    chatSocket.off('user:online', onOnline);
    chatSocket.off('user:offline', onOffline);
    chatSocket.off('disconnect', onLost);
    onLost();
  };
}

type Someone = { _id: string; status?: 'active' | 'inactive' | undefined };

/**
 * The presence of visible users: online if connected or, while nothing is known, if the account is active (decisions, section 7).
 * Undefined until the server has responded.
 */
export function usePresence(shown: readonly Someone[]): (person: Someone) => Presence | undefined {
  const ids = shown.map(({ _id }) => _id).join();
  useEffect(() => {
    if (ids === '') return;
    return people.show(ids.split(','));
  }, [ids]);
  const { online } = useSyncExternalStore(known.subscribe, known.get);
  return ({ _id, status }) => {
    const isOnline = online ? online.get(_id) : status === 'active';
    return isOnline === undefined ? undefined : isOnline ? 'online' : 'offline';
  };
}
