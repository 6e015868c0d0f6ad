import type { Store } from '../src/store/store.ts';

type Command = Record<string, unknown>;
type Filter = Record<string, unknown>;
type Query = { collection: string; filter: Filter };

/** Lets a store report its commands to `collectCommands`. */
export function withMonitoring(storeUrl: string): string {
  const url = new URL(storeUrl);
  url.searchParams.set('monitorCommands', 'true');
  return url.href;
}

/** Returns a list to which the commands of a connected store are appended. */
export function collectCommands(store: Store): Command[] {
  const commands: Command[] = [];
  store.claims.db.getClient().on('commandStarted', ({ command }) => commands.push(command));
  return commands;
}

/** Lists the filters of commands that compare a field with one value for which there is no index. */
export async function listUnindexed(store: Store, commands: readonly Command[]): Promise<Query[]> {
  const checked = await Promise.all(
    commands.flatMap(listQueries).map(async (query) => ((await isIndexed(store, query)) ? [] : [query])),
  );
  return checked.flat();
}

/** Whether an index begins with a compared field. FerretDB uses an index for equal values only. */
async function isIndexed(store: Store, { collection, filter }: Query): Promise<boolean> {
  const compared = Object.keys(filter).filter(
    (field) => typeof filter[field] === 'string' || filter[field] instanceof Date,
  );
  // Every collection has an index of the ids.
  if (compared.includes('_id')) return true;
  const indexes = await store.claims.db.collection(collection).listIndexes().toArray();
  const leadingFields = indexes.map(({ key }) => Object.keys(key as object)[0]);
  return compared.some((field) => leadingFields.includes(field));
}

export function listQueries(command: Command): Query[] {
  const { find, aggregate, pipeline, update, updates, delete: deleted, deletes } = command;
  const ofWrites = (collection: unknown, writes: unknown) =>
    (writes as { q: Filter }[]).map(({ q: filter }) => ({ collection: String(collection), filter }));
  if (find !== undefined) return [{ collection: String(find), filter: command.filter as Filter }];
  if (aggregate !== undefined)
    return [{ collection: String(aggregate), filter: (pipeline as [{ $match: Filter }])[0].$match }];
  if (update !== undefined) return ofWrites(update, updates);
  return deleted === undefined ? [] : ofWrites(deleted, deletes);
}
