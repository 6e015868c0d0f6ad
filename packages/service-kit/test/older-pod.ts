import { type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import type { JsMsg } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import type { Pod } from './pods.ts';

/** What the code of commit 149c909 asked of a durable whose events keep their order. */
const IN_FLIGHT = 1;

export type OlderPod = { close(): Promise<void> };

/**
 * Consumes the subscription `notes` of the service `reader` as pods did before decision 20: all of them pull, one event is under way at
 * a time, answers to others are empty, and the durable is narrowed by whoever knows all that is asked for. `handle` is called for what
 * it reacts to.
 */
export async function startOlderPod(
  { messaging }: Pod,
  events: EventDefinition[],
  handle: (message: JsMsg) => Promise<void>,
): Promise<OlderPod> {
  const { connection, manager, js } = messaging;
  const [stream, durable] = [messaging.stream('notes'), 'reader-notes'];
  const ours = events.map((event) => messaging.subject(subjectOf(event)));
  const reactors = (subject: string) => messaging.subject(`reactors.reader.notes.${subject}`);
  const answers = ours.map((subject) =>
    connection.subscribe(reactors(subject), { callback: (_error, message) => void message.respond() }),
  );
  const has = async (subject: string, seq?: number): Promise<boolean> => {
    try {
      await connection.request(reactors(subject), seq?.toString(), { timeout: 2_000 });
      return true;
    } catch (error) {
      return !(error instanceof RequestError && error.isNoResponders());
    }
  };
  const { config } = await manager.consumers.info(stream, durable);
  const asked = config.filter_subjects ?? [];
  const all = [...new Set([...asked, ...ours])];
  const isWhole = all.length === ours.length;
  if (all.length > asked.length || (isWhole && config.max_ack_pending !== IN_FLIGHT))
    await manager.consumers.update(stream, durable, {
      filter_subjects: all,
      ...(isWhole ? { max_ack_pending: IN_FLIGHT } : {}),
    });
  for (const subject of all) if (!ours.includes(subject)) await has(subject);

  const under = new Set<Promise<void>>();
  const deliver = async (message: JsMsg) => {
    if (ours.includes(message.subject)) {
      await handle(message);
      message.ack();
    } else if (await has(message.subject, message.seq)) message.nak(100);
  };
  const consumer = await js.consumers.get(stream, durable);
  const messages = await consumer.consume({
    max_messages: 2,
    expires: 2_000,
    callback: (message) => {
      const work = deliver(message).finally(() => under.delete(work));
      under.add(work);
    },
  });
  return {
    async close() {
      await messages.close();
      await Promise.allSettled(under);
      for (const answer of answers) answer.unsubscribe();
    },
  };
}
