import { z } from 'zod';
import { isNetwork } from './ip-address.ts';

/** Comma-separated addresses or networks (CIDR), from an environment variable. */
export const networkList = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((item) => item.trim()))
  .transform((list) => list.filter((item) => item !== ''))
  .refine((list) => list.every(isNetwork), 'holds something that is neither an address nor a network');
