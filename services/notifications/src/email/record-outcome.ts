import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { EmailRecord } from '../store/records.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

type OutcomeDeps = Pick<DeliveryDeps, 'store' | 'log' | 'signal' | 'onSettled'>;

export type Outcome = Pick<EmailRecord, 'attempts' | 'lastError'> &
  Partial<Pick<EmailRecord, 'state' | 'nextAttemptAt' | 'uncertainAttempts' | 'report'>>;

export const finalState = ({ uncertainAttempts = 0 }: EmailRecord): 'failed' | 'uncertain' =>
  uncertainAttempts > 0 ? 'uncertain' : 'failed';

/**
 * Retries until the store has the outcome; otherwise the email would be sent again. Writes nothing if another pod has taken over the
 * claim.
 */
export async function recordOutcome(
  email: EmailRecord,
  outcome: Outcome,
  { store, log, signal, onSettled }: OutcomeDeps,
): Promise<void> {
  const own = { _id: email._id, state: 'queued', attempts: outcome.attempts - 1 } as const;
  // Uncertain outcomes were published after the first uncertain attempt.
  const settled = outcome.state && {
    settledAt: new Date(),
    ...(outcome.state !== 'uncertain' && { report: 'due' as const }),
  };
  const write = () => store.reach(() => store.emails.updateOne(own, { $set: { ...outcome, ...settled } }));
  await retryUntilDone('Record the outcome of an email', write, log, signal);
  if (settled || outcome.report === 'due') onSettled();
}

/** Delays later meeting emails to the recipient, so that updates arrive in order. Links do not wait. */
export async function delayFollowing(
  { kind, address, createdAt, _id }: EmailRecord,
  until: Date,
  { store }: OutcomeDeps,
): Promise<void> {
  if (kind !== 'meeting') return;
  const nextAttemptAt = new Date(until.getTime() + 1);
  const behind = { address, kind, createdAt: { $gte: createdAt }, _id: { $ne: _id }, state: 'queued' } as const;
  await store.reach(() =>
    store.emails.updateMany({ ...behind, nextAttemptAt: { $lt: nextAttemptAt } }, { $set: { nextAttemptAt } }),
  );
}
