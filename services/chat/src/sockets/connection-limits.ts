import type { IncomingMessage } from 'node:http';
import { createOriginFinder, createTrust, warnOfForwarding } from '@atrium/service-kit/http/client-address';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import { createOriginCheck } from '@atrium/service-kit/http/origin-check';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Server } from 'socket.io';
import type { Config } from '../config.ts';

type Limits = Pick<Config, 'RATE_LIMIT_SOCKET' | 'MAX_CONNECTIONS_PER_IP' | 'CORS_ORIGINS' | 'TRUSTED_PROXIES'>;

export type ConnectionLimits = {
  /** Why a handshake is rejected before it becomes a connection; undefined where it may go on. */
  rejection(req: IncomingMessage): string | undefined;
  /** From when the server is attached. */
  watch(io: Server): void;
};

const WINDOW_MS = 60_000;

/** What the gateway asks of a socket, asked again here: an ingress leads `/socket.io` straight to chat. Counted on this pod. */
export function createConnectionLimits(limits: Limits, log: Logger): ConnectionLimits {
  const { onUnreadable } = warnOfForwarding(log);
  // A gateway in front is no proxy that somebody forgot to name: the HTTP side of the service warns of those.
  const originOf = createOriginFinder(createTrust(limits.TRUSTED_PROXIES), { onUnreadable });
  const mayConnect = createOriginCheck(limits.CORS_ORIGINS);
  const open = new Map<string, number>();
  let opened = new Map<string, number>();
  let windowEnd = 0;
  const blockOf = (req: IncomingMessage) => addressBlock(originOf(req).address);

  const countHandshake = (block: string): number => {
    const now = performance.now();
    if (now >= windowEnd) {
      opened = new Map();
      windowEnd = now + WINDOW_MS;
    }
    const count = (opened.get(block) ?? 0) + 1;
    opened.set(block, count);
    return count;
  };

  return {
    rejection(req) {
      if (!mayConnect(req)) return 'This origin may not connect';
      const block = blockOf(req);
      if (countHandshake(block) > limits.RATE_LIMIT_SOCKET) return 'Too many requests. Please try again in a moment.';
      return (open.get(block) ?? 0) >= limits.MAX_CONNECTIONS_PER_IP ? 'Too many connections' : undefined;
    },
    watch(io) {
      io.engine.on(
        'connection',
        (connection: { request: IncomingMessage; once(event: 'close', listener: () => void): void }) => {
          const block = blockOf(connection.request);
          open.set(block, (open.get(block) ?? 0) + 1);
          connection.once('close', () => {
            const count = (open.get(block) ?? 1) - 1;
            if (count > 0) open.set(block, count);
            else open.delete(block);
          });
        },
      );
    },
  };
}
