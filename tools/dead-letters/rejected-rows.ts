import pg from 'pg';
import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';

type Row = { id: string; subject: string; aggregate: string; payload: string; rejected_at: Date; rejection: string };

const within = async <T>(
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

/** The outbox rows of every known service that NATS rejected. */
export const readRejected = async (installation: Installation): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const service of installation.databases.keys()) {
    const { rows } = await within(installation, service, (client) =>
      client.query<Row>(
        `select id::text, subject, aggregate, payload, rejected_at, rejection from outbox where rejected_at is not null order by id`,
      ),
    );
    for (const row of rows) {
      entries.push({
        id: `${service}/${row.id}`,
        where: `outbox of ${service}`,
        what: row.subject,
        aggregate: row.aggregate,
        when: row.rejected_at.toISOString(),
        why: row.rejection,
        sequence: '-',
        content: row.payload,
      });
    }
  }
  return entries;
};

const change = async (installation: Installation, id: string, sql: string): Promise<void> => {
  const [service = '', row = ''] = id.split('/');
  const { rowCount } = await within(installation, service, (client) => client.query(sql, [row]));
  if (rowCount !== 1) throw new Error(`Rejected row ${id} not found.`);
};

/** Lets the relay publish the row again. It arrives after any later rows that were already published. */
export const replayRejected = async (installation: Installation, id: string): Promise<string> => {
  await change(
    installation,
    id,
    'update outbox set rejected_at = null, rejection = null where id = $1 and rejected_at is not null',
  );
  return `${id}: queued for publishing`;
};

export const dropRejected = async (installation: Installation, id: string): Promise<string> => {
  await change(installation, id, 'delete from outbox where id = $1 and rejected_at is not null');
  return `${id}: dropped`;
};
