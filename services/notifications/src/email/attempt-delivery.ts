import { requestContext } from '@atrium/service-kit/http/request-context';
import { inSpan } from '@atrium/service-kit/observability/tracing';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { EmailRecord } from '../store/records.ts';
import type { Claim } from './claims.ts';
import { composeEmail } from './compose-email.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { attemptDelay, classifyFailure, type Failure, uncertainDelay } from './delivery-failure.ts';
import { MAX_AGE_MS } from './due-emails.ts';
import { delayFollowing, finalState, recordOutcome } from './record-outcome.ts';
import { supersededReason } from './superseded-reason.ts';

/** Meeting updates wait for earlier ones for this many attempts, about five minutes; after that, delivery takes precedence over order. */
const MAX_ORDERED_ATTEMPTS = 5;

/** Attempts to deliver an email within the trace of its cause. Returns whether its delivery is final. */
export function attemptDelivery(mail: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  const span = { name: 'send mail', kind: 'client', root: true, parent: mail.traceparent } as const;
  return requestContext.run({ requestId: mail.requestId }, () => inSpan(span, () => attemptWithClaim(mail, deps)));
}

async function attemptWithClaim(mail: EmailRecord, deps: DeliveryDeps): Promise<boolean> {
  const claim = await deps.store.reach(() => deps.claims.acquire(mail._id, mail.attempts + 1));
  if (!claim) return false;
  try {
    return await deliver(mail, claim, deps);
  } finally {
    claim.release();
  }
}

async function deliver(queued: EmailRecord, claim: Claim, deps: DeliveryDeps): Promise<boolean> {
  const { store, mailer, setting } = deps;
  const { attempt: attempts } = claim;
  let mail = queued;
  try {
    // It may have replaced another email since it was read.
    if (mail.topic !== undefined) mail = (await store.reach(() => store.emails.findById(mail._id).lean())) ?? mail;
    const mailing = await store.reach(() => store.mailings.findById(mail.mailingId).lean());
    const composed = await composeEmail(mail, mailing, setting);
    // As late as possible, so that recent changes are taken into account.
    const reason = await store.reach(() => supersededReason(deps, mail, mailing));
    if (reason !== undefined) return await withholdEmail(mail, { attempts, reason }, deps);
    if (!claim.isHeld()) return false;
    await mailer.send(composed);
    crashPoint('after-mail-before-note');
  } catch (error) {
    return settleFailure(mail, { attempts, error }, deps);
  }
  deps.metrics.count('sent');
  await recordOutcome(mail, { state: 'sent', attempts, lastError: null }, deps);
  return true;
}

/** An expected outcome, so it is logged as info. */
async function withholdEmail(
  mail: EmailRecord,
  { attempts, reason }: { attempts: number; reason: string },
  deps: DeliveryDeps,
) {
  deps.log.info({ mail: mail._id, reason }, 'Email withheld');
  deps.metrics.count('kept back');
  await recordOutcome(mail, { state: finalState(mail), attempts, lastError: reason }, deps);
  return true;
}

async function settleFailure(
  mail: EmailRecord,
  { attempts, error }: { attempts: number; error: unknown },
  deps: DeliveryDeps,
): Promise<boolean> {
  const lastError = error instanceof Error ? error.message.slice(0, 500) : String(error);
  const failure = classifyAttempt(mail, error);
  deps.log.warn({ err: error, mail: mail._id, attempts, failure }, 'Failed to send email');
  if (failure === 'uncertain') return settleUncertain(mail, { attempts, lastError }, deps);
  deps.metrics.count(failure === 'permanent' ? 'failed' : 'retried');
  if (failure === 'permanent') {
    await recordOutcome(mail, { state: finalState(mail), attempts, lastError }, deps);
    return true;
  }
  const nextAttemptAt = new Date(Date.now() + attemptDelay(failure, attempts));
  await recordOutcome(mail, { attempts, nextAttemptAt, lastError }, deps);
  if (attempts <= MAX_ORDERED_ATTEMPTS) await delayFollowing(mail, nextAttemptAt, deps);
  return false;
}

/** Published after the first uncertain attempt: the email may have arrived, so it must not be shown as queued. */
async function settleUncertain(
  mail: EmailRecord,
  { attempts, lastError }: { attempts: number; lastError: string },
  deps: DeliveryDeps,
): Promise<boolean> {
  deps.metrics.count('uncertain');
  const uncertainAttempts = (mail.uncertainAttempts ?? 0) + 1;
  const delayMs = uncertainDelay(uncertainAttempts);
  const ended = delayMs === undefined;
  await recordOutcome(
    mail,
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

function classifyAttempt(mail: EmailRecord, error: unknown): Failure {
  const failure = classifyFailure(error);
  const old = mail.createdAt.getTime() < Date.now() - MAX_AGE_MS;
  return old && (failure === 'try-later' || failure === 'interrupted') ? 'permanent' : failure;
}
