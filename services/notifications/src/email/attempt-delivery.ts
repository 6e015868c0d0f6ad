import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Claim, Claims } from './claims.ts';
import { composeEmail, type EmailSettings } from './compose-email.ts';
import { attemptDelay, classifyFailure, type Failure, uncertainDelay } from './delivery-failure.ts';
import { MAX_AGE_MS } from './due-emails.ts';
import type { Mailer } from './mailer.ts';
import type { EmailMetrics } from './outbox.ts';
import { supersededReason } from './superseded-reason.ts';

export type DeliveryDeps = {
  store: Store;
  claims: Claims;
  directory: Directory;
  mailer: Mailer;
  settings: EmailSettings;
  log: Logger;
  metrics: EmailMetrics;
  /** Called for each email whose outcome is to be published. */
  onSettled: () => void;
  signal: AbortSignal;
};

type OutcomeDeps = Pick<DeliveryDeps, 'store' | 'log' | 'signal' | 'onSettled'>;

type Outcome = Pick<EmailRecord, 'attempts' | 'lastError'> &
  Partial<Pick<EmailRecord, 'state' | 'nextAttemptAt' | 'uncertainAttempts' | 'report'>>;

const finalState = ({ uncertainAttempts = 0 }: EmailRecord): 'failed' | 'uncertain' =>
  uncertainAttempts > 0 ? 'uncertain' : 'failed';

/**
 * Retries until the store has the outcome; otherwise the email would be sent again. Writes nothing if another pod has taken over the
 * claim.
 */
async function recordOutcome(
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
async function delayFollowing(
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

/** Meeting updates wait for earlier ones for this many attempts, about five minutes; after that, delivery takes precedence over order. */
const MAX_ORDERED_ATTEMPTS = 5;

/** Attempts to deliver an email within the trace of its cause. Returns whether its delivery is final. */
export function attemptDelivery(email: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  const span = { name: 'send mail', kind: 'client', root: true, parent: email.traceparent } as const;
  return requestContext.run({ requestId: email.requestId }, () => withSpan(span, () => attemptWithClaim(email, deps)));
}

async function attemptWithClaim(email: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  const claim = await deps.store.reach(() => deps.claims.acquire(email._id, email.attempts + 1));
  if (!claim) return false;
  try {
    return await deliver(email, claim, deps);
  } finally {
    claim.release();
  }
}

async function deliver(queued: EmailRecord, claim: Claim, deps: DeliveryDeps): Promise<boolean> {
  const { store, mailer, settings } = deps;
  const { attempt: attempts } = claim;
  let email = queued;
  try {
    // It may have replaced another email since it was read.
    if (email.topic !== undefined) email = (await store.reach(() => store.emails.findById(email._id).lean())) ?? email;
    const mailing = await store.reach(() => store.mailings.findById(email.mailingId).lean());
    const composed = await composeEmail(email, mailing, settings);
    // As late as possible, so that recent changes are taken into account.
    const reason = await store.reach(() => supersededReason(deps, email, mailing));
    if (reason !== undefined) return await withholdEmail(email, { attempts, reason }, deps);
    if (!claim.isHeld()) return false;
    await mailer.send(composed);
    crashPoint('after-mail-before-note');
  } catch (error) {
    return settleFailure(email, { attempts, error }, deps);
  }
  deps.metrics.count('sent');
  await recordOutcome(email, { state: 'sent', attempts, lastError: null }, deps);
  return true;
}

/** An expected outcome, so it is logged as info. */
async function withholdEmail(
  email: EmailRecord,
  { attempts, reason }: { attempts: number; reason: string },
  deps: DeliveryDeps,
) {
  deps.log.info({ emailId: email._id, reason }, 'Email withheld');
  deps.metrics.count('withheld');
  await recordOutcome(email, { state: finalState(email), attempts, lastError: reason }, deps);
  return true;
}

async function settleFailure(
  email: EmailRecord,
  { attempts, error }: { attempts: number; error: unknown },
  deps: DeliveryDeps,
): Promise<boolean> {
  const lastError = error instanceof Error ? error.message.slice(0, 500) : String(error);
  const failure = classifyAttempt(email, error);
  deps.log.warn({ err: error, emailId: email._id, attempts, failure }, 'Failed to send email');
  if (failure === 'uncertain') return settleUncertain(email, { attempts, lastError }, deps);
  deps.metrics.count(failure === 'permanent' ? 'failed' : 'retried');
  if (failure === 'permanent') {
    await recordOutcome(email, { state: finalState(email), attempts, lastError }, deps);
    return true;
  }
  const nextAttemptAt = new Date(Date.now() + attemptDelay(failure, attempts));
  await recordOutcome(email, { attempts, nextAttemptAt, lastError }, deps);
  if (attempts <= MAX_ORDERED_ATTEMPTS) await delayFollowing(email, nextAttemptAt, deps);
  return false;
}

/** Published after the first uncertain attempt: the email may have arrived, so it must not be shown as queued. */
async function settleUncertain(
  email: EmailRecord,
  { attempts, lastError }: { attempts: number; lastError: string },
  deps: DeliveryDeps,
): Promise<boolean> {
  deps.metrics.count('uncertain');
  const uncertainAttempts = (email.uncertainAttempts ?? 0) + 1;
  const delayMs = uncertainDelay(uncertainAttempts);
  const ended = delayMs === undefined;
  await recordOutcome(
    email,
    {
      ...{ attempts, uncertainAttempts, lastError },
      // Further uncertain attempts do not change the outcome.
      ...(uncertainAttempts === 1 && { report: 'due' as const }),
      ...(ended ? { state: 'uncertain' } : { nextAttemptAt: new Date(Date.now() + delayMs) }),
    },
    deps,
  );
  return ended;
}

function classifyAttempt(email: EmailRecord, error: unknown): Failure {
  const failure = classifyFailure(error);
  const old = email.createdAt.getTime() < Date.now() - MAX_AGE_MS;
  return old && (failure === 'try-later' || failure === 'interrupted') ? 'permanent' : failure;
}
