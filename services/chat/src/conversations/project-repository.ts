import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ProjectRow = {
  conversation_id: string;
  project_id: string;
  manager_id: string;
  name: string;
  people: string[];
  version: number;
  closed: boolean;
};

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
  if (!row) throw new Error('Project not found after an insert');
  return row;
}

export async function updateProject(
  tx: Queryable,
  project: Pick<ProjectRow, 'conversation_id' | 'manager_id' | 'name' | 'people' | 'version'>,
): Promise<void> {
  await tx.query(
    'update project_conversations set manager_id = $2, name = $3, people = $4, version = $5 where conversation_id = $1',
    [project.conversation_id, project.manager_id, project.name, project.people, project.version],
  );
}

export async function lockProjectMemberIds(tx: Queryable, conversationId: string): Promise<string[]> {
  const { rows } = await tx.query<Pick<ProjectRow, 'people'>>(
    'select people from project_conversations where conversation_id = $1 for share',
    [conversationId],
  );
  return rows[0]?.people ?? [];
}

export type ProjectLink = Pick<ProjectRow, 'project_id' | 'manager_id'>;

/** Links a conversation that is about a project, but is not the project's own. */
export async function linkProject(tx: Queryable, conversationId: string, projectLink: ProjectLink): Promise<void> {
  await tx.query('insert into project_conversations (conversation_id, project_id, manager_id) values ($1, $2, $3)', [
    conversationId,
    projectLink.project_id,
    projectLink.manager_id,
  ]);
}

/** Prevents the project's conversation from being created again. */
export async function closeProject(tx: Queryable, conversationId: string): Promise<void> {
  await tx.query('update project_conversations set closed = true where conversation_id = $1', [conversationId]);
}

export async function isClosed(db: Queryable, conversationId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from project_conversations where conversation_id = $1 and closed', [
    conversationId,
  ]);
  return rowCount === 1;
}
