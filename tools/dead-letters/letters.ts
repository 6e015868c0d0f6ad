import {
  AGGREGATE_HEADER,
  REASON_HEADER,
  replaySubject,
  SEQUENCE_HEADER,
  SUBJECT_HEADER,
} from '@atrium/proto-events/dead-letters';
import { isNotFound } from '@atrium/service-kit/messaging/streams';
import type { StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';

type Letter = Entry & { message: StoredMsg; service: string; subscription: string; subject: string | undefined };

const streamOf = ({ prefix }: Installation) => `${prefix}_dead`;

/** Every dead letter, the oldest first. */
export const readLetters = async (place: Installation): Promise<Letter[]> => {
  const { streams } = place.manager;
  const stream = await streams.info(streamOf(place)).catch(nothingThere);
  const letters: Letter[] = [];
  if (!stream || stream.state.messages === 0) return letters;
  for (let seq = stream.state.first_seq; seq <= stream.state.last_seq; seq += 1) {
    const message = await streams.getMessage(streamOf(place), { seq }).catch(nothingThere);
    if (message) letters.push(read(place, message));
  }
  return letters;
};

export const findLetter = async (place: Installation, id: string): Promise<Letter> => {
  const message = await place.manager.streams.getMessage(streamOf(place), { seq: Number(id) }).catch(nothingThere);
  if (!message) throw new Error(`There is no dead letter ${id}.`);
  return read(place, message);
};

const nothingThere = (error: unknown): null => {
  if (isNotFound(error)) return null;
  throw error;
};

const read = ({ prefix }: Installation, message: StoredMsg): Letter => {
  const [service = '', subscription = ''] = message.subject.slice(`${prefix}.dead.`.length).split('.');
  const told = (name: string) => message.header?.get(name) || undefined;
  const subject = told(SUBJECT_HEADER);
  return {
    id: String(message.seq),
    where: `${service}-${subscription}`,
    what: subject?.slice(prefix.length + 1) ?? 'no event',
    aggregate: told(AGGREGATE_HEADER) ?? '-',
    when: message.time.toISOString(),
    why: told(REASON_HEADER) ?? 'not said',
    sequence: told(SEQUENCE_HEADER) ?? '-',
    content: message.string(),
    message,
    service,
    subscription,
    subject,
  };
};

/**
 * Gives a letter to its subscription alone, by a subject that no other durable asks for. It leaves the dead letters only once the stream
 * has it; whoever does the same meanwhile adds nothing, as JetStream drops the second.
 */
export const replayLetter = async (place: Installation, id: string): Promise<string> => {
  const { manager, js, prefix } = place;
  const { message, service, subscription, subject, aggregate, sequence } = await findLetter(place, id);
  const producer = subject?.split('.')[1];
  if (subject === undefined || producer === undefined)
    throw new Error(`Letter ${id} holds no event; it can be dropped.`);
  const [stream, durable] = [`${prefix}_${producer}`, `${service}-${subscription}`];
  const replays = `${prefix}.${replaySubject(producer, service, subscription)}`;
  const consumer = await manager.consumers.info(stream, durable).catch(nothingThere);
  if (!consumer) throw new Error(`There is no subscription ${durable} any more.`);
  const asked = consumer.config.filter_subjects ?? [consumer.config.filter_subject];
  if (!asked.includes(replays)) throw new Error(`${durable} takes no replays: its service runs in an older version.`);
  const about = headers();
  about.set(SUBJECT_HEADER, subject);
  if (sequence !== '-') about.set(SEQUENCE_HEADER, sequence);
  if (aggregate !== '-') about.set(AGGREGATE_HEADER, aggregate);
  const msgID = `replay:${durable}:${id}:${message.time.getTime()}`;
  await js.publish(replays, message.data, { msgID, headers: about });
  await dropLetter(place, id);
  return `${id}: ${durable} has it once more`;
};

export const dropLetter = async (place: Installation, id: string): Promise<string> => {
  await place.manager.streams.deleteMessage(streamOf(place), Number(id), false).catch(nothingThere);
  return `${id}: forgotten`;
};
