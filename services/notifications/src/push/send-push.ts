import { createHash } from 'node:crypto';
import type { PushContent } from '@atrium/proto-events/notices/push-content';
import webPush from 'web-push';
import type { PushSubscriptionRecord } from '../store/push-records.ts';
import type { PushKey } from './push-keys.ts';

/** `gone`: the push service no longer knows the subscription. */
export type SendResult =
  | { outcome: 'sent' }
  | { outcome: 'gone' }
  | { outcome: 'retried'; retryAfterMs: number; reason: string }
  | { outcome: 'failed'; reason: string };

export type Push = {
  content: PushContent;
  key: PushKey;
  /** Of the operator, as `mailto:`. */
  subject: string;
  ttlSeconds: number;
  isUrgent: boolean;
  signal: AbortSignal;
};

const TIMEOUT_MS = 10_000;

/** Sends an encrypted message to a push service (RFC 8030, 8291, 8292). */
export async function sendPush(subscription: PushSubscriptionRecord, push: Push): Promise<SendResult> {
  const { method, endpoint, headers, body } = webPush.generateRequestDetails(
    { endpoint: subscription.endpoint, keys: subscription.keys },
    JSON.stringify(push.content),
    {
      vapidDetails: { subject: push.subject, ...push.key },
      TTL: push.ttlSeconds,
      urgency: push.isUrgent ? 'high' : 'normal',
      topic: toTopic(push.content.tag),
      contentEncoding: 'aes128gcm',
    },
  );
  // `fetch` sets it.
  delete headers['Content-Length'];
  try {
    const response = await fetch(endpoint, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([push.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return toResult(response);
  } catch (error) {
    const reason = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}`.trim() : String(error);
    return { outcome: 'retried', retryAfterMs: 0, reason };
  }
}

/** A message replaces an undelivered one with the same topic, which has at most 32 characters of base64url. */
const toTopic = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function toResult({ ok, status, headers }: Response): SendResult {
  if (ok) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  const reason = `The push service responded ${status}`;
  if (status !== 429 && status < 500) return { outcome: 'failed', reason };
  return { outcome: 'retried', retryAfterMs: toDelayMs(headers.get('retry-after')), reason };
}

/** The header is a number of seconds, or a date. */
function toDelayMs(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const delayMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(delayMs) ? Math.max(delayMs, 0) : 0;
}
