import { requestContext } from '@atrium/service-kit/http/request-context';
import type { Request } from 'express';
import { deviceOf } from './device.ts';

/** Where a call comes from, as a list of sessions shows it; null for what is not known. */
export type Origin = { device: string | null; address: string | null };

export function originOf(req: Request): Origin {
  return { device: deviceOf(req.get('user-agent')), address: requestContext.getStore()?.address ?? null };
}
