import type { Connection, Query, Schema } from 'mongoose';

const UPDATES = ['updateOne', 'updateMany', 'findOneAndUpdate', 'deleteOne', 'deleteMany'] as const;

type AnyQuery = Query<unknown, unknown>;

/** The last update of each collection, for connections on which updates run one at a time. */
const lastUpdates = new WeakMap<Connection, Map<string, Promise<void>>>();
const endUpdate = new WeakMap<AnyQuery, () => void>();

/**
 * FerretDB reads a document and writes it in separate steps, so that one of two concurrent updates would be lost. A
 * process therefore updates one document of a collection at a time. MongoDB updates atomically.
 */
export async function serializeOnFerretDb(connection: Connection): Promise<void> {
  const info = await connection.db?.admin().command({ buildInfo: 1 });
  if (info && 'ferretdbVersion' in info) lastUpdates.set(connection, new Map());
}

/** A plugin for schemas. Has no effect on connections to MongoDB. */
export function serialUpdates(schema: Schema): void {
  schema.pre([...UPDATES], async function (this: AnyQuery) {
    const { collection, db } = this.model;
    const updates = lastUpdates.get(db);
    if (!updates) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const previous = updates.get(collection.name) ?? Promise.resolve();
    updates.set(
      collection.name,
      previous.then(() => promise),
    );
    endUpdate.set(this, resolve);
    await previous;
  });
  schema.post([...UPDATES], function (this: AnyQuery) {
    endUpdate.get(this)?.();
  });
  schema.post([...UPDATES], function (this: AnyQuery, error: Error, _result: unknown, next: (error: Error) => void) {
    endUpdate.get(this)?.();
    next(error);
  });
}
