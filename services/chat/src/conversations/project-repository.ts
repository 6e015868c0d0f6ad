import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** What a project's conversation was last told of the project; version 0 when nothing yet. */
export type ProjectRow = {
  conversation_id: string;
  project_id: string;
  manager_id: string;
  name: string;
  people: string[];
  version: number;
  closed: boolean;
};

/** The project's row, made if need be and held until the transaction ends. */
export async function lockProject(tx: Queryable, conversationId: string, projectId: string): Promise<ProjectRow> {
  await tx.query(
    'insert into project_conversations (conversation_id, project_id) values ($1, $2) on conflict do nothing',
    [conversationId, projectId],
  );
  const { rows } = await tx.query<ProjectRow>(
    'select * from project_conversations where conversation_id = $1 for update',
    [conversationId],
  );
  const row = rows[0];
  if (!row) throw new Error('the project just noted is not there');
  return row;
}

export async function noteProject(
  tx: Queryable,
  given: Pick<ProjectRow, 'conversation_id' | 'manager_id' | 'name' | 'people' | 'version'>,
): Promise<void> {
  await tx.query(
    'update project_conversations set manager_id = $2, name = $3, people = $4, version = $5 where conversation_id = $1',
    [given.conversation_id, given.manager_id, given.name, given.people, given.version],
  );
}

/** The people of the project whose conversation this is, as they stay until the transaction ends; nobody for another conversation. */
export async function lockProjectPeople(tx: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await tx.query<Pick<ProjectRow, 'people'>>(
    'select people from project_conversations where conversation_id = $1 for share',
    [conversationId],
  );
  return rows[0]?.people ?? [];
}

export type About = Pick<ProjectRow, 'project_id' | 'manager_id'>;

/** Notes what a conversation is about that is not the project's own. */
export async function linkProject(tx: Queryable, conversationId: string, about: About): Promise<void> {
  await tx.query('insert into project_conversations (conversation_id, project_id, manager_id) values ($1, $2, $3)', [
    conversationId,
    about.project_id,
    about.manager_id,
  ]);
}

/** From now on nothing makes a conversation for this project again. Harmless for one that is no project's. */
export async function closeProject(tx: Queryable, conversationId: string): Promise<void> {
  await tx.query('update project_conversations set closed = true where conversation_id = $1', [conversationId]);
}

/** Whether the conversation of a project was deleted for good. */
export async function isClosed(db: Queryable, conversationId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from project_conversations where conversation_id = $1 and closed', [
    conversationId,
  ]);
  return rowCount === 1;
}
