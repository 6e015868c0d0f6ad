import type { User } from '@atrium/proto-events/people';
import type { Changes, LiveClientEvents, LiveServerEvents } from '@atrium/proto-events/realtime';
import { createListeners } from '#lib/listeners.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import type { ChatSocket, LiveSocket } from '#realtime/connection/socket.ts';
import { followChanges } from '#realtime/follow-changes.ts';
import { NOTHING_UNREAD } from '#realtime/read-states.ts';
import { createUnread } from '#realtime/unread.ts';

type Payload = Parameters<LiveClientEvents['subscribe']>[0];
type Response = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];
type Listener = (payload: unknown) => void;

/** A socket whose events come from the test. */
function buildSocket(acknowledge: (payload: Payload) => Promise<Response>) {
  const listeners = new Map<string, Set<Listener>>();
  const socket = {
    connected: true,
    on: (name: string, listener: Listener) =>
      listeners.set(name, (listeners.get(name) ?? new Set<Listener>()).add(listener)),
    off: (name: string, listener: Listener) => listeners.get(name)?.delete(listener),
    timeout: () => ({ emitWithAck: (_event: string, payload: Payload) => acknowledge(payload) }),
  };
  const emit = (name: string, payload?: unknown) => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload);
  };
  const countListeners = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { socket, emit, countListeners };
}

/** Runs `followChanges` with sockets and a cache without SWR, for fake timers. */
export function startFollowing(user: User) {
  const cache = new QueryCache();
  const staleKeys: string[] = [];
  const spreads: number[] = [];
  let spreadMs = 0;
  cache.show = (key, data) => void cache.set(key, { data });
  cache.onStale((key) => {
    staleKeys.push(key);
    spreads.push(spreadMs);
  });

  const client: { user: User | null; profileRequests: number } = { user, profileRequests: 0 };
  const payloads: Payload[] = [];
  const missed: { next: Changes | null } = { next: { changes: [] } };
  const acknowledge = async (payload: Payload): Promise<Response> => {
    payloads.push(payload);
    const { next } = missed;
    missed.next = { changes: [] };
    return { ok: true, data: { position: `p${payloads.length}`, ...(next ?? { changes: null }) } };
  };
  const live = buildSocket(acknowledge);
  const chat = buildSocket(acknowledge);
  let readStates = NOTHING_UNREAD;
  const unread = createUnread({
    owner: () => client.user?._id ?? null,
    get: () => readStates,
    change: (_owner, edit) => {
      readStates = edit(readStates);
      return readStates;
    },
  });
  const connects = createListeners();
  const stop = followChanges(
    {
      cache,
      staleRefetch: {
        spreadOver: (ms) => {
          spreadMs = ms;
        },
      },
      unread,
    },
    {
      live: live.socket as unknown as LiveSocket,
      chat: chat.socket as unknown as ChatSocket,
      user: () => client.user,
      loadProfile: async () => {
        client.profileRequests += 1;
      },
      connects,
    },
  );
  /** Caches a response as if it had been requested now. */
  const respond = (key: string, data: unknown = 'response') =>
    void cache.set(key, { data: cache.startRequest(key).succeed(data) });
  type Frame = Parameters<LiveServerEvents['changed']>[0];
  const send = (frame: Omit<Frame, 'position'> & { position?: string }) =>
    live.emit('changed', { position: 'next', ...frame });
  return { cache, staleKeys, spreads, client, payloads, missed, live, chat, connects, respond, send, stop };
}
