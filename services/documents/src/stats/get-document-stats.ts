import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { isAdmin, readerOf } from '../documents/visibility.ts';
import { computeStats } from './stats-repository.ts';

/** Totals over documents that the caller can read. Concurrent requests share a computation. */
export function getDocumentStats({ db, stats }: Pick<Deps, 'db' | 'stats'>, caller: Caller) {
  const reader = isAdmin(caller) ? 'admin' : JSON.stringify(readerOf(caller));
  return stats(reader, () => computeStats(db, caller));
}
