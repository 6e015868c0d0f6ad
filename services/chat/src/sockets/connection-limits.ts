import type { IncomingMessage } from 'node:http';
import {
  addressBlock,
  createClientInfoResolver,
  createOriginCheck,
  createProxyTrust,
  warnAboutForwarding,
} from '@atrium/service-kit/http/client-info';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Server } from 'socket.io';
import type { Config } from '../config.ts';

type Limits = Pick<Config, 'RATE_LIMIT_SOCKET' | 'MAX_CONNECTIONS_PER_IP' | 'CORS_ORIGINS' | 'TRUSTED_PROXIES'>;

type ConnectionLimits = {
  /** Counts the handshake. Returns the reason if it must be rejected. */
  checkHandshake(req: IncomingMessage): string | undefined;
  /** Call it once the server is attached. */
  track(io: Server): void;
};

const WINDOW_MS = 60_000;

/** Repeats the gateway's checks, because an ingress routes `/socket.io` directly to chat. Counted per pod. */
export function createConnectionLimits(limits: Limits, log: Logger): ConnectionLimits {
  const { onUnreadable } = warnAboutForwarding(log);
  // Does not warn of untrusted proxies, because the HTTP server of this service does.
  const resolveClientInfo = createClientInfoResolver(createProxyTrust(limits.TRUSTED_PROXIES), { onUnreadable });
  const isAllowedOrigin = createOriginCheck(limits.CORS_ORIGINS);
  const openCounts = new Map<string, number>();
  let handshakeCounts = new Map<string, number>();
  let windowEnd = 0;
  const getAddressBlock = (req: IncomingMessage) => addressBlock(resolveClientInfo(req).address);

  const countHandshake = (block: string): number => {
    const now = performance.now();
    if (now >= windowEnd) {
      handshakeCounts = new Map();
      windowEnd = now + WINDOW_MS;
    }
    const count = (handshakeCounts.get(block) ?? 0) + 1;
    handshakeCounts.set(block, count);
    return count;
  };

  return {
    checkHandshake(req) {
      if (!isAllowedOrigin(req)) return 'This origin is not allowed to connect';
      const block = getAddressBlock(req);
      if (countHandshake(block) > limits.RATE_LIMIT_SOCKET) return 'Too many requests. Please try again in a moment.';
      return (openCounts.get(block) ?? 0) >= limits.MAX_CONNECTIONS_PER_IP ? 'Too many connections' : undefined;
    },
    track(io) {
      io.engine.on(
        'connection',
        (connection: { request: IncomingMessage; once(event: 'close', listener: () => void): void }) => {
          const block = getAddressBlock(connection.request);
          openCounts.set(block, (openCounts.get(block) ?? 0) + 1);
          connection.once('close', () => {
            const count = (openCounts.get(block) ?? 1) - 1;
            if (count > 0) openCounts.set(block, count);
            else openCounts.delete(block);
          });
        },
      );
    },
  };
}
