import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getDocumentLimits } from '@atrium/proto-events/http/documents';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { describeSize } from './document-labels.ts';

type Limits = ResponseOf<typeof getDocumentLimits>;

type Sized = { size: number };

const fetchLimits = () => call<typeof getDocumentLimits>('GET /documents/limits', {}).catch(() => undefined);

const LIMITS_TTL_MS = 10_000;

type CachedLimits = { limits: Limits; expiresAt: number; reserved: number };

/**
 * If the limits cannot be fetched, the upload itself reports the error. They are refetched once they expire
 * or leave no space.
 */
export function createBatchQuotaCheck(
  state: () => { current?: CachedLimits },
  read = fetchLimits,
  now = () => performance.now(),
) {
  return async ({ size }: Sized): Promise<void> => {
    const cache = state();
    const { current } = cache;
    if (current && now() < current.expiresAt && getUploadError(size, remainingLimits(current)) === undefined) {
      current.reserved += size;
      return;
    }
    const limits = await read();
    if (!limits) return;
    const error = getUploadError(size, limits);
    cache.current = { limits, expiresAt: now() + LIMITS_TTL_MS, reserved: error === undefined ? size : 0 };
    if (error !== undefined) throw new Error(error);
  };
}

const remainingLimits = ({ limits, reserved }: CachedLimits): Limits =>
  limits.availableBytes === null ? limits : { ...limits, availableBytes: limits.availableBytes - reserved };

const cachedLimits = createUserScopedStore<{ current?: CachedLimits }>(() => ({}));

export const assertNextFileFits = createBatchQuotaCheck(cachedLimits.get);

export const assertFileFits = createBatchQuotaCheck(() => ({}));

export function getUploadError(bytes: number, { maxFileBytes, availableBytes }: Limits): string | undefined {
  if (bytes > maxFileBytes) return `The file is larger than ${describeSize(maxFileBytes)}`;
  if (availableBytes === null || bytes <= availableBytes) return undefined;
  return `You have ${describeSize(availableBytes)} left, and this file is larger. Delete documents you no longer need, including those in the trash, or ask an administrator for more space.`;
}
