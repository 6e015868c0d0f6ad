import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TrustedProxies } from '@atrium/service-kit/http/client-address';
import { addressBlock, plainAddress } from '@atrium/service-kit/http/ip-address';
import { createInFlightLimiter } from './in-flight-limiter.ts';

/** Takes no more than so many connections from one address, trusted proxies excepted: behind them is everybody. */
export function limitConnections(server: Server, isTrusted: TrustedProxies, perAddress: number): void {
  const open = createInFlightLimiter();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isTrusted(address)) return;
    const place = addressBlock(address);
    if (!open.take(place, perAddress)) {
      socket.destroy();
      return;
    }
    socket.once('close', () => open.give(place));
  });
}
