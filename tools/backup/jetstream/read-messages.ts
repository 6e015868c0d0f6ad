import { DeliverPolicy, type JsMsg, type StreamInfo } from '@nats-io/jetstream';
import type { Installation } from '../installation/installation.ts';

const AT_ONCE = 1_000;
const PATIENCE_MS = 30_000;

type Range = { from: number; to: number };

/** The messages of a stream that are still there, from one sequence to another. */
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
  const messages = await consumer.consume({ max_messages: AT_ONCE });
  const stalled = setInterval(() => void messages.stop(new Error(`${stream} gives nothing more`)), PATIENCE_MS);
  try {
    for await (const message of messages) {
      stalled.refresh();
      if (message.seq > to) return;
      yield message;
      if (message.seq === to || message.info.pending === 0) return;
    }
  } finally {
    clearInterval(stalled);
    await messages.close();
  }
}

/** All that a stream had at the moment of the cut and still has. */
export const messagesOf = (place: Pick<Installation, 'js'>, { config, state }: StreamInfo): AsyncGenerator<JsMsg> =>
  readMessages(place, config.name, { from: state.first_seq, to: state.messages === 0 ? 0 : state.last_seq });
