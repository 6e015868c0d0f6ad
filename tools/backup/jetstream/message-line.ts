import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';

const line = z.object({
  seq: z.number(),
  time: z.string(),
  subject: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Present if the payload is valid UTF-8; otherwise `base64` is. */
  text: z.string().optional(),
  base64: z.string().optional(),
});

export type BackupMessage = { seq: number; subject: string; headers: MsgHdrs; data: Uint8Array };

export function toLine(message: JsMsg): string {
  const { seq, subject } = message;
  const text = Buffer.from(message.data).toString('utf8');
  const isText = Buffer.from(text).equals(message.data);
  return `${JSON.stringify({
    seq,
    time: message.timestamp,
    subject,
    headers: pairsOf(message.headers),
    ...(isText ? { text } : { base64: Buffer.from(message.data).toString('base64') }),
  } satisfies z.input<typeof line>)}\n`;
}

const pairsOf = (given: MsgHdrs | undefined): [string, string][] =>
  [...(given ?? [])].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

export function readLine(text: string): BackupMessage {
  const kept = line.parse(JSON.parse(text));
  const all = headers();
  for (const [name, value] of kept.headers) all.append(name, value);
  const data = kept.base64 === undefined ? Buffer.from(kept.text ?? '') : Buffer.from(kept.base64, 'base64');
  return { seq: kept.seq, subject: kept.subject, headers: all, data };
}
