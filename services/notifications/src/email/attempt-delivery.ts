import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import { withSpan } from '@atrium/service-kit/observability/tracing';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { EmailRecord } from '../store/records.ts';
import { anyOf, type Store } from '../store/store.ts';
import type { Claim, Claims } from './claims.ts';
import { composeEmail, type EmailSettings } from './compose-email.ts';
import { classifyFailure, type Failure, getRetryDelay, getUncertainRetryDelay } from './delivery-failure.ts';
import { getAgeStart, MAX_AGE_MS } from './due-emails.ts';
import type { Mailer } from './mailer.ts';
import { removeEmailsTo } from './remove-emails.ts';
import { postponeEmails } from './reschedule-emails.ts';
import { getSupersededReason } from './superseded-reason.ts';

/**
 * Outcomes of attempts, as counted by the metric. `uncertain`: the server may have accepted the email; `withheld`: the
 * email became obsolete.
 */
export const ATTEMPT_OUTCOMES = ['sent', 'retried', 'uncertain', 'failed', 'withheld'] as const;
type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export type DeliveryDeps = {
  store: Store;
  claims: Claims;
  directory: Directory;
  mailer: Mailer;
  settings: EmailSettings;
  log: Logger;
  countOutcome: (outcome: AttemptOutcome) => void;
  onSettled: () => void;
  signal: AbortSignal;
};

type Outcome = { attemptOutcome: AttemptOutcome } & Pick<EmailRecord, 'lastError'> &
  Partial<Pick<EmailRecord, 'state' | 'nextAttemptAt' | 'uncertainAttempts' | 'report'>>;

/**
 * Meeting updates wait for earlier ones for this many attempts, about five minutes; after that, delivery takes
 * precedence over order.
 */
const MAX_ORDERED_ATTEMPTS = 5;

/** Attempts to deliver an email within the trace of its cause. Returns whether its delivery is final. */
export function attemptDelivery(email: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  const span = { name: 'send mail', kind: 'client', root: true, parent: email.traceparent } as const;
  return requestContext.run({ requestId: email.requestId }, () => withSpan(span, () => attemptWithClaim(email, deps)));
}

async function attemptWithClaim(email: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  if (await deps.store.run(() => postponeEmails(deps, email))) return false;
  const claim = await deps.store.run(() => deps.claims.acquire(email._id, email.attempts + 1));
  if (!claim) return false;
  try {
    return await deliver(email, claim, deps);
  } finally {
    claim.release();
  }
}

async function deliver(queued: EmailRecord, claim: Claim, deps: DeliveryDeps): Promise<boolean> {
  const { store, log } = deps;
  const { attempt } = claim;
  let email = queued;
  let outcome: Outcome;
  try {
    // An earlier email may have been merged into it since it was read.
    if (email.topic !== undefined) email = (await store.run(() => store.emails.findById(email._id).lean())) ?? email;
    const [mailing, text] = await store.run(() =>
      Promise.all([store.mailings.findById(email.mailingId).lean(), findText(store, email)]),
    );
    const composed = await composeEmail(email, { mailing, text }, deps.settings);
    // Checked as late as possible, so that recent changes are taken into account.
    const reason = await store.run(() => getSupersededReason(deps, email, mailing));
    if (reason === undefined) {
      if (!claim.isHeld()) return false;
      await deps.mailer.send(composed);
      crashPoint('after-mail-before-note');
      outcome = { attemptOutcome: 'sent', state: 'sent', lastError: null };
    } else {
      log.info({ emailId: email._id, reason }, 'Email withheld');
      outcome = { attemptOutcome: 'withheld', state: finalState(email), lastError: reason };
    }
  } catch (error) {
    const failure = classifyAttempt(email, error);
    log.warn({ err: error, emailId: email._id, attempts: attempt, failure }, 'Failed to send email');
    const lastError = error instanceof Error ? error.message.slice(0, 500) : String(error);
    outcome = { ...failureOutcome(email, failure, attempt), lastError };
  }
  deps.countOutcome(outcome.attemptOutcome);
  await recordOutcome(email, { ...outcome, attempt }, deps);
  // An event that was handled after the deletion may have queued it.
  const { recipientId } = email;
  if (deps.directory.user(recipientId)?.deleted) await store.run(() => removeEmailsTo(store, recipientId));
  if (outcome.attemptOutcome === 'retried' && attempt <= MAX_ORDERED_ATTEMPTS)
    await delayLaterEmails(email, outcome.nextAttemptAt, deps);
  return outcome.state !== undefined;
}

/** Edits and deletions remove it from the notification that an email is about. */
async function findText({ notifications }: Store, { kind, recipientId: personId, notificationIds = [] }: EmailRecord) {
  if (kind !== 'notice') return undefined;
  const notification = await notifications.findOne({ personId, _id: anyOf(notificationIds) }, { text: 1 }).lean();
  return notification?.text;
}

const finalState = ({ uncertainAttempts = 0 }: EmailRecord): 'failed' | 'uncertain' =>
  uncertainAttempts > 0 ? 'uncertain' : 'failed';

function classifyAttempt(email: EmailRecord, error: unknown): Failure {
  const failure = classifyFailure(error);
  const isOld = getAgeStart(email) < Date.now() - MAX_AGE_MS;
  return isOld && (failure === 'try-later' || failure === 'interrupted') ? 'permanent' : failure;
}

function failureOutcome(email: EmailRecord, failure: Failure, attempt: number): Omit<Outcome, 'lastError'> {
  const retryAfter = (delayMs: number) => ({ nextAttemptAt: new Date(Date.now() + delayMs) });
  if (failure === 'permanent') return { attemptOutcome: 'failed', state: finalState(email) };
  if (failure !== 'uncertain') return { attemptOutcome: 'retried', ...retryAfter(getRetryDelay(failure, attempt)) };
  const uncertainAttempts = (email.uncertainAttempts ?? 0) + 1;
  const delayMs = getUncertainRetryDelay(uncertainAttempts);
  return {
    attemptOutcome: 'uncertain',
    uncertainAttempts,
    // The email may have arrived, so it must not be shown as queued. Later uncertain attempts need no second report.
    ...(uncertainAttempts === 1 && { report: 'due' }),
    ...(delayMs === undefined ? { state: 'uncertain' } : retryAfter(delayMs)),
  };
}

/**
 * Retries until stored; otherwise the email would be sent again. Writes nothing if another pod has taken over the
 * claim.
 */
async function recordOutcome(
  { _id }: EmailRecord,
  { attempt, attemptOutcome: _, ...outcome }: Outcome & { attempt: number },
  { store, log, signal, onSettled }: DeliveryDeps,
): Promise<void> {
  const change = {
    ...outcome,
    attempts: attempt,
    ...(outcome.state && { settledAt: new Date() }),
    // Uncertain outcomes were published after the first uncertain attempt.
    ...(outcome.state && outcome.state !== 'uncertain' && { report: 'due' as const }),
  };
  const sameAttempt = { _id, state: 'queued', attempts: attempt - 1 } as const;
  const write = () => store.run(() => store.emails.updateOne(sameAttempt, { $set: change }));
  await retryUntilDone('Record the outcome of an email', write, log, signal);
  if (change.settledAt || change.report === 'due') onSettled();
}

/** Delays later meeting emails to the recipient, so that updates arrive in order. Links do not wait. */
async function delayLaterEmails(
  { kind, address, createdAt, _id }: EmailRecord,
  until: Date | undefined,
  { store }: DeliveryDeps,
): Promise<void> {
  if (kind !== 'meeting' || !until) return;
  const nextAttemptAt = new Date(until.getTime() + 1);
  const laterEmails = { address, kind, createdAt: { $gte: createdAt }, _id: { $ne: _id }, state: 'queued' } as const;
  await store.run(() =>
    store.emails.updateMany({ ...laterEmails, nextAttemptAt: { $lt: nextAttemptAt } }, { $set: { nextAttemptAt } }),
  );
}
