import { getDraft, saveDraft } from '#lib/forms/drafts.ts';

/** Stored as a draft (`lib/forms/drafts.ts`), so that logging out deletes it, too. */
const STORAGE_KEY = 'visited';
const MAX_STORED = 30;
const HALF_LIFE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

/** A result that the user has opened. `score` counts the visits, of which older ones count less. */
export type VisitedResult = { to: string; name: string; detail?: string | undefined; score: number; at: number };

/** Returns what the user has opened from the search on this device, recent and frequent first. */
export function listVisited(userId: string, now = Date.now()): VisitedResult[] {
  const stored = getDraft(STORAGE_KEY, userId);
  const visited = Array.isArray(stored) ? stored.filter(isVisited) : [];
  return visited.toSorted((a, b) => scoreAt(b, now) - scoreAt(a, now));
}

export function recordVisit(userId: string, { to, name, detail }: Pick<VisitedResult, 'to' | 'name' | 'detail'>): void {
  const now = Date.now();
  const visited = listVisited(userId, now);
  const previous = visited.find((other) => other.to === to);
  const score = 1 + (previous ? scoreAt(previous, now) : 0);
  const others = visited.filter((other) => other.to !== to).slice(0, MAX_STORED - 1);
  // No unsent input is lost with them.
  saveDraft(userId, STORAGE_KEY, [{ to, name, detail, score, at: now }, ...others], true);
}

const scoreAt = ({ score, at }: VisitedResult, now: number) => score * 0.5 ** ((now - at) / DAY_MS / HALF_LIFE_DAYS);

function isVisited(value: unknown): value is VisitedResult {
  if (typeof value !== 'object' || value === null) return false;
  const { to, name, score, at } = value as Partial<Record<keyof VisitedResult, unknown>>;
  return typeof to === 'string' && typeof name === 'string' && typeof score === 'number' && typeof at === 'number';
}
