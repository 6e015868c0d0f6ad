import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from '@atrium/service-kit/http/ip-address';

export type Origin = { address: string; secure: boolean };

export type TrustedProxies = (address: string) => boolean;

/** Whether an address is one of the configured proxies. */
export function createTrust(proxies: readonly string[]): TrustedProxies {
  const trusted = readNetworks(proxies);
  return (address) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Tells where a request comes from. `X-Forwarded-*` counts only as far back as the proxies that were configured go; `onForged` hears
 * of the peers that send it without being one.
 */
export function createOriginFinder(
  isTrusted: TrustedProxies,
  onForged: (peer: string) => void = () => undefined,
): (req: IncomingMessage) => Origin {
  return (req) => {
    const remote = plainAddress(req.socket.remoteAddress ?? '');
    const encrypted = 'encrypted' in req.socket && req.socket.encrypted === true;
    if (!isTrusted(remote)) {
      if (req.headers['x-forwarded-for'] !== undefined) onForged(remote);
      return { address: remote, secure: encrypted };
    }
    return {
      address: firstUntrusted(headerList(req.headers['x-forwarded-for']), remote, isTrusted),
      secure: encrypted || headerList(req.headers['x-forwarded-proto']).at(-1) === 'https',
    };
  };
}

/** From the nearest hop backwards: what stands before the first address that is not ours may be forged. */
function firstUntrusted(chain: string[], remote: string, isTrusted: TrustedProxies): string {
  let client = remote;
  for (const hop of chain.reverse()) {
    const address = plainAddress(hop);
    if (isIP(address) === 0) return client;
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

function headerList(value: string | string[] | undefined): string[] {
  return String(value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function readNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
