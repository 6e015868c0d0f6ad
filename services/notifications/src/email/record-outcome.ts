import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { MailRecord } from '../store/records.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

type Needs = Pick<DeliveryDeps, 'store' | 'log' | 'signal' | 'onSettled'>;

export type Outcome = Pick<MailRecord, 'attempts' | 'lastError'> &
  Partial<Pick<MailRecord, 'state' | 'nextAttemptAt' | 'uncertainAttempts' | 'report'>>;

/** How an email ends that is not sent any more: it has perhaps arrived by an earlier attempt. */
export const endedState = ({ uncertainAttempts = 0 }: MailRecord): 'failed' | 'uncertain' =>
  uncertainAttempts > 0 ? 'uncertain' : 'failed';

/**
 * What has happened to an email must be recorded, or it would be sent again: so this goes on until the store has it. Where another pod
 * has taken this one for dead, the outcome is the other's to record.
 */
export async function recordOutcome(
  mail: MailRecord,
  outcome: Outcome,
  { store, log, signal, onSettled }: Needs,
): Promise<void> {
  const own = { _id: mail._id, state: 'queued', attempts: outcome.attempts - 1 } as const;
  // That an outcome is uncertain was reported at the first such attempt.
  const settled = outcome.state && {
    settledAt: new Date(),
    ...(outcome.state !== 'uncertain' && { report: 'due' as const }),
  };
  const write = () => store.reach(() => store.mails.updateOne(own, { $set: { ...outcome, ...settled } }));
  await retryUntilDone('Record the outcome of an email', write, log, signal);
  if (settled || outcome.report === 'due') onSettled();
}

/** Updates of meetings are read one after the other; a link that somebody waits for does not have to wait for them. */
export async function holdBehind(
  { kind, address, createdAt, _id }: MailRecord,
  until: Date,
  { store }: Needs,
): Promise<void> {
  if (kind !== 'meeting') return;
  const nextAttemptAt = new Date(until.getTime() + 1);
  const behind = { address, kind, createdAt: { $gte: createdAt }, _id: { $ne: _id }, state: 'queued' } as const;
  await store.reach(() =>
    store.mails.updateMany({ ...behind, nextAttemptAt: { $lt: nextAttemptAt } }, { $set: { nextAttemptAt } }),
  );
}
