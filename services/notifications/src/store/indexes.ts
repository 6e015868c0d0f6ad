import { createConnection } from 'mongoose';
import type { Models } from './models.ts';

type Fields = Readonly<Record<string, 1 | -1>>;

/**
 * Each index starts with the fields that queries compare for equality, which FerretDB can use. Expiry queries use
 * timestamps only.
 */
const listIndexes = (models: Models): readonly (readonly [{ collection: { name: string } }, readonly Fields[]])[] => [
  [models.activities, [{ subjectId: 1, at: -1 }, { actorId: 1, at: -1 }, { at: -1 }, { type: 1, at: 1 }]],
  [
    models.notifications,
    [
      { personId: 1, createdAt: -1 },
      // The unread count is queried on every page load.
      { personId: 1, read: 1 },
      { subjectId: 1 },
      { projectId: 1 },
      { personId: 1, digestAt: 1 },
      { messageId: 1 },
      { 'place.conversation': 1 },
      { createdAt: 1 },
    ],
  ],
  [
    models.emails,
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
  [models.digests, [{ at: 1 }]],
  [models.pushSubscriptions, [{ userId: 1, renewedAt: -1 }, { sessionId: 1 }, { renewedAt: 1 }, { endedAt: 1 }]],
  [models.pushes, [{ state: 1, nextAttemptAt: 1 }, { userId: 1, state: 1 }, { subscriptionId: 1 }, { createdAt: 1 }]],
  [models.withdrawals, [{ subjectId: 1 }, { at: 1 }]],
  [models.claims, [{ at: 1 }]],
  [models.calendarParts, [{ at: 1 }]],
];

type IndexConnection = { url: string; options: object; signal: AbortSignal };

/** Uses a separate connection without a response timeout: on a large collection this takes minutes. */
export async function buildIndexes(models: Models, { url, options, signal }: IndexConnection): Promise<void> {
  const connection = createConnection();
  connection.on('error', () => undefined);
  const close = () => connection.close();
  signal.addEventListener('abort', () => void close());
  try {
    await connection.openUri(url, { ...options, socketTimeoutMS: 0, maxPoolSize: 1 });
    for (const [{ collection }, indexes] of listIndexes(models))
      for (const fields of indexes) await connection.collection(collection.name).createIndex(fields);
  } finally {
    await close();
  }
}
