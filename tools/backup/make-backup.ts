import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type ConsistentSnapshot, takeConsistentSnapshot } from './consistent-snapshot.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { findError } from './files.ts';
import type { Installation } from './installation/installation.ts';
import { dumpStream } from './jetstream/dump-streams.ts';
import { readDurables } from './jetstream/durables.ts';
import {
  type BackupCollection,
  listBackups,
  type Manifest,
  newName,
  partialName,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { isByVersion } from './mongo/collections.ts';
import { dumpAtSnapshot, dumpCollection, nameCollections } from './mongo/dump-collections.ts';
import { dumpList, dumpObjects, withoutRemovals } from './objects/dump-objects.ts';
import { type PreviousBackup, type Reusable, readPreviousBackup } from './objects/reuse-objects.ts';
import { claimPartialBackups, reduceToObjects } from './partial-backup.ts';
import { dumpDatabase } from './postgres/dump-database.ts';
import { VERSION } from './version.ts';

export type CompletedBackup = { folder: string; manifest: Manifest };
type Say = (line: string) => void;

/**
 * Makes a backup in a new folder within `to` while users keep working. The folder gets its final name when the backup is complete. After a
 * failure only the copied user files remain, for the next backup to reuse.
 */
export async function makeBackup(installation: Installation, to: string, say: Say): Promise<CompletedBackup> {
  const parent = resolve(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return withExclusiveLock(installation, async (lock) => {
    const { left, removed } = await claimPartialBackups(parent);
    if (removed.length > 0) say(`  Removed partial backups: ${removed.join(', ')}.`);
    return withoutRemovals(installation, lock, (requireHeld) =>
      makeIn(parent, installation, { left, requireHeld, say }),
    );
  });
}

type MakeBackupOptions = { left: string[]; requireHeld: () => Promise<void>; say: Say };

async function makeIn(
  parent: string,
  installation: Installation,
  { left, requireHeld, say }: MakeBackupOptions,
): Promise<CompletedBackup> {
  const earlier = await findPreviousBackup(parent, say);
  const name = newName();
  const [making, folder] = [join(parent, partialName(name)), join(parent, name)];
  await mkdir(making, { mode: 0o700 });
  try {
    const content = await dumpAll(making, installation, { earlier, left }, say);
    await requireHeld();
    const manifest = { ...content, finishedAt: new Date().toISOString() };
    await writeManifest(making, manifest);
    await rename(making, folder);
    await removePartialBackups(left, say);
    return { folder, manifest };
  } catch (error) {
    // A folder that cannot be removed now is left to the next backup.
    await reduceToObjects(making).catch(() => undefined);
    throw error;
  }
}

/** Failures to remove a partial backup do not fail this one; the next backup tries again. */
async function removePartialBackups(left: readonly string[], say: Say): Promise<void> {
  for (const folder of left)
    await rm(folder, { recursive: true }).then(
      () => say(`  Removed the partial backup ${basename(folder)}.`),
      (error: Error) => say(`  Failed to remove the partial backup ${folder}: ${error.message}`),
    );
}

/** The newest complete backup, unless its file list is damaged; then every file is copied again. */
async function findPreviousBackup(parent: string, say: Say): Promise<PreviousBackup | undefined> {
  const newest = (await listBackups(parent)).findLast(({ isWhole }) => isWhole);
  if (!newest) return undefined;
  const folder = join(parent, newest.name);
  try {
    const manifest = await readManifest(folder);
    const damage = await findError(folder, manifest.objects);
    if (damage === undefined) return await readPreviousBackup(folder, manifest);
    throw new Error(damage);
  } catch (error) {
    say(`  ${folder} is damaged, so every file is copied again: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function dumpAll(folder: string, installation: Installation, reusable: Reusable, say: Say) {
  const durables = await readDurables(installation);
  const names = await nameCollections(installation);
  const versionedCollections: BackupCollection[] = [];
  for (const name of names.filter(isByVersion))
    versionedCollections.push(await dumpCollection(folder, installation, name));
  const cut = await takeConsistentSnapshot(installation);
  say(`  snapshot at ${cut.at}; writes were blocked for ${cut.heldMs} ms`);
  if (cut.uninitialized.length > 0) say(`  skipped ${cut.uninitialized.join(', ')}: never started here`);
  const { databases, list } = await dumpDatabases(folder, cut).finally(() => cut.release());
  const collections = versionedCollections;
  for (const name of names)
    if (!isByVersion(name)) collections.push(await dumpAtSnapshot(folder, installation, name, cut));
  const streams = [];
  for (const info of cut.streams.values())
    streams.push(await dumpStream(folder, installation, info, durables.get(info.config.name) ?? []));
  const objects = await dumpObjects({ folder, installation, list, reusable, say });
  const { at, heldMs, attempts } = cut;
  const { prefix } = installation;
  const what = { format: 1 as const, atrium: VERSION, prefix, cut: { at, heldMs, attempts } };
  return { ...what, databases, streams, collections, objects };
}

/** Everything read from the snapshot connections. While they are open, PostgreSQL cannot vacuum rows deleted since. */
async function dumpDatabases(folder: string, { readers }: ConsistentSnapshot) {
  const databases: Manifest['databases'] = {};
  for (const [service, reader] of readers) databases[service] = await dumpDatabase(folder, service, reader);
  if (!readers.has('documents'))
    throw new Error('The documents database has no schema; start the documents service once');
  return { databases, list: await dumpList(folder, readers) };
}

/** Removes all but the `keep` newest complete backups, and partial ones older than the newest. Returns the removed names. */
export async function removeOld(to: string, keep: number): Promise<string[]> {
  const all = await listBackups(to);
  const whole = all.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const newest = whole.at(-1) ?? '';
  const old = new Set(whole.slice(0, -keep));
  const gone = all.filter(({ name, isWhole }) => (isWhole ? old.has(name) : name < newest)).map(({ name }) => name);
  for (const name of gone) await rm(join(to, name), { recursive: true });
  return gone;
}
