import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import { type Kept, readStream, type Stores } from './stores.ts';

/** What there is, by id, with its version where it has one. */
type Things = Map<string, number>;

/**
 * Holds what each service keeps against what it has told the others, by events and by the values of its bucket: they must be the same.
 * It needs a system that began empty, with all of its events.
 */
export async function findUnpublishedRows(stores: Stores): Promise<string[]> {
  const read = (name: string) => readStream(stores, name);
  const [people, bucket, projects, documents, chat] = await Promise.all([
    read(`KV_${stores.stream('directory')}`),
    read(`KV_${stores.stream('projects')}`),
    read(stores.stream('projects')),
    read(stores.stream('documents')),
    read(stores.stream('chat')),
  ]);
  const rows = (database: DatabaseName, sql: string) => thingsIn(stores, database, sql);
  const conversations = await rows('chat', 'select conversation_id as id, version from conversations');
  return [
    ...differences('people', await rows('users', 'select id, version from users'), valuesOf(people, 'user.')),
    ...differences(
      'projects',
      await rows('projects', 'select id, version from projects'),
      valuesOf(bucket, 'project.'),
    ),
    ...differences('tasks', await rows('projects', 'select id, version from tasks'), tasksToldOf(projects)),
    ...differences(
      'documents',
      await rows('documents', 'select id, version from documents'),
      toldOf(documents, 'documents.document.', 'documentId'),
    ),
    ...differences('conversations', conversations, toldOf(chat, 'chat.conversation.', 'conversationId')),
    ...differences(
      'messages',
      await rows(
        'chat',
        'select message_id as id, 0 as version from messages join conversations using (conversation_id)',
      ),
      messagesToldOf(chat, conversations),
    ),
    ...differences(
      'conversations of projects',
      await rows(
        'chat',
        `select project_id as id, 0 as version from project_conversations join conversations using (conversation_id)`,
      ),
      await rows('projects', 'select id, 0 as version from projects'),
    ),
  ];
}

async function thingsIn({ query }: Stores, database: DatabaseName, sql: string): Promise<Things> {
  const rows = await query(database, sql);
  return new Map(rows.map(({ id, version }) => [String(id), Number(version)]));
}

type Fields = Record<string, unknown>;
const fieldsOf = ({ value }: Kept): Fields => (value ?? {}) as Fields;
const dataOf = (kept: Kept): Fields => (fieldsOf(kept).data ?? {}) as Fields;

/** The present values of a bucket, without those that say that something is gone. */
function valuesOf(bucket: readonly Kept[], prefix: string): Things {
  const there = bucket.filter(({ subject }) => subject.startsWith(prefix));
  const isProject = prefix === 'project.';
  return new Map(
    there
      .map(fieldsOf)
      // A deleted person remains as a row, a deleted project does not.
      .filter(({ deleted }) => !(isProject && deleted))
      .map(({ _id, version }) => [String(_id), Number(version)]),
  );
}

/** What is left of the things of one kind after all that was told of them. */
function toldOf(events: readonly Kept[], prefix: string, idField: string): Things {
  const told: Things = new Map();
  for (const event of events) {
    if (!event.subject.startsWith(prefix)) continue;
    const { [idField]: id, version } = dataOf(event);
    if (event.subject.startsWith(`${prefix}deleted.`)) told.delete(String(id));
    else told.set(String(id), Math.max(told.get(String(id)) ?? 0, Number(version)));
  }
  return told;
}

/** Tasks go with their project, without a word of their own. */
function tasksToldOf(events: readonly Kept[]): Things {
  const gone = new Set(
    events
      .filter(({ subject }) => subject.startsWith('projects.project.deleted.'))
      .map((event) => dataOf(event).projectId),
  );
  return toldOf(
    events.filter((event) => !gone.has(dataOf(event).projectId)),
    'projects.task.',
    'taskId',
  );
}

function messagesToldOf(events: readonly Kept[], conversations: Things): Things {
  const sent = events.filter(({ subject }) => subject.startsWith('chat.message.sent.')).map(dataOf);
  const living = sent.filter(({ conversationId }) => conversations.has(String(conversationId)));
  return new Map(living.map(({ messageId }) => [String(messageId), 0]));
}

function differences(what: string, rows: Things, told: Things): string[] {
  const untold = [...rows].filter(([id, version]) => told.get(id) !== version);
  const unkept = [...told.keys()].filter((id) => !rows.has(id));
  const some = (ids: string[]) => `${ids.length} of ${rows.size}: ${ids.slice(0, 3).join(', ')}`;
  return [
    ...(untold.length > 0
      ? [
          `${what} that are otherwise than told, ${some(untold.map(([id, version]) => `${id} (version ${version}, told ${told.get(id) ?? 'nothing'})`))}`,
        ]
      : []),
    ...(unkept.length > 0 ? [`${what} told of that are not there, ${some(unkept)}`] : []),
  ];
}
