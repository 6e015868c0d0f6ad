import type { DocumentFile } from './download-log.ts';

/** The lifetime of a link. */
const LINK_LIFETIME_MS = 5 * 60_000;
const MOST = 50_000;

/** Recently recorded list links. In memory: after a restart, a link is recorded once more. */
export type RecentLinkCache = {
  /** Files whose links the user was not given within the last five minutes. */
  filterNew(userId: string, files: readonly DocumentFile[]): DocumentFile[];
  /** Call once they are recorded. */
  add(userId: string, files: readonly DocumentFile[]): void;
};

const keyOf = (userId: string, { documentId, fileNumber }: DocumentFile) => `${userId} ${documentId} ${fileNumber}`;

export function createListedLinks(now: () => number = Date.now): RecentLinkCache {
  let noted = new Map<string, number>();
  return {
    filterNew: (userId, files) =>
      files.filter((file) => {
        const at = noted.get(keyOf(userId, file));
        return at === undefined || now() - at >= LINK_LIFETIME_MS;
      }),
    add(userId, files) {
      if (noted.size > MOST) noted = new Map();
      for (const file of files) noted.set(keyOf(userId, file), now());
    },
  };
}
