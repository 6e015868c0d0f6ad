import { DeliverPolicy, type JsMsg, type StreamInfo } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Installation } from '../installation/installation.ts';

const MAX_BUFFERED_MESSAGES = 1_000;
const STALL_TIMEOUT_MS = 30_000;

type Range = { from: number; to: number };

export async function* readMessages(
  { js }: Pick<Installation, 'js'>,
  stream: string,
  { from, to }: Range,
): AsyncGenerator<JsMsg> {
  if (to < from || to === 0) return;
  const consumer = await js.consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
  });
  if ((await consumer.info(true)).num_pending === 0) return;
  const messages = await consumer.consume({ max_messages: MAX_BUFFERED_MESSAGES });
  const stallTimer = setInterval(
    () => void messages.stop(new Error(`No message received from ${stream} within ${STALL_TIMEOUT_MS / 1_000} s`)),
    STALL_TIMEOUT_MS,
  );
  try {
    for await (const message of messages) {
      stallTimer.refresh();
      if (message.seq > to) return;
      yield message;
      if (message.seq === to || message.info.pending === 0) return;
    }
  } finally {
    clearInterval(stallTimer);
    await messages.close();
  }
}

export const readStream = (
  installation: Pick<Installation, 'js'>,
  { config, state }: StreamInfo,
): AsyncGenerator<JsMsg> =>
  readMessages(installation, config.name, { from: state.first_seq, to: state.messages === 0 ? 0 : state.last_seq });

const lineSchema = z.object({
  seq: z.number(),
  time: z.string(),
  subject: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Present if the payload is valid UTF-8; otherwise `base64` is. */
  text: z.string().optional(),
  base64: z.string().optional(),
});

export type BackupMessage = { seq: number; subject: string; headers: MsgHdrs; data: Uint8Array };

export function serializeMessage(message: JsMsg): string {
  const { seq, subject } = message;
  const text = Buffer.from(message.data).toString('utf8');
  const isText = Buffer.from(text).equals(message.data);
  return `${JSON.stringify({
    seq,
    time: message.timestamp,
    subject,
    headers: toHeaderPairs(message.headers),
    ...(isText ? { text } : { base64: Buffer.from(message.data).toString('base64') }),
  } satisfies z.input<typeof lineSchema>)}\n`;
}

const toHeaderPairs = (headers: MsgHdrs | undefined): [string, string][] =>
  [...(headers ?? [])].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

export function parseMessage(text: string): BackupMessage {
  const line = lineSchema.parse(JSON.parse(text));
  const messageHeaders = headers();
  for (const [name, value] of line.headers) messageHeaders.append(name, value);
  const data = line.base64 === undefined ? Buffer.from(line.text ?? '') : Buffer.from(line.base64, 'base64');
  return { seq: line.seq, subject: line.subject, headers: messageHeaders, data };
}
