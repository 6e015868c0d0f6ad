import type { DatabaseName } from '@atrium/dev-server/backing/servers/postgres-databases';
import type { World } from './chaos-environment.ts';

/** Where words stand that are written once each, see `tests/simulation/jobs.ts`. */
const WORDS: readonly [database: DatabaseName, table: string, column: string][] = [
  ['projects', 'projects', 'name'],
  ['projects', 'tasks', 'title'],
  ['projects', 'task_comments', 'comment'],
  ['chat', 'messages', 'content'],
  ['chat', 'conversations', 'title'],
  ['meetings', 'meetings', 'title'],
  ['documents', 'documents', 'name'],
  ['users', 'users', 'email'],
];

/** What stands more than once though it was written once, however often it was asked for. */
export async function findDoubled({ stores }: World): Promise<string[]> {
  const found = await Promise.all(
    WORDS.map(async ([database, table, column]) => {
      const sql = `select ${column} as word, count(*)::int as n from ${table}
        where ${column} ~ '^(Task|Comment|Project at work|Message|Meeting|notes|newcomer)[ -][0-9]+' group by 1 having count(*) > 1`;
      const rows = await stores.query(database, sql);
      return rows.map(({ word, n }) => `${word} stands ${n} times in ${table}`);
    }),
  );
  return found.flat();
}

/** How often each of the newly invited was mailed otherwise than once. */
export async function findOddMails(
  { mailboxUrl, ledger }: World,
  since: number,
): Promise<{ lost: string[]; twice: string[] }> {
  const lost: string[] = [];
  const twice: string[] = [];
  for (const { kind, fields } of ledger.acknowledged(since)) {
    if (kind !== 'invitation') continue;
    const answer = await fetch(`${mailboxUrl}/api/messages?to=${encodeURIComponent(String(fields.email))}`);
    const { data } = (await answer.json()) as { data: unknown[] };
    if (data.length === 0) lost.push(`no mail came to ${fields.email}`);
    if (data.length > 1) twice.push(`${data.length} mails came to ${fields.email}`);
  }
  return { lost, twice };
}
