import type { Socket } from 'socket.io-client';

export const SOCKET_TIMEOUT_MS = 10_000;

const BASE_MS = 1_000;
const MAX_QUICK_RETRIES = 5;
const SLOW_MS = 30_000;
const JITTER = 0.25;

/**
 * Doubles the delay from one second for five attempts, then stays at 30 seconds. Jitter prevents clients from
 * reconnecting together.
 */
export function reconnectDelay(attempts: number, random: () => number = Math.random): number {
  const delay = attempts < MAX_QUICK_RETRIES ? BASE_MS * 2 ** attempts : SLOW_MS;
  return delay * (1 + (random() * 2 - 1) * JITTER);
}

/** Skips a second connect while the manager is connecting, which would deliver every event twice. */
export function connectOnce(socket: Pick<Socket, 'connected' | 'active' | 'connect' | 'io'>): void {
  const isConnecting = socket.active && socket.io._readyState === 'open';
  if (!socket.connected && !isConnecting) socket.connect();
}
