import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/listeners.ts';
import { chatSocket } from './socket.ts';

/** Who is online, once the server has said so; null before, and whenever the connection is away. */
let online: ReadonlySet<string> | null = null;
const listeners = createListeners();

function become(next: ReadonlySet<string> | null): void {
  online = next;
  listeners.tell();
}

/** Follows presence; the server tells a fresh socket of everyone, then only of who comes and goes. */
export function followPresence(): () => void {
  // Whoever came while it was on its way is not in it: what was heard on this connection before stays.
  const onState = (payload: { online: string[] }) => become(new Set([...(online ?? []), ...payload.online]));
  const onOnline = ({ user }: { user: string }) => become(new Set(online).add(user));
  const onOffline = ({ user }: { user: string }) => become(new Set([...(online ?? [])].filter((one) => one !== user)));
  const onLost = () => become(null);
  chatSocket.on('presence:state', onState);
  chatSocket.on('user:online', onOnline);
  chatSocket.on('user:offline', onOffline);
  chatSocket.on('disconnect', onLost);
  return () => {
    chatSocket.off('presence:state', onState);
    chatSocket.off('user:online', onOnline);
    chatSocket.off('user:offline', onOffline);
    chatSocket.off('disconnect', onLost);
    become(null);
  };
}

type Someone = { _id: string; status?: 'active' | 'inactive' | undefined };

/** Tells who is online: has a socket, else, while that is not known, has an active account (decisions, section 7). */
export function useIsOnline(): (person: Someone) => boolean {
  const known = useSyncExternalStore(listeners.subscribe, () => online);
  return ({ _id, status }) => (known ? known.has(_id) : status === 'active');
}
