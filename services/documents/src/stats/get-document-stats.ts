import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { listMostDownloaded, sumDocuments } from './stats-repository.ts';

/** Totals over documents that the caller can read. */
export async function getDocumentStats({ db }: Pick<Deps, 'db'>, caller: Caller) {
  const [sums, mostDownloaded] = await Promise.all([sumDocuments(db, caller), listMostDownloaded(db, caller)]);
  return {
    total: sums.total,
    totalSize: sums.total_size,
    recentUploads: sums.recent_uploads,
    categories: sums.categories,
    mostDownloaded: mostDownloaded.map(({ id, name, downloads }) => ({ _id: id, name, downloads })),
  };
}
