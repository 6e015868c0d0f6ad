import type { Express, Request } from 'express';
import type { Logger } from '../observe/logger.ts';
import { plainAddress } from './ip-address.ts';

/**
 * Lets Express take the client's address from `X-Forwarded-For` as far back as the proxies go that are trusted, and says once when
 * somebody else sends that header: a proxy that nobody named makes all who come by it look like one address.
 */
export function trustProxies(
  app: Express,
  proxies: readonly string[],
  log: Logger,
): (req: Request) => string | undefined {
  app.set('trust proxy', proxies);
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  let warned = false;
  return (req) => {
    const peer = req.socket.remoteAddress;
    if (!warned && req.headers['x-forwarded-for'] !== undefined && !isTrusted(peer, 0)) {
      warned = true;
      log.warn(
        { peer },
        'X-Forwarded-For comes from an address that TRUSTED_PROXIES does not name: all who come by it count as one address',
      );
    }
    return req.ip === undefined ? undefined : plainAddress(req.ip);
  };
}
