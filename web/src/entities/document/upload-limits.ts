import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getDocumentLimits } from '@atrium/proto-events/http/documents';
import { call } from '../../lib/api/api.ts';
import { describeSize } from './document-words.ts';

type Limits = ResponseOf<typeof getDocumentLimits>;

/** Rejects with what the server would say, before a byte of a file of that size is sent. Where it cannot be asked, what is asked of it next finds out. */
export async function requireRoomFor({ size }: { size: number }): Promise<void> {
  const limits = await call<typeof getDocumentLimits>('GET /documents/limits', {}).catch(() => undefined);
  const refusal = limits && refusalOf(size, limits);
  if (refusal !== undefined) throw new Error(refusal);
}

/** Why a file of that size has no room; undefined where it has. */
export function refusalOf(bytes: number, { maxFileBytes, availableBytes }: Limits): string | undefined {
  if (bytes > maxFileBytes) return `The file is larger than ${describeSize(maxFileBytes)}`;
  if (availableBytes === null || bytes <= availableBytes) return undefined;
  return `There is room for ${describeSize(availableBytes)} more, and this file is larger. Delete documents that you no longer need, also from the bin, or ask an administrator for more.`;
}
