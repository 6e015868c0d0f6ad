import { MAX_QUEUED_MS } from '../store/expire-records.ts';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Emails that the mail server temporarily rejects are retried for this long; project and task emails are obsolete after
 * that.
 */
export const MAX_AGE_MS = 3 * DAY_MS;
/** The longest lifetime of a link in an email. */
const MAX_LINK_LIFETIME_MS = 7 * DAY_MS;

const LINK_KINDS = ['invitation', 'reset'];
/** Users wait for emails of these kinds or must act on them, so they are sent before others. */
const PRIORITY_KINDS = [...LINK_KINDS, 'security'];

export const hasPriority = ({ kind }: EmailRecord): boolean => PRIORITY_KINDS.includes(kind);

/** Emails of these kinds stay relevant for longer than others, up to `MAX_QUEUED_MS`. */
const LONG_LIVED_KINDS = ['meeting', 'security'];

/** Emails that were postponed by quiet hours or a pause age from the end of it. */
export const getAgeStart = ({ createdAt, notBefore }: EmailRecord): number => (notBefore ?? createdAt).getTime();

export function isTooOld(email: EmailRecord): boolean {
  const { kind } = email;
  if (LINK_KINDS.includes(kind)) return false;
  return getAgeStart(email) < Date.now() - (LONG_LIVED_KINDS.includes(kind) ? MAX_QUEUED_MS : MAX_AGE_MS);
}

type DueQuery = { limit: number; excludedAddresses: readonly string[] };

export async function findDue({ emails }: Store, { limit, excludedAddresses }: DueQuery): Promise<EmailRecord[]> {
  const dueFilter = {
    state: 'queued',
    nextAttemptAt: { $lte: new Date() },
    address: { $nin: [...excludedAddresses] },
  } as const;
  const priorityEmails = await emails
    .find({ ...dueFilter, kind: { $in: PRIORITY_KINDS } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean();
  // MongoDB treats a limit of 0 as no limit.
  if (priorityEmails.length === limit) return priorityEmails;
  const otherEmails = await emails
    .find({ ...dueFilter, kind: { $nin: PRIORITY_KINDS } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit - priorityEmails.length)
    .lean();
  return [...priorityEmails, ...otherEmails];
}

/** Finds queued emails that have become too old to send. */
export function findExpired({ emails }: Store, limit: number): Promise<EmailRecord[]> {
  const olderThan = (ageMs: number) => ({ $lt: new Date(Date.now() - ageMs) });
  return emails
    .find({ state: 'queued', createdAt: olderThan(MAX_AGE_MS), nextAttemptAt: { $lte: new Date() } })
    .or([
      { kind: { $nin: [...LINK_KINDS, ...LONG_LIVED_KINDS] } },
      { kind: { $in: LINK_KINDS }, createdAt: olderThan(MAX_LINK_LIFETIME_MS) },
      { createdAt: olderThan(MAX_QUEUED_MS) },
    ])
    .limit(limit)
    .lean();
}
