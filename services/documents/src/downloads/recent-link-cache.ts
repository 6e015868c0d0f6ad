import type { FileOfDocument } from './download-log.ts';

/** As long as a link lives. */
const SAME_FOR_MS = 5 * 60_000;
const MOST = 50_000;

/** Remembers which links lists have given to whom; a pod forgets, and then one is noted once more. */
export type RecentLinkCache = {
  /** Those of the files that were not given to that person within the last five minutes. */
  newOf(userId: string, files: readonly FileOfDocument[]): FileOfDocument[];
  /** Once they are noted. */
  remember(userId: string, files: readonly FileOfDocument[]): void;
};

const keyOf = (userId: string, { documentId, fileNumber }: FileOfDocument) => `${userId} ${documentId} ${fileNumber}`;

export function createListedLinks(now: () => number = Date.now): RecentLinkCache {
  let noted = new Map<string, number>();
  return {
    newOf: (userId, files) =>
      files.filter((file) => {
        const at = noted.get(keyOf(userId, file));
        return at === undefined || now() - at >= SAME_FOR_MS;
      }),
    remember(userId, files) {
      if (noted.size > MOST) noted = new Map();
      for (const file of files) noted.set(keyOf(userId, file), now());
    },
  };
}
