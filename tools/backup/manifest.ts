import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** The Atrium version of the root package.json, which is outside this project's rootDir; a test compares them. */
export const VERSION = '0.9.0';

const file = z.object({ file: z.string(), bytes: z.number(), sha256: z.string() });

const table = file.extend({ name: z.string(), columns: z.array(z.string()), rows: z.number() });

const database = z.object({
  /** Names of the migrations that had run: the kit's and the service's own. */
  kitMigrations: z.array(z.string()),
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
});

const durable = z.object({
  config: z.record(z.string(), z.unknown()),
  /** Every event up to this sequence had been handled. */
  handled: z.number(),
});

const stream = file.extend({
  name: z.string(),
  config: z.record(z.string(), z.unknown()),
  messages: z.number(),
  /** The last sequence at the time of the snapshot. */
  last: z.number(),
  durables: z.array(durable),
});

const collection = file.extend({ name: z.string(), documents: z.number() });

const manifest = z.object({
  format: z.literal(1),
  atrium: z.string(),
  prefix: z.string(),
  /** The snapshot: its time on PostgreSQL's clock, and how long writes were blocked, in milliseconds. */
  cut: z.object({ at: z.iso.datetime(), heldMs: z.number(), attempts: z.number() }),
  finishedAt: z.iso.datetime(),
  databases: z.record(z.string(), database),
  streams: z.array(stream),
  collections: z.array(collection),
  /** `file` lists one object per line; `missing` lists those that the store lacks or that differ from their record. */
  objects: file.extend({ count: z.number(), size: z.number(), missing: z.array(z.string()) }),
});

/** The manifest is written last, so a folder with a manifest is complete. */
export type Manifest = z.infer<typeof manifest>;
export type BackupFile = z.infer<typeof file>;
export type BackupTable = z.infer<typeof table>;
export type BackupDatabase = z.infer<typeof database>;
export type BackupStream = z.infer<typeof stream>;
export type BackupConsumer = z.infer<typeof durable>;
export type BackupCollection = z.infer<typeof collection>;

export const backupObject = z.object({ key: z.string(), size: z.number(), sha256: z.string() });
export type BackupObject = z.infer<typeof backupObject>;

const NAME = 'manifest.json';
const BACKUP = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

const PARTIAL_SUFFIX = '.partial';

export const partialName = (name: string): string => name + PARTIAL_SUFFIX;

const isPartial = (name: string): boolean =>
  name.endsWith(PARTIAL_SUFFIX) && BACKUP.test(name.slice(0, -PARTIAL_SUFFIX.length));

export const newName = (now = new Date()): string => `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest.parse(content), null, 2)}\n`;
  await writeFile(join(folder, NAME), text, { mode: 0o600, flush: true });
}

/** Throws if the folder is not a complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  // A process killed just before the rename leaves a folder with a manifest.
  if (isPartial(basename(folder))) throw new Error(`${folder} is a partial backup.`);
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is not a complete backup: it has no ${NAME}.`);
  const parsed = manifest.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`Invalid ${join(folder, NAME)}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export async function listBackups(folder: string): Promise<{ name: string; isComplete: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && BACKUP.test(entry.name)).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      isComplete: (await readdir(join(folder, name))).includes(NAME),
    })),
  );
}

/** The only part of a partial backup that is kept, because it is slow to copy and can be verified. */
const OBJECTS = 'objects';

/** Returns whether the folder had user files; otherwise, it is removed. */
export async function keepOnlyObjects(folder: string): Promise<boolean> {
  const entries = await readdir(folder);
  const hasObjects = entries.includes(OBJECTS);
  const removedPaths = hasObjects
    ? entries.filter((name) => name !== OBJECTS).map((name) => join(folder, name))
    : [folder];
  for (const path of removedPaths) await rm(path, { recursive: true });
  return hasObjects;
}

/**
 * Returns the folders of partial backups, the newest first, and the names of those that were removed because they had
 * no user files. The caller must hold the exclusive lock, because another backup may be in progress there.
 */
export async function claimPartialBackups(parent: string): Promise<{ remaining: string[]; removed: string[] }> {
  const names = (await readdir(parent)).filter(isPartial);
  const remaining: string[] = [];
  const removed: string[] = [];
  for (const name of names.sort().reverse())
    if (await keepOnlyObjects(join(parent, name))) remaining.push(join(parent, name));
    else removed.push(name);
  return { remaining, removed };
}
