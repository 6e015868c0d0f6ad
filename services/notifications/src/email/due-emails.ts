import { MAX_QUEUED_MS } from '../store/expire-records.ts';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const DAY = 24 * 60 * 60_000;
/** Emails that the mail server temporarily rejects are retried for this long; project and task emails are obsolete after that. */
export const MAX_AGE_MS = 3 * DAY;
/** The longest lifetime of a link in an email. */
const MAX_LINK_LIFETIME_MS = 7 * DAY;

const LINK_KINDS = ['invitation', 'reset'];
/** Users wait for these or must act on them, so they are sent before other emails. */
const PRIORITY_KINDS = [...LINK_KINDS, 'security'];

export const hasPriority = ({ kind }: EmailRecord): boolean => PRIORITY_KINDS.includes(kind);

/** These stay relevant for longer than the others, up to `MAX_QUEUED_MS`. */
const LONG_LIVED_KINDS = ['meeting', 'security'];

export function isTooOld({ kind, createdAt }: EmailRecord): boolean {
  if (LINK_KINDS.includes(kind)) return false;
  return createdAt.getTime() < Date.now() - (LONG_LIVED_KINDS.includes(kind) ? MAX_QUEUED_MS : MAX_AGE_MS);
}

type DueQuery = { limit: number /** Recipients to skip. */; except: readonly string[] };

export async function findDue({ emails }: Store, { limit, except }: DueQuery): Promise<EmailRecord[]> {
  const due = { state: 'queued', nextAttemptAt: { $lte: new Date() }, address: { $nin: [...except] } } as const;
  const priority = await emails
    .find({ ...due, kind: { $in: PRIORITY_KINDS } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean();
  // MongoDB treats a limit of 0 as no limit.
  if (priority.length === limit) return priority;
  const others = await emails
    .find({ ...due, kind: { $nin: PRIORITY_KINDS } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit - priority.length)
    .lean();
  return [...priority, ...others];
}

export function findOverdue({ emails }: Store, limit: number): Promise<EmailRecord[]> {
  const before = (ageMs: number) => ({ $lt: new Date(Date.now() - ageMs) });
  return emails
    .find({ state: 'queued', createdAt: before(MAX_AGE_MS) })
    .or([
      { kind: { $nin: [...LINK_KINDS, ...LONG_LIVED_KINDS] } },
      { kind: { $in: LINK_KINDS }, createdAt: before(MAX_LINK_LIFETIME_MS) },
      { createdAt: before(MAX_QUEUED_MS) },
    ])
    .limit(limit)
    .lean();
}
