import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** The id of the record that tells of the last restore. */
export const LAST_RESTORE = 'last';

/**
 * What becomes of a mail that may have left already, in the time that a restore has taken back: it is not sent, and whoever waits to
 * hear of it hears that it failed.
 */
export const suppressedEmail = (now: Date): Pick<MailRecord, 'state' | 'report' | 'settledAt' | 'lastError'> => ({
  state: 'failed',
  report: 'due',
  settledAt: now,
  lastError: 'held back: it is of the time before the workspace was restored, and may have been sent then',
});

/** Whether something happened before the last restore, however late it is heard of. */
export async function isOfBeforeRestore({ restores }: Store, occurredAt: string): Promise<boolean> {
  const last = await restores.findById(LAST_RESTORE).lean();
  return last !== null && Date.parse(occurredAt) < last.at.getTime();
}
