import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressBlock, plainAddress, type TrustedProxies } from '@atrium/service-kit/http/request-origin';
import { createInFlightLimiter } from './in-flight-limiter.ts';

/** Limits concurrent connections per IP address, except from trusted proxies. */
export function limitConnections(server: Server, isTrusted: TrustedProxies, maxPerAddress: number): void {
  const open = createInFlightLimiter();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isTrusted(address)) return;
    const subnet = addressBlock(address);
    if (!open.acquire(subnet, maxPerAddress)) {
      socket.destroy();
      return;
    }
    socket.once('close', () => open.release(subnet));
  });
}
