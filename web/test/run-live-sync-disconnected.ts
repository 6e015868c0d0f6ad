import type { ChatSocket, LiveSocket } from '#realtime/connection/socket.ts';
import type { QueryCache } from '../src/lib/query/query-cache.ts';
import { followChanges } from '../src/realtime/live-sync.ts';

type RunLiveSyncParams = {
  refetch: Parameters<typeof followChanges>[0]['refetch'];
  cache: QueryCache;
  connects?: Parameters<typeof followChanges>[1]['connects'];
  /** Receives the registered listeners. */
  on?: (name: string, listener: (payload: unknown) => void) => void;
  /** The signed-in user; none by default. */
  me?: string;
};

/** Runs `followChanges` with disconnected sockets, until the returned function is called. */
export function runLiveSyncDisconnected({
  refetch,
  cache,
  connects,
  on = () => undefined,
  me,
}: RunLiveSyncParams): () => void {
  const socket = { connected: false, on, off: () => undefined };
  return followChanges(
    {
      refetch,
      cache,
      unread: {
        record: () => undefined,
        isMessageKnown: () => true,
        isUncertain: () => false,
        hasGaps: () => false,
        onUncertain: () => () => undefined,
      },
    },
    {
      live: socket as unknown as LiveSocket,
      chat: socket as unknown as ChatSocket,
      me: () => me ?? null,
      department: () => null,
      loadProfile: async () => undefined,
      connects: connects ?? { subscribe: () => () => undefined, notify: () => undefined },
    },
  );
}
