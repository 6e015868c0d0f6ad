import { createConnection } from 'mongoose';
import type { Models } from './models.ts';

type Fields = Readonly<Record<string, 1 | -1>>;

/** Every index leads with the field that its reads are equal on: the kind that is quick in FerretDB, too. Ageing out asks for times alone. */
const indexesOf = (models: Models): readonly (readonly [{ collection: { name: string } }, readonly Fields[]])[] => [
  [models.activities, [{ subjectId: 1, at: -1 }, { actorId: 1, at: -1 }, { at: -1 }, { type: 1, at: 1 }]],
  [
    models.notifications,
    [
      { personId: 1, createdAt: -1 },
      // How many are unread is asked for with every page that is loaded.
      { personId: 1, read: 1 },
      { subjectId: 1 },
      { projectId: 1 },
      { createdAt: 1 },
    ],
  ],
  [
    models.mails,
    [
      { state: 1, nextAttemptAt: 1 },
      { state: 1, kind: 1, nextAttemptAt: 1 },
      { state: 1, createdAt: 1 },
      { report: 1 },
      { about: 1 },
      { address: 1, createdAt: -1 },
      { recipientId: 1 },
      { topic: 1, recipientId: 1 },
    ],
  ],
  [models.mailings, [{ createdAt: 1 }]],
  [models.claims, [{ at: 1 }]],
  [models.calendarParts, [{ at: 1 }]],
];

/** How the database is reached, and what ends the work. */
type Way = { url: string; options: object; signal: AbortSignal };

/**
 * Builds what is missing, over a connection of its own without a limit to how long an answer takes: of a collection that has grown it is
 * minutes, and one that gave up would have it begin anew.
 */
export async function buildIndexes(models: Models, { url, options, signal }: Way): Promise<void> {
  const connection = createConnection();
  // Each call reports its own failure.
  connection.on('error', () => undefined);
  const close = () => connection.close();
  signal.addEventListener('abort', () => void close());
  try {
    await connection.openUri(url, { ...options, socketTimeoutMS: 0, maxPoolSize: 1 });
    for (const [{ collection }, indexes] of indexesOf(models))
      for (const fields of indexes) await connection.collection(collection.name).createIndex(fields);
  } finally {
    await close();
  }
}
