import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import { readStream, type Stores, type StreamMessage } from './stores.ts';

/** Versions by id; 0 for entities without versions. */
type Versions = Map<string, number>;

/** Compares the rows of each service with its published events, and describes the differences. */
export async function findUnpublishedRows(stores: Stores): Promise<string[]> {
  const read = (name: string) => readStream(stores, name);
  const [directory, projectDirectory, projects, documents, chat] = await Promise.all([
    read(`KV_${stores.stream('directory')}`),
    read(`KV_${stores.stream('projects')}`),
    read(stores.stream('projects')),
    read(stores.stream('documents')),
    read(stores.stream('chat')),
  ]);
  const rows = (database: DatabaseName, sql: string) => readVersions(stores, database, sql);
  const conversations = await rows('chat', 'select conversation_id as id, version from conversations');
  return [
    ...describeDifferences(
      'users',
      await rows('users', 'select id, version from users'),
      readDirectory(directory, 'user.'),
    ),
    ...describeDifferences(
      'projects',
      await rows('projects', 'select id, version from projects'),
      readDirectory(projectDirectory, 'project.'),
    ),
    ...describeDifferences('tasks', await rows('projects', 'select id, version from tasks'), publishedTasks(projects)),
    ...describeDifferences(
      'documents',
      await rows('documents', 'select id, version from documents'),
      publishedVersions(documents, 'documents.document.', 'documentId'),
    ),
    ...describeDifferences(
      'conversations',
      conversations,
      publishedVersions(chat, 'chat.conversation.', 'conversationId'),
    ),
    ...describeDifferences(
      'messages',
      await rows(
        'chat',
        'select message_id as id, 0 as version from messages join conversations using (conversation_id)',
      ),
      publishedMessages(chat, conversations),
    ),
    ...describeDifferences(
      'project conversations',
      await rows(
        'chat',
        `select project_id as id, 0 as version from project_conversations join conversations using (conversation_id)`,
      ),
      await rows('projects', 'select id, 0 as version from projects'),
    ),
  ];
}

async function readVersions({ query }: Stores, database: DatabaseName, sql: string): Promise<Versions> {
  const rows = await query(database, sql);
  return new Map(rows.map(({ id, version }) => [String(id), Number(version)]));
}

type Fields = Record<string, unknown>;
const getFields = ({ value }: StreamMessage): Fields => (value ?? {}) as Fields;
const getEventData = (message: StreamMessage): Fields => (getFields(message).data ?? {}) as Fields;

function readDirectory(bucket: readonly StreamMessage[], prefix: string): Versions {
  const values = bucket.filter(({ subject }) => subject.startsWith(prefix));
  const isProject = prefix === 'project.';
  return new Map(
    values
      .map(getFields)
      // The row of a deleted user remains, the row of a deleted project does not.
      .filter(({ deleted }) => !(isProject && deleted))
      .map(({ _id, version }) => [String(_id), Number(version)]),
  );
}

/** Lists the entities of one kind that exist after all published events. */
function publishedVersions(events: readonly StreamMessage[], prefix: string, idField: string): Versions {
  const published: Versions = new Map();
  for (const event of events) {
    if (!event.subject.startsWith(prefix)) continue;
    const { [idField]: id, version } = getEventData(event);
    if (event.subject.startsWith(`${prefix}deleted.`)) published.delete(String(id));
    else published.set(String(id), Math.max(published.get(String(id)) ?? 0, Number(version)));
  }
  return published;
}

/** Lists the tasks that exist after all published events. A deleted project deletes its tasks without events. */
function publishedTasks(events: readonly StreamMessage[]): Versions {
  const deletedProjects = new Set(
    events
      .filter(({ subject }) => subject.startsWith('projects.project.deleted.'))
      .map((event) => getEventData(event).projectId),
  );
  return publishedVersions(
    events.filter((event) => !deletedProjects.has(getEventData(event).projectId)),
    'projects.task.',
    'taskId',
  );
}

function publishedMessages(events: readonly StreamMessage[], conversations: Versions): Versions {
  const sent = events.filter(({ subject }) => subject.startsWith('chat.message.sent.')).map(getEventData);
  const remaining = sent.filter(({ conversationId }) => conversations.has(String(conversationId)));
  return new Map(remaining.map(({ messageId }) => [String(messageId), 0]));
}

function describeDifferences(label: string, rows: Versions, published: Versions): string[] {
  const unpublished = [...rows].filter(([id, version]) => published.get(id) !== version);
  const withoutRow = [...published.keys()].filter((id) => !rows.has(id));
  const sample = (ids: string[]) => `${ids.length} of ${rows.size}: ${ids.slice(0, 3).join(', ')}`;
  return [
    ...(unpublished.length > 0
      ? [
          `${label} that differ from their events, ${sample(unpublished.map(([id, version]) => `${id} (version ${version}, published ${published.get(id) ?? 'nothing'})`))}`,
        ]
      : []),
    ...(withoutRow.length > 0 ? [`${label} published without a row, ${sample(withoutRow)}`] : []),
  ];
}
