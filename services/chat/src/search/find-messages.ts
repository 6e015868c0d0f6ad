import { MAX_COUNTED_MATCHES } from '@atrium/proto-events/http/found';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { SearchConditions } from './search-conditions.ts';
import type { Period } from './search-document.ts';
import {
  type FoundRow,
  findIndexed,
  type Position,
  periodOfPosition,
  type Scan,
  scanNewest,
} from './search-repository.ts';

/** Entries of the first scan: a sample of how common the matches are. */
const SAMPLE_SIZE = 5_000;
/** Reading this many entries costs as much as the inverted index with its lookup in each conversation. */
const MAX_SCANNED = 20_000;
/** Matches are not distributed evenly. */
const MARGIN = 1.5;

export type FoundPage = { found: FoundRow[]; total: number; more: boolean; next: Position | null };

type Page = { limit: number; before: Position | undefined };

/**
 * Reads the newest entries as long as matches are common among them, and the rest from the inverted index: a common word
 * has too many matches to read all, and a rare one is too far apart to find by reading. Without estimates of the planner.
 */
export async function findMessages(db: Queryable, conditions: SearchConditions, page: Page): Promise<FoundPage> {
  // One more shows whether there are more.
  const limit = page.limit + 1;
  const scan = conditions.isSaved
    ? startScan(conditions, page.before)
    : await scanWhileCommon(db, conditions, { ...page, limit });
  if (scan.isComplete) return toFoundPage(scan.found, scan.matched, page.limit);
  const keys = chooseKeys(conditions, scan);
  let { found, matched } = scan;
  for (const periods of choosePeriods(scan)) {
    const older = await findIndexed(db, conditions, {
      before: scan.end,
      limit: limit - found.length,
      maxCounted: MAX_COUNTED_MATCHES,
      keys,
      periods,
    });
    found = [...found, ...older.found];
    matched += older.total;
    if (found.length >= limit) break;
  }
  return toFoundPage(found, matched, page.limit);
}

/** Those in which to look up the keys, newest first: the next list, which is twice as long, only if the page is not full. */
function choosePeriods({ end, oldestPeriod }: ReturnType<typeof startScan>): Period[][] {
  // Only the inverted index has periods.
  if (end === undefined || oldestPeriod === null) return [[]];
  const newest = periodOfPosition(end);
  const periods = Array.from({ length: Math.max(0, newest - oldestPeriod) + 1 }, (_, index) => newest - index);
  const lists: Period[][] = [];
  for (let start = 0; start < periods.length; start = start * 2 + 1) lists.push(periods.slice(start, start * 2 + 1));
  return lists;
}

const startScan = (conditions: SearchConditions, before: Position | undefined) => ({
  found: [] as FoundRow[],
  scanned: 0,
  matched: 0,
  visible: 0,
  counts: conditions.indexed.map(() => 0),
  end: before,
  oldestPeriod: null as Period | null,
  isComplete: false,
});

async function scanWhileCommon(db: Queryable, conditions: SearchConditions, { limit, before }: Page) {
  const scan = startScan(conditions, before);
  let count = SAMPLE_SIZE;
  while (!scan.isComplete && scan.scanned + count <= MAX_SCANNED) {
    const missing = limit - scan.found.length;
    const next = await scanNewest(db, conditions, { before: scan.end, limit: missing, count });
    scan.found.push(...next.found);
    scan.scanned += count;
    scan.matched += next.matched;
    scan.visible += next.visible;
    scan.counts = scan.counts.map((count, index) => count + (next.counts[index] ?? 0));
    scan.end = next.end ?? scan.end;
    scan.oldestPeriod = next.oldestPeriod;
    scan.isComplete = scan.found.length >= limit || next.end === null;
    count = Math.ceil(((limit - scan.found.length) * scan.scanned * MARGIN) / scan.found.length);
  }
  return scan;
}

/** The share of entries up to which looking up a condition costs less than it saves. */
const MAX_INDEXED_SHARE = 0.02;

/** Chooses the conditions that few entries match, or else the one that the fewest match. */
function chooseKeys({ indexed }: SearchConditions, { counts, visible }: Pick<Scan, 'counts' | 'visible'>): string[] {
  const byCount = indexed.map(({ keys }, index) => ({ keys, count: counts[index] ?? 0 }));
  const [rarest, ...others] = byCount.toSorted((a, b) => a.count - b.count);
  if (!rarest) return [];
  return [rarest, ...others.filter(({ count }) => count <= visible * MAX_INDEXED_SHARE)].map(({ keys }) => keys);
}

function toFoundPage(rows: readonly FoundRow[], counted: number, limit: number): FoundPage {
  const found = rows.slice(0, limit);
  const more = rows.length > limit;
  const total = more ? Math.min(Math.max(counted, rows.length), MAX_COUNTED_MATCHES) : found.length;
  return { found, total, more, next: more ? (found.at(-1)?.position ?? null) : null };
}
