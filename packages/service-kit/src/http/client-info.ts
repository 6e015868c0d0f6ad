import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Logger } from '../observability/logger.ts';

export type ClientInfo = { address: string; secure: boolean };

export type TrustedProxies = (address: string) => boolean;

/** Reports forwarding headers that identify no client, so that all clients of a peer count as one address. */
type ForwardingReports = {
  onUntrusted?: (peer: string) => void;
  onUnreadable?: (peer: string, value: string) => void;
};

export function createProxyTrust(proxies: readonly string[]): TrustedProxies {
  const networks = parseNetworks(proxies);
  return (address) => isIP(address) !== 0 && networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Uses `X-Forwarded-*` headers only as far as configured proxies have added them. */
export function createClientInfoResolver(
  isTrusted: TrustedProxies,
  { onUntrusted, onUnreadable }: ForwardingReports = {},
): (req: IncomingMessage) => ClientInfo {
  return (req) => {
    const remote = plainAddress(req.socket.remoteAddress ?? '');
    const isEncrypted = 'encrypted' in req.socket && req.socket.encrypted === true;
    if (!isTrusted(remote)) {
      if (req.headers['x-forwarded-for'] !== undefined) onUntrusted?.(remote);
      return { address: remote, secure: isEncrypted };
    }
    const chain = parseList(req.headers['x-forwarded-for']);
    return {
      address: findClient(chain, { remote, isTrusted, onUnreadable }),
      secure: isEncrypted || parseList(req.headers['x-forwarded-proto']).at(-1) === 'https',
    };
  };
}

export function warnAboutForwarding(log: Logger): Required<ForwardingReports> {
  const shouldReportUntrusted = createThrottle();
  const shouldReportUnreadable = createThrottle();
  return {
    onUntrusted(peer) {
      if (shouldReportUntrusted())
        log.warn({ peer }, 'X-Forwarded-For from an address not in TRUSTED_PROXIES ignored: its clients count as one');
    },
    onUnreadable(peer, value) {
      const shape = value.slice(0, 60).replaceAll(/\d/g, '0').replaceAll(/[a-z]/gi, 'a');
      if (shouldReportUnreadable())
        log.warn(
          { peer, form: shape },
          'X-Forwarded-For from a trusted proxy contains no address: its clients count as one',
        );
    },
  };
}

const WARN_INTERVAL_MS = 600_000;

function createThrottle(): () => boolean {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - warnedAt < WARN_INTERVAL_MS) return false;
    warnedAt = performance.now();
    return true;
  };
}

type ClientSearch = {
  remote: string;
  isTrusted: TrustedProxies;
  onUnreadable: ForwardingReports['onUnreadable'] | undefined;
};

/** Reads from the nearest hop backward: everything before the first untrusted address may be forged. */
function findClient(chain: string[], { remote, isTrusted, onUnreadable }: ClientSearch): string {
  let client = remote;
  for (const hop of chain.reverse()) {
    const address = parseHop(hop);
    if (address === undefined) {
      onUnreadable?.(client, hop);
      return client;
    }
    client = address;
    if (!isTrusted(address)) return client;
  }
  return client;
}

const BRACKETED = /^\[([\da-f:.]{2,45})\](?::\w{1,16})?$/i;
const IPV4_WITH_PORT = /^([\d.]{7,15}):\w{1,16}$/;

/** Parses the address of a hop. Proxies also write it with a port, in brackets, or in quotes (RFC 7239, section 6). */
function parseHop(hop: string): string | undefined {
  const unquoted = hop.startsWith('"') && hop.endsWith('"') ? hop.slice(1, -1) : hop;
  const [, bareAddress = unquoted] = BRACKETED.exec(unquoted) ?? IPV4_WITH_PORT.exec(unquoted) ?? [];
  const address = plainAddress(bareAddress);
  return isIP(address) === 0 ? undefined : address;
}

function parseList(value: string | string[] | undefined): string[] {
  return String(value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Turns `::ffff:10.0.0.1`, as a dual-stack socket reports it, into 10.0.0.1. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Returns an IPv4 address itself, or the /64 of an IPv6 address: a host can use every address of such a network, so
 * they count as one. The same applies to the /56 or /48 that providers assign to a customer. Returns an empty string
 * for anything else.
 */
export function addressBlock(address: string, bits: 48 | 56 | 64 = 64): string {
  if (isIP(address) === 4) return address;
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  const groups = { 48: [a, b, c], 56: [a, b, c, d & 0xff00], 64: [a, b, c, d] }[bits];
  return `${groups.map((part) => part.toString(16)).join(':')}::/${bits}`;
}

/** Checks the origin of browsers. Other clients send none, and are allowed. */
export function createOriginCheck(origins: readonly string[]): (req: Pick<IncomingMessage, 'headers'>) => boolean {
  const allowedOrigins = new Set(origins);
  return ({ headers: { origin, host } }) =>
    origin === undefined || allowedOrigins.has(origin) || getHost(origin) === host;
}

function getHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
