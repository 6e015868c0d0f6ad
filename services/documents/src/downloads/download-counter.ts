import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';

const FLUSH_MS = 1_000;

/** Counts download links per document. A statistic: a killed process may lose a second of it. */
export type DownloadCounter = {
  count(documentId: string): void;
  /** Writes pending counts. */
  close(): Promise<void>;
};

/** Batches counts in memory and adds them in one statement, so that reading a document never waits for a write. */
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
        `update documents d set downloads = d.downloads + given.count
         from unnest($1::text[], $2::bigint[]) as given (id, count) where d.id = given.id`,
        [[...batch.keys()], [...batch.values()]],
      );
    } catch (error) {
      log.warn({ err: error }, 'Failed to count downloads');
    }
  };
  return {
    count(documentId) {
      counts.set(documentId, (counts.get(documentId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    close: flush,
  };
}
