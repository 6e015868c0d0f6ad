import { readEmailAddress } from '@atrium/proto-events/text/email';
import type { Logger } from '../observe/logger.ts';
import type { Db, Queryable } from './postgres.ts';

/** A table with addresses in `email` and `email_collisions` beside it; rows outside `where` have none that counts. */
export type EmailTable = { name: 'accounts' | 'users'; where: string; alsoSet?: string };

type Row = { id: string; email: string };

/** Addresses that may have another canonical form. */
const SUSPECT = `(email collate "C" !~ '^[a-z0-9!#$%&*+/=?^_{|}~-]+([.][a-z0-9!#$%&*+/=?^_{|}~-]+)*@[a-z0-9-]+([.][a-z0-9-]+)+$')`;

/**
 * Brings stored addresses into their canonical form (`readEmailAddress`). Where another row has that form, both stay as they are and the
 * pair is recorded in `email_collisions` and logged, for an administrator to decide. Repeating it changes nothing.
 */
export async function normalizeStoredEmails(db: Db, table: EmailTable, log: Logger): Promise<void> {
  const { rows } = await db.query<Row>(
    `select id, email from ${table.name} where ${table.where} and ${SUSPECT} order by id`,
  );
  for (const row of rows) {
    const canonical = readEmailAddress(row.email);
    if (canonical === row.email) continue;
    await db.transaction((tx) => normalizeOne(tx, { table, row, canonical, log }));
  }
}

type One = { table: EmailTable; row: Row; canonical: string | undefined; log: Logger };

async function normalizeOne(tx: Queryable, { table, row, canonical, log }: One): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from ${table.name} where ${table.where} and lower(email) = $1 and id <> $2`,
    [canonical ?? '', row.id],
  );
  const [other] = rows;
  if (canonical !== undefined && !other) {
    const sets = ['email = $3', ...(table.alsoSet ? [table.alsoSet] : [])].join(', ');
    await tx.query(`update ${table.name} set ${sets} where id = $1 and email = $2`, [row.id, row.email, canonical]);
    return;
  }
  const { rowCount } = await tx.query(
    'insert into email_collisions (id, other_id) values ($1, $2) on conflict (id) do nothing',
    [row.id, other?.id ?? null],
  );
  if (rowCount) log.warn({ id: row.id, otherId: other?.id }, 'Email address could not be normalized');
}
