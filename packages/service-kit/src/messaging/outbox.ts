import { type EventDefinition, subjectOf } from '@atrium/proto-events/event';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import type { z } from 'zod';
import { requestContext } from '../http/request-context.ts';
import { currentTraceparent } from '../observability/tracing.ts';
import type { Queryable } from '../postgres/postgres.ts';
import { newId } from '../process/new-id.ts';

/** A row of the outbox, for statements that write it themselves together with something else. */
export type OutboxRow = { subject: string; messageId: string; aggregate: string; payload: string };

export type PendingEvent<D extends EventDefinition> = {
  event: D;
  data: z.input<D['data']>;
  /** What it is about; events of one aggregate are published in the order in which they were committed. */
  aggregate: string;
  /** The user who caused it, null for the system. */
  actorId: string | null;
  /** Given where the writer has to know it again later; a new one otherwise. */
  id?: string;
  /** Given where it is told of later than it was: when it was, in ISO 8601, and of which request it is a consequence. */
  occurredAt?: string;
  requestId?: string;
};

/** What NATS accepts by default (1 MiB), less what the headers of a message may add. */
export const MAX_EVENT_BYTES = 1_048_576 - 1_024;

/** Throws before the commit: an event that cannot be published must not be committed, for nobody would ever receive it. */
function assertPublishable(subject: string, payload: string): void {
  const size = Buffer.byteLength(payload);
  if (size > MAX_EVENT_BYTES)
    throw new Error(`Event ${subject} has ${size} bytes, but NATS accepts at most ${MAX_EVENT_BYTES}`);
}

/** Wraps an occurrence into its envelope. Throws when the data does not fit the event's schema or a message of NATS: a bug in Atrium. */
export function outboxRow<D extends EventDefinition>({
  event,
  data,
  aggregate,
  actorId,
  id = newId(),
  occurredAt = new Date().toISOString(),
  requestId = requestContext.getStore()?.requestId ?? id,
}: PendingEvent<D>): OutboxRow {
  const envelope = {
    id,
    type: event.type,
    version: event.version,
    occurredAt,
    actorId,
    requestId,
    ...currentTrace(),
    data: event.data.parse(data),
  };
  const [subject, payload] = [subjectOf(event), JSON.stringify(envelope)];
  assertPublishable(subject, payload);
  return { subject, messageId: id, aggregate, payload };
}

function currentTrace(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Appends an event in the transaction that causes it: committed together or not at all. */
export async function appendEvent<D extends EventDefinition>(
  tx: Queryable,
  occurrence: PendingEvent<D>,
): Promise<void> {
  await insertRow(tx, outboxRow(occurrence));
}

/** The same for many, in the given order and in one statement. */
export async function appendEvents<D extends EventDefinition>(
  tx: Queryable,
  occurrences: readonly PendingEvent<D>[],
): Promise<void> {
  await insertMany(tx, occurrences.map(outboxRow));
}

/** Subject prefix, within the outbox, of values for the directory bucket. */
export const DIRECTORY_SUBJECT = 'directory:';

/**
 * Puts a value into the directory bucket with the same promise as an event: in order for each key, at least once, and before what is told
 * later of the same id: who hears of something finds it known.
 */
export async function appendDirectoryEntry(tx: Queryable, key: string, value: { version: number }): Promise<void> {
  await appendEntry(tx, DIRECTORY_SUBJECT + key, value);
}

export type DirectoryEntry = { key: string; value: { version: number } };

/** The same for many, in one statement. */
export async function appendDirectoryEntries(tx: Queryable, entries: readonly DirectoryEntry[]): Promise<void> {
  await insertMany(
    tx,
    entries.map(({ key, value }) => entryRow(DIRECTORY_SUBJECT + key, value)),
  );
}

/** Subject prefix, within the outbox, of values for the bucket of projects. */
export const PROJECTS_SUBJECT = 'projects-directory:';

/** Puts a project into the bucket of projects, under the key `project.<id>`, with the same promise. */
export async function appendProjectEntry(tx: Queryable, project: DirectoryProject): Promise<void> {
  await appendEntry(tx, `${PROJECTS_SUBJECT}project.${project._id}`, project);
}

const appendEntry = (tx: Queryable, subject: string, value: { version: number }): Promise<void> =>
  insertRow(tx, entryRow(subject, value));

function entryRow(subject: string, value: { version: number }): OutboxRow {
  const payload = JSON.stringify(value);
  assertPublishable(subject, payload);
  return { subject, messageId: newId(), aggregate: subject, payload };
}

/** Appends a row that was made before. */
export async function insertRow(tx: Queryable, row: OutboxRow): Promise<void> {
  await tx.query({
    name: 'outbox-insert',
    text: 'insert into outbox (subject, message_id, aggregate, payload) values ($1, $2, $3, $4)',
    values: [row.subject, row.messageId, row.aggregate, row.payload],
  });
}

async function insertMany(tx: Queryable, rows: readonly OutboxRow[]): Promise<void> {
  await tx.query({
    name: 'outbox-insert-many',
    text: `insert into outbox (subject, message_id, aggregate, payload)
           select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
    values: [
      rows.map(({ subject }) => subject),
      rows.map(({ messageId }) => messageId),
      rows.map(({ aggregate }) => aggregate),
      rows.map(({ payload }) => payload),
    ],
  });
}
