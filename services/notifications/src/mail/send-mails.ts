import type { Directory } from '@atrium/service-kit/directory/directory';
import { requestContext } from '@atrium/service-kit/http/request-context';
import type { Logger } from '@atrium/service-kit/observe/logger';
import { inSpan } from '@atrium/service-kit/observe/tracing';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { retryUntilDone } from '@atrium/service-kit/process/retry';
import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Claim, Claims } from './claims.ts';
import { composeMail, type MailSetting } from './compose-mail.ts';
import { findDue, findOverdue, goesFirst, TRY_FOR_MS } from './due-mails.ts';
import { attemptDelay, judgeFailure } from './mail-failure.ts';
import type { MailMetrics } from './mail-metrics.ts';
import type { Mailer } from './mailer.ts';
import { whyOvertaken } from './why-overtaken.ts';

export type SendDeps = {
  store: Store;
  claims: Claims;
  directory: Directory;
  mailer: Mailer;
  setting: MailSetting;
  log: Logger;
  metrics: MailMetrics;
  /** Told of every mail that has come to its end. */
  onSettled: () => void;
  signal: AbortSignal;
};

const BATCH = 60;
/** So often news of meetings wait for those before them, five minutes in all; then it counts more that they come than in which order. */
const ATTEMPTS_IN_ORDER = 5;

/** One round of the outbox: sends what is due, each recipient's mails one after the other. Answers whether there may be more. */
export async function sendDueMails(deps: SendDeps): Promise<boolean> {
  const due = await deps.store.reach(() => findDue(deps.store, BATCH));
  if (due.length === 0) return false;
  if (!(await deps.mailer.reachable())) return giveUpOverdue(deps);
  const queues = [...Map.groupBy(due, ({ address }) => address).values()];
  const age = ({ createdAt }: MailRecord) => createdAt.getTime();
  const inOrder = queues.map((queue) =>
    queue.toSorted((one, other) => Number(goesFirst(other)) - Number(goesFirst(one)) || age(one) - age(other)),
  );
  const sent = await Promise.all(inOrder.map((queue) => sendInOrder(queue, deps)));
  return due.length === BATCH && sent.some(Boolean);
}

/** Whoever waits to hear of a mail hears that it did not leave, also where the mail server never comes. */
async function giveUpOverdue(deps: SendDeps): Promise<boolean> {
  const overdue = await deps.store.reach(() => findOverdue(deps.store, BATCH));
  const settled = await Promise.all(overdue.map((mail) => attemptAsItself(mail, deps)));
  return overdue.length === BATCH && settled.some(Boolean);
}

async function sendInOrder(queue: MailRecord[], deps: SendDeps): Promise<boolean> {
  let any = false;
  for (const mail of queue) {
    if (deps.signal.aborted || !(await deps.mailer.reachable())) return any;
    // Another pod is at it, or it has to wait: what comes behind must not overtake it.
    if (!(await attemptAsItself(mail, deps))) return any;
    any = true;
  }
  return any;
}

/** An attempt as a part of what the mail belongs to. */
function attemptAsItself(mail: MailRecord, deps: SendDeps): Promise<boolean> {
  const span = { name: 'send mail', kind: 'client', root: true, parent: mail.traceparent } as const;
  return requestContext.run({ requestId: mail.requestId }, () => inSpan(span, () => attempt(mail, deps)));
}

/** Answers whether the mail has come to its end. */
async function attempt(mail: MailRecord, deps: SendDeps): Promise<boolean> {
  const claim = await deps.store.reach(() => deps.claims.take(mail._id, mail.attempts + 1));
  if (!claim) return false;
  try {
    return await trySending(mail, claim, deps);
  } finally {
    claim.end();
  }
}

async function trySending(mail: MailRecord, claim: Claim, deps: SendDeps): Promise<boolean> {
  const { store, mailer, setting } = deps;
  const { attempt: number } = claim;
  try {
    const mailing = await store.reach(() => store.mailings.findById(mail.mailingId).lean());
    const composed = await composeMail(mail, mailing, setting);
    // As late as can be: what has happened by now keeps the mail back.
    const reason = await store.reach(() => whyOvertaken(deps, mail, mailing));
    if (reason !== undefined) return await keepBack(mail, { attempts: number, reason }, deps);
    if (!claim.holds()) return false;
    await mailer.send(composed);
    crashPoint('after-mail-before-note');
  } catch (error) {
    return settleFailure(mail, number, error, deps);
  }
  deps.metrics.count('sent');
  await settle(mail, { state: 'sent', attempts: number, report: 'due', settledAt: new Date(), lastError: null }, deps);
  return true;
}

/** As it should be, so it is no fault to look into: whoever joined by the copied link has no use for the mail. */
async function keepBack(
  mail: MailRecord,
  { attempts, reason: lastError }: { attempts: number; reason: string },
  deps: SendDeps,
): Promise<boolean> {
  deps.log.info({ mail: mail._id, reason: lastError }, 'a mail was kept back');
  deps.metrics.count('kept back');
  await settle(mail, { state: 'failed', attempts, report: 'due', settledAt: new Date(), lastError }, deps);
  return true;
}

async function settleFailure(mail: MailRecord, attempts: number, error: unknown, deps: SendDeps): Promise<boolean> {
  const lastError = error instanceof Error ? error.message.slice(0, 500) : String(error);
  const failure = judgeAttempt(mail, error);
  deps.log.warn({ err: error, mail: mail._id, attempts, failure }, 'a mail could not be sent');
  deps.metrics.count(failure === 'for-good' ? 'failed' : 'retried');
  if (failure === 'for-good') {
    await settle(mail, { state: 'failed', attempts, report: 'due', settledAt: new Date(), lastError }, deps);
    return true;
  }
  const nextAttemptAt = new Date(Date.now() + attemptDelay(failure, attempts));
  await settle(mail, { attempts, nextAttemptAt, lastError }, deps);
  if (attempts <= ATTEMPTS_IN_ORDER) await holdBehind(mail, nextAttemptAt, deps);
  return false;
}

/** News of meetings are read one after the other; a link that somebody waits for does not have to wait for them. */
async function holdBehind(
  { kind, address, createdAt, _id }: MailRecord,
  until: Date,
  { store }: SendDeps,
): Promise<void> {
  if (kind !== 'meeting') return;
  const nextAttemptAt = new Date(until.getTime() + 1);
  const behind = { address, kind, createdAt: { $gte: createdAt }, _id: { $ne: _id }, state: 'queued' } as const;
  await store.reach(() =>
    store.mails.updateMany({ ...behind, nextAttemptAt: { $lt: nextAttemptAt } }, { $set: { nextAttemptAt } }),
  );
}

function judgeAttempt(mail: MailRecord, error: unknown) {
  const failure = judgeFailure(error);
  const old = mail.createdAt.getTime() < Date.now() - TRY_FOR_MS;
  return failure === 'try-later' && old ? 'for-good' : failure;
}

type Outcome = Pick<MailRecord, 'attempts'> &
  Partial<Pick<MailRecord, 'state' | 'nextAttemptAt' | 'settledAt' | 'lastError' | 'report'>>;

/**
 * What has happened to a mail must be written down, or it would be sent again: so this goes on until the store has it. Where another pod
 * has taken this one for dead, the outcome is the other's to tell.
 */
async function settle(mail: MailRecord, outcome: Outcome, { store, log, signal, onSettled }: SendDeps): Promise<void> {
  const own = { _id: mail._id, state: 'queued', attempts: outcome.attempts - 1 } as const;
  const write = () => store.reach(() => store.mails.updateOne(own, { $set: outcome }));
  await retryUntilDone('to note the outcome of a mail', write, log, signal);
  if (outcome.report === 'due') onSettled();
}
