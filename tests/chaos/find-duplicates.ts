import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import type { ChaosEnvironment } from './chaos-environment.ts';

/** Columns with texts that are unique to one write, see `tests/simulation/jobs.ts`. */
const UNIQUE_COLUMNS: readonly [database: DatabaseName, table: string, column: string][] = [
  ['projects', 'projects', 'name'],
  ['projects', 'tasks', 'title'],
  ['projects', 'task_comments', 'comment'],
  ['chat', 'messages', 'content'],
  ['chat', 'conversations', 'title'],
  ['meetings', 'meetings', 'title'],
  ['documents', 'documents', 'name'],
  ['users', 'users', 'email'],
];

/** Rows that exist more than once although they were created by one write and its retries. */
export async function findDuplicates({ stores }: ChaosEnvironment): Promise<string[]> {
  const found = await Promise.all(
    UNIQUE_COLUMNS.map(async ([database, table, column]) => {
      const sql = `select ${column} as word, count(*)::int as n from ${table}
        where ${column} ~ '^(Task|Comment|Project at work|Message|Meeting|notes|newcomer)[ -][0-9]+' group by 1 having count(*) > 1`;
      const rows = await stores.query(database, sql);
      return rows.map(({ word, n }) => `${table} contains ${word} ${n} times`);
    }),
  );
  return found.flat();
}

/** Invited users who received no invitation email, or more than one. */
export async function findInvitationEmailErrors(
  { mailboxUrl, writes }: ChaosEnvironment,
  since: number,
): Promise<{ lost: string[]; twice: string[] }> {
  const lost: string[] = [];
  const twice: string[] = [];
  for (const { kind, fields } of writes.acknowledged(since)) {
    if (kind !== 'invitation') continue;
    const response = await fetch(`${mailboxUrl}/api/messages?to=${encodeURIComponent(String(fields.email))}`);
    const { data } = (await response.json()) as { data: unknown[] };
    if (data.length === 0) lost.push(`no email to ${fields.email}`);
    if (data.length > 1) twice.push(`${data.length} emails to ${fields.email}`);
  }
  return { lost, twice };
}
