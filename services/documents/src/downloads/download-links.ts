import { presentDownloadLink } from '@atrium/object-store/objects/download-link';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type DocumentFile, recordDownloads } from './download-log.ts';

type LinkedFile = {
  document_id: string;
  number: number;
  name: string;
  object_key: string;
  mimetype: string;
  extension: string;
  file_lost: boolean;
};
type DownloadLink = ReturnType<typeof presentDownloadLink>;
type LinkDeps = { db: Db; store: ObjectStore; downloads: DownloadCounter; recentLinks: RecentLinkCache };

/** Records the link every time, and counts it as a download. */
export async function issueDownloadLink(deps: LinkDeps, { userId }: Caller, file: LinkedFile): Promise<DownloadLink> {
  const link = presentDownloadLink(deps.store, file.name, file);
  if (!('downloadUrl' in link)) return link;
  await recordDownloads(deps.db, userId, [{ documentId: file.document_id, fileNumber: file.number }]);
  deps.downloads.count(file.document_id);
  return link;
}

/** Records each link unless the user recently received the same one, so that polling clients are recorded once. */
export async function issueDownloadLinks(
  deps: LinkDeps,
  { userId }: Caller,
  files: readonly LinkedFile[],
): Promise<DownloadLink[]> {
  const links = files.map((file) => presentDownloadLink(deps.store, file.name, file));
  const linkedFiles = files
    .filter((_, index) => 'downloadUrl' in (links[index] ?? {}))
    .map((file) => ({ documentId: file.document_id, fileNumber: file.number }));
  const newFiles = deps.recentLinks.filterNew(userId, linkedFiles);
  await recordDownloads(deps.db, userId, newFiles);
  deps.recentLinks.add(userId, newFiles);
  return links;
}

const FLUSH_DELAY_MS = 1_000;

/** Counts downloads in batches. A killed process may lose a second of counts. */
export type DownloadCounter = {
  count(documentId: string): void;
  close(): Promise<void>;
};

/** Batches the counts, so that reading a document never waits for a write. */
export function createDownloadCounter(db: Db, log: Logger): DownloadCounter {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = counts;
    counts = new Map();
    if (batch.size === 0) return;
    try {
      await db.query(
        `update documents d set downloads = d.downloads + batch.count
         from unnest($1::text[], $2::bigint[]) as batch (id, count) where d.id = batch.id`,
        [[...batch.keys()], [...batch.values()]],
      );
    } catch (error) {
      log.warn({ err: error }, 'Failed to count downloads');
    }
  };
  return {
    count(documentId) {
      counts.set(documentId, (counts.get(documentId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), FLUSH_DELAY_MS).unref();
    },
    close: flush,
  };
}

const LINK_LIFETIME_MS = 5 * 60_000;
const MAX_ENTRIES = 50_000;

/** Links that were recorded recently. Kept in memory, so a link is recorded once more after a restart. */
export type RecentLinkCache = {
  filterNew(userId: string, files: readonly DocumentFile[]): DocumentFile[];
  add(userId: string, files: readonly DocumentFile[]): void;
};

const toCacheKey = (userId: string, { documentId, fileNumber }: DocumentFile) =>
  `${userId} ${documentId} ${fileNumber}`;

export function createRecentLinkCache(now: () => number = Date.now): RecentLinkCache {
  let recordedAt = new Map<string, number>();
  return {
    filterNew: (userId, files) =>
      files.filter((file) => {
        const time = recordedAt.get(toCacheKey(userId, file));
        return time === undefined || now() - time >= LINK_LIFETIME_MS;
      }),
    add(userId, files) {
      if (recordedAt.size > MAX_ENTRIES) recordedAt = new Map();
      for (const file of files) recordedAt.set(toCacheKey(userId, file), now());
    },
  };
}
