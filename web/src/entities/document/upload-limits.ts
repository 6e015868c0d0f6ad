import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getDocumentLimits } from '@atrium/proto-events/http/documents';
import { call } from '../../lib/api/api.ts';
import { createUserScopedStore } from '../../lib/session/user-scoped-store.ts';
import { describeSize } from './document-labels.ts';

type Limits = ResponseOf<typeof getDocumentLimits>;

type Sized = { size: number };

const ask = () => call<typeof getDocumentLimits>('GET /documents/limits', {}).catch(() => undefined);

/** How long fetched limits stay valid for the next files. */
const HELD_MS = 10_000;

type Held = { limits: Limits; until: number; given: number };

/**
 * Rejects with the server's message before any byte of a file of that size is sent. If the limits cannot be fetched, the upload itself
 * reports the error. For files that follow each other, limits are refetched once they expire or leave no space.
 */
export function createBatchQuotaCheck(state: () => { held?: Held }, read = ask, now = () => performance.now()) {
  return async ({ size }: Sized): Promise<void> => {
    const own = state();
    const { held } = own;
    if (held && now() < held.until && refusalOf(size, leftOf(held)) === undefined) {
      held.given += size;
      return;
    }
    const limits = await read();
    if (!limits) return;
    const refusal = refusalOf(size, limits);
    own.held = { limits, until: now() + HELD_MS, given: refusal === undefined ? size : 0 };
    if (refusal !== undefined) throw new Error(refusal);
  };
}

const leftOf = ({ limits, given }: Held): Limits =>
  limits.availableBytes === null ? limits : { ...limits, availableBytes: limits.availableBytes - given };

const rooms = createUserScopedStore<{ held?: Held }>(() => ({}));

export const requireRoomAmongMany = createBatchQuotaCheck(rooms.get);

/** The check for a single file. */
export const assertUploadFits = createBatchQuotaCheck(() => ({}));

/** Why a file of that size exceeds the limits; undefined if it does not. */
export function refusalOf(bytes: number, { maxFileBytes, availableBytes }: Limits): string | undefined {
  if (bytes > maxFileBytes) return `The file is larger than ${describeSize(maxFileBytes)}`;
  if (availableBytes === null || bytes <= availableBytes) return undefined;
  return `You have ${describeSize(availableBytes)} left, and this file is larger. Delete documents you no longer need, including those in the trash, or ask an administrator for more space.`;
}
