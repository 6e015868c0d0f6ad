import type { Stores } from './stores.ts';

/** Work still in progress anywhere: empty once a system is idle. */
export async function findPendingWork(stores: Stores): Promise<string[]> {
  const found = await Promise.all([waitingEvents(stores), waitingMails(stores), lag(stores)]);
  return found.flat();
}

async function waitingEvents({ databases, query }: Stores): Promise<string[]> {
  const counts = await Promise.all(
    databases.map(async (database) => {
      const [row] = await query(database, 'select count(*)::int as n, min(subject) as first from outbox');
      return row?.n === 0 ? [] : [`${row?.n} events wait in the outbox of ${database}, such as ${row?.first}`];
    }),
  );
  return counts.flat();
}

async function waitingMails({ mongo }: Stores): Promise<string[]> {
  const open = { $or: [{ state: 'queued' }, { report: 'due' }] };
  const count = await mongo.db('atrium').collection('mails').countDocuments(open);
  return count === 0 ? [] : [`${count} mails wait to be sent or to be reported`];
}

async function lag({ manager }: Stores): Promise<string[]> {
  const found: string[] = [];
  for await (const { config } of manager.streams.list()) {
    for await (const consumer of manager.consumers.list(config.name)) {
      const { config: settings, num_pending, num_ack_pending } = consumer;
      const { durable_name: durable } = settings;
      if (durable === undefined || num_pending + num_ack_pending === 0) continue;
      found.push(`${consumer.name} has ${num_pending} events pending and ${num_ack_pending} unacknowledged`);
    }
  }
  return found;
}

export async function findDeadLetters({ manager, stream }: Stores): Promise<string[]> {
  const { state } = await manager.streams.info(stream('dead'), { subjects_filter: '>' });
  return Object.entries(state.subjects ?? {}).map(([subject, count]) => `${count} dead letters at ${subject}`);
}
