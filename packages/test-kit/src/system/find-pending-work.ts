import type { Stores } from './stores.ts';

/** Describes work that is still in progress. The result is empty once the system is idle. */
export async function findPendingWork(stores: Stores): Promise<string[]> {
  const pendingWork = await Promise.all([findOutboxRows(stores), findPendingEmails(stores), findConsumerLag(stores)]);
  return pendingWork.flat();
}

async function findOutboxRows({ databases, query }: Stores): Promise<string[]> {
  const counts = await Promise.all(
    databases.map(async (database) => {
      const [row] = await query(database, 'select count(*)::int as n, min(subject) as first from outbox');
      return row?.n === 0 ? [] : [`${row?.n} events wait in the outbox of ${database}, such as ${row?.first}`];
    }),
  );
  return counts.flat();
}

/** The emails that notifications has queued, with their outcome. */
export const storedEmails = ({ mongo }: Stores) => mongo.db('atrium').collection('mails');

/** Without emails that wait on purpose, such as the second one about a project. */
async function findPendingEmails(stores: Stores): Promise<string[]> {
  const dueOrRetried = { $or: [{ nextAttemptAt: { $lte: new Date() } }, { attempts: { $gt: 0 } }] };
  const pending = { $or: [{ state: 'queued', ...dueOrRetried }, { report: 'due' }] };
  const count = await storedEmails(stores).countDocuments(pending);
  return count === 0 ? [] : [`${count} emails wait to be sent or to be reported`];
}

async function findConsumerLag({ manager }: Stores): Promise<string[]> {
  const lag: string[] = [];
  for await (const { config } of manager.streams.list()) {
    for await (const consumer of manager.consumers.list(config.name)) {
      const { config: settings, num_pending, num_ack_pending } = consumer;
      const { durable_name: durable } = settings;
      if (durable === undefined || num_pending + num_ack_pending === 0) continue;
      lag.push(`${consumer.name} has ${num_pending} events pending and ${num_ack_pending} unacknowledged`);
    }
  }
  return lag;
}

/** Describes the dead letters of all consumers. */
export async function findDeadLetters({ manager, stream }: Stores): Promise<string[]> {
  const { state } = await manager.streams.info(stream('dead'), { subjects_filter: '>' });
  return Object.entries(state.subjects ?? {}).map(([subject, count]) => `${count} dead letters at ${subject}`);
}
