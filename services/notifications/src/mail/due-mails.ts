import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const DAY = 24 * 60 * 60_000;
/** For so long a mail is tried; what it tells is no news any more after that. */
export const TRY_FOR_MS = 3 * DAY;
/** Links run out by themselves: the one that lives longest after so long. */
const LONGEST_LINK_MS = 7 * DAY;

const LINKS = ['invitation', 'reset'];
/** Somebody waits for these, or has to look into them at once: hours of news of meetings are no reason to wait. */
const FIRST = [...LINKS, 'security'];

export const goesFirst = ({ kind }: MailRecord): boolean => FIRST.includes(kind);

export const isTooOld = ({ kind, createdAt }: MailRecord): boolean =>
  !LINKS.includes(kind) && createdAt.getTime() < Date.now() - TRY_FOR_MS;

/** What may leave now, at most `limit`: what goes first, then whatever has waited longest. */
export async function findDue({ mails }: Store, limit: number): Promise<MailRecord[]> {
  const due = { state: 'queued', nextAttemptAt: { $lte: new Date() } } as const;
  const first = await mails
    .find({ ...due, kind: { $in: FIRST } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean();
  // No limit is what a limit of 0 would be.
  if (first.length === limit) return first;
  const others = await mails
    .find({ ...due, kind: { $nin: FIRST } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit - first.length)
    .lean();
  return [...first, ...others];
}

/** What leaves no more whenever the mail server comes: too old, or with a link that has run out. */
export function findOverdue({ mails }: Store, limit: number): Promise<MailRecord[]> {
  const before = (ageMs: number) => ({ $lt: new Date(Date.now() - ageMs) });
  return mails
    .find({ state: 'queued', createdAt: before(TRY_FOR_MS) })
    .or([{ kind: { $nin: LINKS } }, { createdAt: before(LONGEST_LINK_MS) }])
    .limit(limit)
    .lean();
}
