import { createKeyedSemaphore, type KeyedSemaphore } from '@atrium/service-kit/process/concurrency';
import type { Connection, Query, Schema } from 'mongoose';

const UPDATES = ['updateOne', 'updateMany', 'findOneAndUpdate', 'deleteOne', 'deleteMany'] as const;

type AnyQuery = Query<unknown, unknown>;

/** For connections on which the updates of a collection run one at a time. */
const queues = new WeakMap<Connection, KeyedSemaphore>();
const endUpdate = new WeakMap<AnyQuery, () => void>();

/**
 * FerretDB reads a document and writes it in separate steps, so that one of two concurrent updates would be lost. A
 * process therefore makes one update of a collection at a time. MongoDB updates atomically.
 */
export async function serializeOnFerretDb(connection: Connection): Promise<void> {
  const info = await connection.db?.admin().command({ buildInfo: 1 });
  if (info && 'ferretdbVersion' in info) queues.set(connection, createKeyedSemaphore(1));
}

/** A plugin for schemas. Has no effect on connections to MongoDB. */
export function serialUpdates(schema: Schema): void {
  schema.pre([...UPDATES], async function (this: AnyQuery) {
    const { collection, db } = this.model;
    const queue = queues.get(db);
    if (!queue) return;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    endUpdate.set(this, end);
    await new Promise<void>((begin) => {
      void queue.run(collection.name, () => {
        begin();
        return ended;
      });
    });
  });
  schema.post([...UPDATES], function (this: AnyQuery) {
    endUpdate.get(this)?.();
  });
  schema.post([...UPDATES], function (this: AnyQuery, error: Error, _result: unknown, next: (error: Error) => void) {
    endUpdate.get(this)?.();
    next(error);
  });
}
