import { useEffect, useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { SOCKET_TIMEOUT_MS } from '#realtime/connection/reconnect-delay.ts';
import { chatSocket } from '#realtime/connection/socket.ts';
import { onConnected } from '#realtime/connection/status.ts';
import type { Presence } from './avatar.tsx';
import { createPresenceSubscription } from './presence-subscription.ts';

type PresenceState = {
  /** Presence of subscribed users; null before the first response and while disconnected. */
  online: ReadonlyMap<string, boolean> | null;
  /** Changes that arrived during a request, and so are newer than its response. */
  changesSinceRequest: ReadonlyMap<string, boolean>;
};

const UNKNOWN: PresenceState = { online: null, changesSinceRequest: new Map() };
const presenceStore = createUserScopedStore(() => UNKNOWN);
const change = (edit: (state: PresenceState) => PresenceState) =>
  void presenceStore.change(presenceStore.owner(), edit);

function recordPresence(user: string, isOnline: boolean): void {
  change(({ online, changesSinceRequest }) => ({
    online: online && new Map(online).set(user, isOnline),
    changesSinceRequest: new Map(changesSinceRequest).set(user, isOnline),
  }));
}

function applyResponse(users: readonly string[], onlineIds: readonly string[]): void {
  change(({ changesSinceRequest }) => {
    const offline = users.map((user) => [user, false] as const);
    const online = onlineIds.map((user) => [user, true] as const);
    return { online: new Map([...offline, ...online, ...changesSinceRequest]), changesSinceRequest };
  });
}

const subscription = createPresenceSubscription({
  isConnected: () => chatSocket.connected,
  send: (users) => {
    change((previous) => ({ ...previous, changesSinceRequest: UNKNOWN.changesSinceRequest }));
    return chatSocket.timeout(SOCKET_TIMEOUT_MS).emitWithAck('presence:subscribe', { users });
  },
  applyResponse,
});

export function followPresence(): () => void {
  const onOnline = ({ user }: { user: string }) => recordPresence(user, true);
  const onOffline = ({ user }: { user: string }) => recordPresence(user, false);
  const onLost = () => change(() => UNKNOWN);
  chatSocket.on('connect', subscription.begin);
  chatSocket.on('user:online', onOnline);
  chatSocket.on('user:offline', onOffline);
  chatSocket.on('disconnect', onLost);
  const stopCatchingUp = onConnected(subscription.begin);
  return () => {
    stopCatchingUp();
    subscription.stop();
    chatSocket.off('connect', subscription.begin);
    chatSocket.off('user:online', onOnline);
    chatSocket.off('user:offline', onOffline);
    chatSocket.off('disconnect', onLost);
    onLost();
  };
}

type PresenceUser = { _id: string; status?: 'active' | 'inactive' | undefined };

/**
 * Returns the presence of a user. While disconnected, active accounts count as online. Undefined until the server has
 * reported the user's presence.
 */
export function usePresence(users: readonly PresenceUser[]): (user: PresenceUser) => Presence | undefined {
  const ids = users.map(({ _id }) => _id).join();
  useEffect(() => {
    if (ids === '') return;
    return subscription.show(ids.split(','));
  }, [ids]);
  const { online } = useSyncExternalStore(presenceStore.subscribe, presenceStore.get);
  return ({ _id, status }) => {
    const isOnline = online ? online.get(_id) : status === 'active';
    return isOnline === undefined ? undefined : isOnline ? 'online' : 'offline';
  };
}
