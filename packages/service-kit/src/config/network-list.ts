import { isIP } from 'node:net';
import { z } from 'zod';

/** Comma-separated addresses or networks (CIDR), from an environment variable. */
export const networkList = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((item) => item.trim()))
  .transform((list) => list.filter((item) => item !== ''))
  .refine((list) => list.every(isNetwork), 'holds something that is neither an address nor a network');

/** True for an address, or a network as in 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}
