import type { Socket } from 'socket.io-client';

export const SOCKET_TIMEOUT_MS = 10_000;

const BASE_MS = 1_000;
export const MAX_QUICK_RETRIES = 5;
export const SLOW_MS = 30_000;
const JITTER = 0.25;

/**
 * Five attempts with doubling delay from one second, then every 30 seconds, with jitter so that
 * clients do not reconnect together.
 */
export function retryDelay(tries: number, random: () => number = Math.random): number {
  const delay = tries < MAX_QUICK_RETRIES ? BASE_MS * 2 ** tries : SLOW_MS;
  return delay * (1 + (random() * 2 - 1) * JITTER);
}

/** A second connect while the manager is connecting would deliver every event twice. */
export function connectOnce(socket: Pick<Socket, 'connected' | 'active' | 'connect' | 'io'>): void {
  const isConnecting = socket.active && socket.io._readyState === 'open';
  if (!socket.connected && !isConnecting) socket.connect();
}
