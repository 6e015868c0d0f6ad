import type { Presence } from '../presence/presence.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { RealtimeRedis } from './redis.ts';

/** New Redis subscriptions take effect with a delay. */
const REPEAT_DELAY_MS = 1_000;

/**
 * Makes browsers refetch after pods could not exchange events. Each pod that reconnects broadcasts to the sockets of all pods, because it
 * missed their events and they missed its own. Presence is written first: otherwise browsers would find all users of this pod offline.
 */
export function resyncAfterRedisOutage(
  redis: Pick<RealtimeRedis, 'onConnected'>,
  live: Pick<LiveNamespace, 'sockets' | 'emit'>,
  presence: Pick<Presence, 'refresh'>,
): { close(): void } {
  let wasConnected = false;
  let isClosed = false;
  let repeatTimer: ReturnType<typeof setTimeout> | undefined;
  const broadcastResync = async () => {
    await presence.refresh();
    if (!isClosed) live.emit('resync');
  };
  redis.onConnected(() => {
    // No socket of a new pod has missed anything.
    const isStart = !wasConnected && live.sockets.size === 0;
    wasConnected = true;
    if (isStart) return void presence.refresh();
    void broadcastResync();
    clearTimeout(repeatTimer);
    repeatTimer = setTimeout(() => void broadcastResync(), REPEAT_DELAY_MS).unref();
  });
  return {
    close() {
      isClosed = true;
      clearTimeout(repeatTimer);
    },
  };
}
