import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const DAY = 24 * 60 * 60_000;
/** For so long a mail is tried that the server takes later; news of projects are none any more after that. */
export const TRY_FOR_MS = 3 * DAY;
/** Of meetings to come, and of the safety of an account, people want to hear however long no mail left. */
const LASTING_MS = 30 * DAY;
/** Links run out by themselves: the one that lives longest after so long. */
const LONGEST_LINK_MS = 7 * DAY;

const LINKS = ['invitation', 'reset'];
/** Somebody waits for these, or has to look into them at once: hours of news of meetings are no reason to wait. */
const FIRST = [...LINKS, 'security'];

export const hasPriority = ({ kind }: MailRecord): boolean => FIRST.includes(kind);

const LASTING = ['meeting', 'security'];

export function isTooOld({ kind, createdAt }: MailRecord): boolean {
  if (LINKS.includes(kind)) return false;
  return createdAt.getTime() < Date.now() - (LASTING.includes(kind) ? LASTING_MS : TRY_FOR_MS);
}

type DueQuery = { limit: number /** Recipients that are not asked for. */; except: readonly string[] };

/** What may be sent now, at most `limit`: what goes first, then whatever has waited longest. */
export async function findDue({ mails }: Store, { limit, except }: DueQuery): Promise<MailRecord[]> {
  const due = { state: 'queued', nextAttemptAt: { $lte: new Date() }, address: { $nin: [...except] } } as const;
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
    .or([
      { kind: { $nin: [...LINKS, ...LASTING] } },
      { kind: { $in: LINKS }, createdAt: before(LONGEST_LINK_MS) },
      { createdAt: before(LASTING_MS) },
    ])
    .limit(limit)
    .lean();
}
