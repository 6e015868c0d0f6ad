import { z } from 'zod';
import { isNetwork } from './ip-address.ts';

/** Addresses or networks (CIDR) with commas between them, as a variable of the environment. */
export const networkList = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((item) => item.trim()))
  .transform((list) => list.filter((item) => item !== ''))
  .refine((list) => list.every(isNetwork), 'holds something that is neither an address nor a network');
