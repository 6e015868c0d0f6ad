import { requestContext } from '@atrium/service-kit/http/request-context';
import { inSpan } from '@atrium/service-kit/observability/tracing';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import type { MailRecord } from '../store/records.ts';
import type { Claim } from './claims.ts';
import { composeMail } from './compose-mail.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { TRY_FOR_MS } from './due-emails.ts';
import { attemptDelay, type Failure, judgeFailure, uncertainDelay } from './mail-failure.ts';
import { endedState, holdBehind, recordOutcome } from './record-outcome.ts';
import { supersededReason } from './superseded-reason.ts';

/** So often updates of meetings wait for those before them, five minutes in all; then it counts more that they come than in which order. */
const ATTEMPTS_IN_ORDER = 5;

/** Attempts to deliver an email, in the trace of what it belongs to. Returns whether it has come to its end. */
export function attemptDelivery(mail: MailRecord, deps: DeliveryDeps): Promise<boolean> {
  const span = { name: 'send mail', kind: 'client', root: true, parent: mail.traceparent } as const;
  return requestContext.run({ requestId: mail.requestId }, () => inSpan(span, () => attemptWithClaim(mail, deps)));
}

async function attemptWithClaim(mail: MailRecord, deps: DeliveryDeps): Promise<boolean> {
  const claim = await deps.store.reach(() => deps.claims.take(mail._id, mail.attempts + 1));
  if (!claim) return false;
  try {
    return await deliver(mail, claim, deps);
  } finally {
    claim.end();
  }
}

async function deliver(queued: MailRecord, claim: Claim, deps: DeliveryDeps): Promise<boolean> {
  const { store, mailer, setting } = deps;
  const { attempt: attempts } = claim;
  let mail = queued;
  try {
    // It may have replaced another one since it was found.
    if (mail.topic !== undefined) mail = (await store.reach(() => store.mails.findById(mail._id).lean())) ?? mail;
    const mailing = await store.reach(() => store.mailings.findById(mail.mailingId).lean());
    const composed = await composeMail(mail, mailing, setting);
    // As late as can be: what has happened by now makes the email obsolete.
    const reason = await store.reach(() => supersededReason(deps, mail, mailing));
    if (reason !== undefined) return await keepBack(mail, { attempts, reason }, deps);
    if (!claim.holds()) return false;
    await mailer.send(composed);
    crashPoint('after-mail-before-note');
  } catch (error) {
    return settleFailure(mail, { attempts, error }, deps);
  }
  deps.metrics.count('sent');
  await recordOutcome(mail, { state: 'sent', attempts, lastError: null }, deps);
  return true;
}

/** As it should be, so it is no error to look into: whoever joined by the copied link has no use for the email. */
async function keepBack(
  mail: MailRecord,
  { attempts, reason }: { attempts: number; reason: string },
  deps: DeliveryDeps,
) {
  deps.log.info({ mail: mail._id, reason }, 'Email withheld');
  deps.metrics.count('kept back');
  await recordOutcome(mail, { state: endedState(mail), attempts, lastError: reason }, deps);
  return true;
}

async function settleFailure(
  mail: MailRecord,
  { attempts, error }: { attempts: number; error: unknown },
  deps: DeliveryDeps,
): Promise<boolean> {
  const lastError = error instanceof Error ? error.message.slice(0, 500) : String(error);
  const failure = judgeAttempt(mail, error);
  deps.log.warn({ err: error, mail: mail._id, attempts, failure }, 'Failed to send email');
  if (failure === 'uncertain') return settleUncertain(mail, { attempts, lastError }, deps);
  deps.metrics.count(failure === 'for-good' ? 'failed' : 'retried');
  if (failure === 'for-good') {
    await recordOutcome(mail, { state: endedState(mail), attempts, lastError }, deps);
    return true;
  }
  const nextAttemptAt = new Date(Date.now() + attemptDelay(failure, attempts));
  await recordOutcome(mail, { attempts, nextAttemptAt, lastError }, deps);
  if (attempts <= ATTEMPTS_IN_ORDER) await holdBehind(mail, nextAttemptAt, deps);
  return false;
}

/** Reported at once, so that nobody is told that an email is still waiting which has perhaps arrived. */
async function settleUncertain(
  mail: MailRecord,
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
      // Repeats have the same outcome, which is reported once.
      ...(uncertainAttempts === 1 && { report: 'due' as const }),
      ...(ended ? { state: 'uncertain' } : { nextAttemptAt: new Date(Date.now() + delayMs) }),
    },
    deps,
  );
  return ended;
}

function judgeAttempt(mail: MailRecord, error: unknown): Failure {
  const failure = judgeFailure(error);
  const old = mail.createdAt.getTime() < Date.now() - TRY_FOR_MS;
  return old && (failure === 'try-later' || failure === 'interrupted') ? 'for-good' : failure;
}
