import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** A file of a backup: its path there, and the length and SHA-256 of its content before it was compressed. */
const file = z.object({ file: z.string(), bytes: z.number(), sha256: z.string() });

const table = file.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() });

const database = z.object({
  /** Names of the migrations that had been run: those of the kit, and the service's own. */
  kitMigrations: z.array(z.string()),
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
});

/** A durable consumer, and up to which sequence everything had been handled. */
const durable = z.object({ config: z.record(z.string(), z.unknown()), handled: z.number() });

const stream = file.extend({
  name: z.string(),
  config: z.record(z.string(), z.unknown()),
  messages: z.number(),
  /** The last sequence at the moment of the cut. */
  last: z.number(),
  durables: z.array(durable),
});

const collection = file.extend({ name: z.string(), documents: z.number() });

const manifest = z.object({
  format: z.literal(1),
  /** The version of Atrium that made it. */
  atrium: z.string(),
  /** What streams, subjects and buckets begin with. */
  prefix: z.string(),
  /** The one moment whose state this is, by the clock of PostgreSQL; how long writes were held for it, in milliseconds. */
  cut: z.object({ at: z.iso.datetime(), heldMs: z.number(), attempts: z.number() }),
  finishedAt: z.iso.datetime(),
  databases: z.record(z.string(), database),
  streams: z.array(stream),
  collections: z.array(collection),
  /** `file` lists the objects, one a line; `missing` are those that the object store did not have, or not as their record says. */
  objects: file.extend({ count: z.number(), size: z.number(), missing: z.array(z.string()) }),
});

/** What a backup holds. It is written last. */
export type Manifest = z.infer<typeof manifest>;
export type KeptFile = z.infer<typeof file>;
export type KeptTable = z.infer<typeof table>;
export type KeptDatabase = z.infer<typeof database>;
export type KeptStream = z.infer<typeof stream>;
export type KeptDurable = z.infer<typeof durable>;
export type KeptCollection = z.infer<typeof collection>;

/** An object of the object store, and where its bytes are below `objects/`: under its own key. */
export const keptObject = z.object({ key: z.string(), size: z.number(), sha256: z.string() });
export type KeptObject = z.infer<typeof keptObject>;

const NAME = 'manifest.json';
/** The name of a backup is the time at which it was begun. */
const BACKUP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

/** What the folder of one is called in addition until it is whole. */
const UNFINISHED = '.partial';

export const unfinished = (name: string): string => name + UNFINISHED;

export const isUnfinished = (name: string): boolean =>
  name.endsWith(UNFINISHED) && BACKUP.test(name.slice(0, -UNFINISHED.length));

export const newName = (now = new Date()): string => `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest.parse(content), null, 2)}\n`;
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
}

/** Reads what a backup says of itself; throws a sentence where it is none, or not a whole one. */
export async function readManifest(folder: string): Promise<Manifest> {
  // One that was killed at the very end has a manifest.
  if (isUnfinished(basename(folder))) throw new Error(`${folder} is a backup that was broken off.`);
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is no backup, or one that was broken off: it has no ${NAME}.`);
  const parsed = manifest.safeParse(jsonIn(text));
  if (!parsed.success) throw new Error(`${join(folder, NAME)} cannot be read: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The backups in a folder, the oldest first, and whether each is a whole one. */
export async function listBackups(folder: string): Promise<{ name: string; isWhole: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && BACKUP.test(entry.name)).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      isWhole: (await readdir(join(folder, name))).includes(NAME),
    })),
  );
}
