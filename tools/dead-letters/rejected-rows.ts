import pg from 'pg';
import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';

type Row = { id: string; subject: string; aggregate: string; payload: string; refused_at: Date; refusal: string };

const within = async <T>(place: Installation, service: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const url = place.databases.get(service);
  if (url === undefined)
    throw new Error(`Set ${service.toUpperCase()}_DATABASE_URL to look into the outbox of ${service}.`);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

/** The rows of every known outbox that NATS would not take. */
export const readRefused = async (place: Installation): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for (const service of place.databases.keys()) {
    const { rows } = await within(place, service, (client) =>
      client.query<Row>(
        `select id::text, subject, aggregate, payload, refused_at, refusal from outbox where refused_at is not null order by id`,
      ),
    );
    for (const row of rows) {
      entries.push({
        id: `${service}/${row.id}`,
        where: `outbox of ${service}`,
        what: row.subject,
        aggregate: row.aggregate,
        when: row.refused_at.toISOString(),
        why: row.refusal,
        sequence: '-',
        content: row.payload,
      });
    }
  }
  return entries;
};

const change = async (place: Installation, id: string, sql: string): Promise<void> => {
  const [service = '', row = ''] = id.split('/');
  const { rowCount } = await within(place, service, (client) => client.query(sql, [row]));
  if (rowCount !== 1) throw new Error(`There is no refused row ${id}.`);
};

/** Has the relay try it again: it comes after whatever followed it meanwhile. */
export const replayRefused = async (place: Installation, id: string): Promise<string> => {
  await change(
    place,
    id,
    'update outbox set refused_at = null, refusal = null where id = $1 and refused_at is not null',
  );
  return `${id}: NATS is given it once more`;
};

export const dropRefused = async (place: Installation, id: string): Promise<string> => {
  await change(place, id, 'delete from outbox where id = $1 and refused_at is not null');
  return `${id}: forgotten`;
};
