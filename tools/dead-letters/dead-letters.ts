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
import pg from 'pg';
import type { Installation } from './installation.ts';

export type Entry = {
  id: string;
  source: string;
  eventType: string;
  aggregate: string;
  time: string;
  reason: string;
  sequence: string;
  content: string;
};

type DeadLetter = Entry & { message: StoredMsg; service: string; subscription: string; subject: string | undefined };

const getStreamName = ({ prefix }: Installation) => `${prefix}_dead`;

export const readDeadLetters = async (installation: Installation): Promise<DeadLetter[]> => {
  const { streams } = installation.manager;
  const stream = await streams.info(getStreamName(installation)).catch(ignoreNotFound);
  const letters: DeadLetter[] = [];
  if (!stream || stream.state.messages === 0) return letters;
  for (let seq = stream.state.first_seq; seq <= stream.state.last_seq; seq += 1) {
    const message = await streams.getMessage(getStreamName(installation), { seq }).catch(ignoreNotFound);
    if (message) letters.push(toDeadLetter(installation, message));
  }
  return letters;
};

export const findDeadLetter = async (installation: Installation, id: string): Promise<DeadLetter> => {
  const message = await installation.manager.streams
    .getMessage(getStreamName(installation), { seq: Number(id) })
    .catch(ignoreNotFound);
  if (!message) throw new Error(`Dead letter ${id} not found.`);
  return toDeadLetter(installation, message);
};

const ignoreNotFound = (error: unknown): null => {
  if (isNotFound(error)) return null;
  throw error;
};

const toDeadLetter = ({ prefix }: Installation, message: StoredMsg): DeadLetter => {
  const [service = '', subscription = ''] = message.subject.slice(`${prefix}.dead.`.length).split('.');
  const header = (name: string) => message.header?.get(name) || undefined;
  const subject = header(SUBJECT_HEADER);
  return {
    id: String(message.seq),
    source: `${service}-${subscription}`,
    eventType: subject?.slice(prefix.length + 1) ?? 'no event',
    aggregate: header(AGGREGATE_HEADER) ?? '-',
    time: message.time.toISOString(),
    reason: header(REASON_HEADER) ?? 'unknown',
    sequence: header(SEQUENCE_HEADER) ?? '-',
    content: message.string(),
    message,
    service,
    subscription,
    subject,
  };
};

/**
 * Publishes the event on a subject that only this durable consumer reads. Deletes the dead letter only after the stream
 * has stored the event. JetStream drops duplicates of concurrent replays.
 */
export const replayDeadLetter = async (installation: Installation, id: string): Promise<string> => {
  const { manager, js, prefix } = installation;
  const { message, service, subscription, subject, aggregate, sequence } = await findDeadLetter(installation, id);
  const producer = subject?.split('.')[1];
  if (subject === undefined || producer === undefined)
    throw new Error(`Dead letter ${id} contains no event. Drop it instead.`);
  const stream = `${prefix}_${producer}`;
  const durable = `${service}-${subscription}`;
  const replayTarget = `${prefix}.${replaySubject(producer, service, subscription)}`;
  const consumer = await manager.consumers.info(stream, durable).catch(ignoreNotFound);
  if (!consumer) throw new Error(`Subscription ${durable} no longer exists.`);
  const subjects = consumer.config.filter_subjects ?? [consumer.config.filter_subject];
  if (!subjects.includes(replayTarget))
    throw new Error(`${durable} does not accept replays: its service runs an older version.`);
  const eventHeaders = headers();
  eventHeaders.set(SUBJECT_HEADER, subject);
  if (sequence !== '-') eventHeaders.set(SEQUENCE_HEADER, sequence);
  if (aggregate !== '-') eventHeaders.set(AGGREGATE_HEADER, aggregate);
  const msgID = `replay:${durable}:${id}:${message.time.getTime()}`;
  await js.publish(replayTarget, message.data, { msgID, headers: eventHeaders });
  await dropDeadLetter(installation, id);
  return `${id}: replayed to ${durable}`;
};

export const dropDeadLetter = async (installation: Installation, id: string): Promise<string> => {
  await installation.manager.streams
    .deleteMessage(getStreamName(installation), Number(id), false)
    .catch(ignoreNotFound);
  return `${id}: dropped`;
};

type Row = { id: string; subject: string; aggregate: string; payload: string; rejected_at: Date; rejection: string };

const withDatabase = async <T>(
  installation: Installation,
  service: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const url = installation.databases.get(service);
  if (url === undefined) throw new Error(`Set ${service.toUpperCase()}_DATABASE_URL to read the outbox of ${service}.`);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

export const readRejected = async (installation: Installation): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const service of installation.databases.keys()) {
    const { rows } = await withDatabase(installation, service, (client) =>
      client.query<Row>(
        `select id::text, subject, aggregate, payload, rejected_at, rejection from outbox where rejected_at is not null order by id`,
      ),
    );
    for (const row of rows) {
      entries.push({
        id: `${service}/${row.id}`,
        source: `outbox of ${service}`,
        eventType: row.subject,
        aggregate: row.aggregate,
        time: row.rejected_at.toISOString(),
        reason: row.rejection,
        sequence: '-',
        content: row.payload,
      });
    }
  }
  return entries;
};

const changeRow = async (installation: Installation, id: string, sql: string): Promise<void> => {
  const [service = '', row = ''] = id.split('/');
  const { rowCount } = await withDatabase(installation, service, (client) => client.query(sql, [row]));
  if (rowCount !== 1) throw new Error(`Rejected row ${id} not found.`);
};

/** Clears the rejection. The relay then publishes the row, although it already published later ones. */
export const replayRejected = async (installation: Installation, id: string): Promise<string> => {
  await changeRow(
    installation,
    id,
    'update outbox set rejected_at = null, rejection = null where id = $1 and rejected_at is not null',
  );
  return `${id}: queued for publishing`;
};

export const dropRejected = async (installation: Installation, id: string): Promise<string> => {
  await changeRow(installation, id, 'delete from outbox where id = $1 and rejected_at is not null');
  return `${id}: dropped`;
};
