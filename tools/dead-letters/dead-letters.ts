import {
  AGGREGATE_HEADER,
  REASON_HEADER,
  replaySubject,
  SEQUENCE_HEADER,
  SUBJECT_HEADER,
} from '@atrium/proto-events/dead-letters';
import { isNotFound } from '@atrium/service-kit/messaging/messaging';
import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';

type DeadLetter = Entry & { message: StoredMsg; service: string; subscription: string; subject: string | undefined };

const streamOf = ({ prefix }: Installation) => `${prefix}_dead`;

/** Every dead letter, oldest first. */
export const readDeadLetters = async (installation: Installation): Promise<DeadLetter[]> => {
  const { streams } = installation.manager;
  const stream = await streams.info(streamOf(installation)).catch(ignoreNotFound);
  const letters: DeadLetter[] = [];
  if (!stream || stream.state.messages === 0) return letters;
  for (let seq = stream.state.first_seq; seq <= stream.state.last_seq; seq += 1) {
    const message = await streams.getMessage(streamOf(installation), { seq }).catch(ignoreNotFound);
    if (message) letters.push(read(installation, message));
  }
  return letters;
};

export const findDeadLetter = async (installation: Installation, id: string): Promise<DeadLetter> => {
  const message = await installation.manager.streams
    .getMessage(streamOf(installation), { seq: Number(id) })
    .catch(ignoreNotFound);
  if (!message) throw new Error(`Dead letter ${id} not found.`);
  return read(installation, message);
};

const ignoreNotFound = (error: unknown): null => {
  if (isNotFound(error)) return null;
  throw error;
};

const read = ({ prefix }: Installation, message: StoredMsg): DeadLetter => {
  const [service = '', subscription = ''] = message.subject.slice(`${prefix}.dead.`.length).split('.');
  const header = (name: string) => message.header?.get(name) || undefined;
  const subject = header(SUBJECT_HEADER);
  return {
    id: String(message.seq),
    where: `${service}-${subscription}`,
    what: subject?.slice(prefix.length + 1) ?? 'no event',
    aggregate: header(AGGREGATE_HEADER) ?? '-',
    when: message.time.toISOString(),
    why: header(REASON_HEADER) ?? 'unknown',
    sequence: header(SEQUENCE_HEADER) ?? '-',
    content: message.string(),
    message,
    service,
    subscription,
    subject,
  };
};

/**
 * Publishes a dead letter to its own subscription, on a subject that only this durable consumer reads. It is deleted only after the stream has
 * stored the event. JetStream drops duplicates of concurrent replays.
 */
export const replayDeadLetter = async (installation: Installation, id: string): Promise<string> => {
  const { manager, js, prefix } = installation;
  const { message, service, subscription, subject, aggregate, sequence } = await findDeadLetter(installation, id);
  const producer = subject?.split('.')[1];
  if (subject === undefined || producer === undefined)
    throw new Error(`Dead letter ${id} contains no event. Drop it instead.`);
  const [stream, durable] = [`${prefix}_${producer}`, `${service}-${subscription}`];
  const replays = `${prefix}.${replaySubject(producer, service, subscription)}`;
  const consumer = await manager.consumers.info(stream, durable).catch(ignoreNotFound);
  if (!consumer) throw new Error(`Subscription ${durable} no longer exists.`);
  const subjects = consumer.config.filter_subjects ?? [consumer.config.filter_subject];
  if (!subjects.includes(replays))
    throw new Error(`${durable} does not accept replays: its service runs an older version.`);
  const about = headers();
  about.set(SUBJECT_HEADER, subject);
  if (sequence !== '-') about.set(SEQUENCE_HEADER, sequence);
  if (aggregate !== '-') about.set(AGGREGATE_HEADER, aggregate);
  const msgID = `replay:${durable}:${id}:${message.time.getTime()}`;
  await js.publish(replays, message.data, { msgID, headers: about });
  await dropDeadLetter(installation, id);
  return `${id}: replayed to ${durable}`;
};

export const dropDeadLetter = async (installation: Installation, id: string): Promise<string> => {
  await installation.manager.streams.deleteMessage(streamOf(installation), Number(id), false).catch(ignoreNotFound);
  return `${id}: dropped`;
};
