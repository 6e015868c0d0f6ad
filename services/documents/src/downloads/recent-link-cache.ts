import type { DocumentFile } from './download-log.ts';

/** The lifetime of a link. */
const LINK_LIFETIME_MS = 5 * 60_000;
const MAX_ENTRIES = 50_000;

/** Recently recorded list links. In memory: after a restart, a link is recorded once more. */
export type RecentLinkCache = {
  /** Files whose links the user was not given within the last five minutes. */
  filterNew(userId: string, files: readonly DocumentFile[]): DocumentFile[];
  /** Call once they are recorded. */
  add(userId: string, files: readonly DocumentFile[]): void;
};

const keyOf = (userId: string, { documentId, fileNumber }: DocumentFile) => `${userId} ${documentId} ${fileNumber}`;

export function createRecentLinkCache(now: () => number = Date.now): RecentLinkCache {
  let recordedAt = new Map<string, number>();
  return {
    filterNew: (userId, files) =>
      files.filter((file) => {
        const at = recordedAt.get(keyOf(userId, file));
        return at === undefined || now() - at >= LINK_LIFETIME_MS;
      }),
    add(userId, files) {
      if (recordedAt.size > MAX_ENTRIES) recordedAt = new Map();
      for (const file of files) recordedAt.set(keyOf(userId, file), now());
    },
  };
}
