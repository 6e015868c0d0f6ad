import {
  AGGREGATE_HEADER,
  deadLetterSubject,
  REASON_HEADER,
  SEQUENCE_HEADER,
  SUBJECT_HEADER,
} from '@atrium/proto-events/dead-letters';
import type { JsMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { DEAD_LETTERS, type Messaging, requireStream } from '../messaging.ts';

const MAX_REASON_LENGTH = 500;

type DeadLetter = {
  service: string;
  subscription: string;
  message: JsMsg;
  /** The full original subject of the event, also for a replay. */
  subject: string;
  seq: number;
  error: unknown;
};

export async function sendDeadLetter(
  messaging: Messaging,
  { service, subscription, message, subject, seq, error }: DeadLetter,
): Promise<void> {
  await requireStream(messaging, DEAD_LETTERS);
  const letterHeaders = headers();
  letterHeaders.set(SUBJECT_HEADER, subject);
  letterHeaders.set(SEQUENCE_HEADER, String(seq));
  letterHeaders.set(REASON_HEADER, formatReason(error));
  const aggregate = message.headers?.get(AGGREGATE_HEADER);
  if (aggregate) letterHeaders.set(AGGREGATE_HEADER, aggregate);
  await messaging.js.publish(messaging.subject(deadLetterSubject(service, subscription)), message.data, {
    msgID: `${service}-${subscription}:${message.seq}`,
    headers: letterHeaders,
  });
}

function formatReason(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_REASON_LENGTH);
}
