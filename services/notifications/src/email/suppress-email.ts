import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Id of the record of the last restore. */
export const LAST_RESTORE_ID = 'last';

/** Emails about events before a restore may have been sent already, so they fail without being sent. */
export const suppressedEmail = (now: Date): Pick<EmailRecord, 'state' | 'report' | 'settledAt' | 'lastError'> => ({
  state: 'failed',
  report: 'due',
  settledAt: now,
  lastError: 'Suppressed: the event precedes the last restore, and the email may have been sent before it',
});

export async function happenedBeforeRestore({ restores }: Store, occurredAt: string): Promise<boolean> {
  const last = await restores.findById(LAST_RESTORE_ID).lean();
  return last !== null && Date.parse(occurredAt) < last.at.getTime();
}
