import { DeliverPolicy, type JsMsg, type StreamInfo } from '@nats-io/jetstream';
import type { Installation } from '../installation/installation.ts';

const MAX_BUFFERED_MESSAGES = 1_000;
const STALL_TIMEOUT_MS = 30_000;

type Range = { from: number; to: number };

/** The messages of a stream that still exist between two sequences, inclusive. */
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
  const stalled = setInterval(
    () => void messages.stop(new Error(`No message received from ${stream} within ${STALL_TIMEOUT_MS / 1_000} s`)),
    STALL_TIMEOUT_MS,
  );
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

/** The messages that a stream had at the time of the snapshot and still has. */
export const messagesOf = (
  installation: Pick<Installation, 'js'>,
  { config, state }: StreamInfo,
): AsyncGenerator<JsMsg> =>
  readMessages(installation, config.name, { from: state.first_seq, to: state.messages === 0 ? 0 : state.last_seq });
