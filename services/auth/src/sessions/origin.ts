import { requestContext } from '@atrium/service-kit/observability/request-context';
import type { Request } from 'express';
import { deviceOf } from './device.ts';

export type Origin = { device: string | null; address: string | null };

export function originOf(req: Request): Origin {
  return { device: deviceOf(req.get('user-agent')), address: requestContext.getStore()?.address ?? null };
}
