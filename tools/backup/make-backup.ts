import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type ConsistentSnapshot, takeConsistentSnapshot } from './consistent-snapshot.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { findError } from './files.ts';
import type { Installation } from './installation/installation.ts';
import { dumpStream, readDurables } from './jetstream/dump-streams.ts';
import {
  type BackupCollection,
  claimPartialBackups,
  listBackups,
  type Manifest,
  newName,
  partialName,
  readManifest,
  reduceToObjects,
  VERSION,
  writeManifest,
} from './manifest.ts';
import { dumpAtSnapshot, dumpCollection, isByVersion, nameCollections } from './mongo/dump-collections.ts';
import { dumpList, dumpObjects, withoutRemovals } from './objects/dump-objects.ts';
import { type PreviousBackup, type Reusable, readPreviousBackup } from './objects/reuse-objects.ts';
import { dumpDatabase } from './postgres/tables.ts';

export type CompletedBackup = { folder: string; manifest: Manifest };
type Print = (line: string) => void;

/**
 * Users keep working. The folder gets its final name when the backup is complete. After a failure only the
 * copied user files remain, for the next backup to reuse.
 */
export async function makeBackup(installation: Installation, to: string, print: Print): Promise<CompletedBackup> {
  const parent = resolve(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return withExclusiveLock(installation, async (lock) => {
    const { remaining, removed } = await claimPartialBackups(parent);
    if (removed.length > 0) print(`  Removed partial backups: ${removed.join(', ')}.`);
    return withoutRemovals(installation, lock, (requireHeld) =>
      makeIn(parent, installation, { partial: remaining, requireHeld, print }),
    );
  });
}

type MakeBackupOptions = { partial: string[]; requireHeld: () => Promise<void>; print: Print };

async function makeIn(
  parent: string,
  installation: Installation,
  { partial, requireHeld, print }: MakeBackupOptions,
): Promise<CompletedBackup> {
  const previous = await findPreviousBackup(parent, print);
  const name = newName();
  const [making, folder] = [join(parent, partialName(name)), join(parent, name)];
  await mkdir(making, { mode: 0o700 });
  try {
    const content = await dumpAll(making, installation, { previous, partial }, print);
    await requireHeld();
    const manifest = { ...content, finishedAt: new Date().toISOString() };
    await writeManifest(making, manifest);
    await rename(making, folder);
    await removePartialBackups(partial, print);
    return { folder, manifest };
  } catch (error) {
    // A folder that cannot be removed now stays until the next backup.
    await reduceToObjects(making).catch(() => undefined);
    throw error;
  }
}

/** Failures to remove a partial backup do not fail this one; the next backup tries again. */
async function removePartialBackups(partial: readonly string[], print: Print): Promise<void> {
  for (const folder of partial)
    await rm(folder, { recursive: true }).then(
      () => print(`  Removed the partial backup ${basename(folder)}.`),
      (error: Error) => print(`  Failed to remove the partial backup ${folder}: ${error.message}`),
    );
}

/** Undefined if the file list of the newest complete backup is damaged; then every file is copied again. */
async function findPreviousBackup(parent: string, print: Print): Promise<PreviousBackup | undefined> {
  const newest = (await listBackups(parent)).findLast(({ isWhole }) => isWhole);
  if (!newest) return undefined;
  const folder = join(parent, newest.name);
  try {
    const manifest = await readManifest(folder);
    const damage = await findError(folder, manifest.objects);
    if (damage === undefined) return await readPreviousBackup(folder, manifest);
    throw new Error(damage);
  } catch (error) {
    print(`  ${folder} is damaged, so every file is copied again: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function dumpAll(folder: string, installation: Installation, reusable: Reusable, print: Print) {
  const durables = await readDurables(installation);
  const names = await nameCollections(installation);
  const versionedCollections: BackupCollection[] = [];
  for (const name of names.filter(isByVersion))
    versionedCollections.push(await dumpCollection(folder, installation, name));
  const cut = await takeConsistentSnapshot(installation);
  print(`  snapshot at ${cut.at}; writes were blocked for ${cut.heldMs} ms`);
  if (cut.uninitialized.length > 0) print(`  skipped ${cut.uninitialized.join(', ')}: never started here`);
  const { databases, list } = await dumpDatabases(folder, cut).finally(() => cut.release());
  const collections = versionedCollections;
  for (const name of names)
    if (!isByVersion(name)) collections.push(await dumpAtSnapshot(folder, installation, name, cut));
  const streams = [];
  for (const info of cut.streams.values())
    streams.push(await dumpStream(folder, installation, info, durables.get(info.config.name) ?? []));
  const objects = await dumpObjects({ folder, installation, list, reusable, print });
  const { at, heldMs, attempts } = cut;
  const { prefix } = installation;
  const what = { format: 1 as const, atrium: VERSION, prefix, cut: { at, heldMs, attempts } };
  return { ...what, databases, streams, collections, objects };
}

/** PostgreSQL cannot vacuum rows deleted since the snapshot while its connections are open. */
async function dumpDatabases(folder: string, { readers }: ConsistentSnapshot) {
  const databases: Manifest['databases'] = {};
  for (const [service, reader] of readers) databases[service] = await dumpDatabase(folder, service, reader);
  if (!readers.has('documents'))
    throw new Error('The documents database has no schema; start the documents service once');
  return { databases, list: await dumpList(folder, readers) };
}

export async function removeOld(to: string, keep: number): Promise<string[]> {
  const all = await listBackups(to);
  const whole = all.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const newest = whole.at(-1) ?? '';
  const old = new Set(whole.slice(0, -keep));
  const gone = all.filter(({ name, isWhole }) => (isWhole ? old.has(name) : name < newest)).map(({ name }) => name);
  for (const name of gone) await rm(join(to, name), { recursive: true });
  return gone;
}
