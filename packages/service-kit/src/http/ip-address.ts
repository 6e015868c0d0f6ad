import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `::ffff:10.0.0.1`, as a dual-stack socket reports it, becomes 10.0.0.1. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The address, or the /64 of an IPv6 one: a host can use all addresses of such a network, so that they count as one.
 * Providers assign customers a /56 or a /48, to which the same applies. Empty if it is not an address.
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
