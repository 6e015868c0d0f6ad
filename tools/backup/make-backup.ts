import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type ConsistentSnapshot, takeConsistentSnapshot } from './consistent-snapshot.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { findDamage } from './files.ts';
import type { Installation } from './installation/installation.ts';
import { dumpStream, readDurables } from './jetstream/dump-streams.ts';
import {
  type BackupCollection,
  claimPartialBackups,
  keepOnlyObjects,
  listBackups,
  type Manifest,
  newName,
  partialName,
  readManifest,
  VERSION,
  writeManifest,
} from './manifest.ts';
import { dumpAtSnapshot, dumpCollection, isReadBeforeSnapshot, listCollectionNames } from './mongo/dump-collections.ts';
import { dumpObjectList, dumpObjects, withRemovalsBlocked } from './objects/dump-objects.ts';
import { type PreviousBackup, type Reusable, readPreviousBackup } from './objects/reuse-objects.ts';
import { dumpDatabase } from './postgres/tables.ts';

export type CompletedBackup = { folder: string; manifest: Manifest };
type Print = (line: string) => void;

/**
 * Backs up while users keep working. The folder gets its final name when the backup is complete. After a failure, only
 * the copied user files remain, and the next backup reuses them.
 */
export async function makeBackup(installation: Installation, to: string, print: Print): Promise<CompletedBackup> {
  const parent = resolve(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return withExclusiveLock(installation, async (lock) => {
    const { remaining, removed } = await claimPartialBackups(parent);
    if (removed.length > 0) print(`  Removed partial backups: ${removed.join(', ')}.`);
    return withRemovalsBlocked(installation, lock, (assertLocksHeld) =>
      makeBackupIn(parent, installation, { partialFolders: remaining, assertLocksHeld, print }),
    );
  });
}

type MakeBackupOptions = { partialFolders: string[]; assertLocksHeld: () => Promise<void>; print: Print };

async function makeBackupIn(
  parent: string,
  installation: Installation,
  { partialFolders, assertLocksHeld, print }: MakeBackupOptions,
): Promise<CompletedBackup> {
  const previous = await findPreviousBackup(parent, print);
  const name = newName();
  const partialFolder = join(parent, partialName(name));
  const folder = join(parent, name);
  await mkdir(partialFolder, { mode: 0o700 });
  try {
    const content = await dumpAll(partialFolder, installation, { previous, partialFolders }, print);
    await assertLocksHeld();
    const manifest = { ...content, finishedAt: new Date().toISOString() };
    await writeManifest(partialFolder, manifest);
    await rename(partialFolder, folder);
    await removePartialBackups(partialFolders, print);
    return { folder, manifest };
  } catch (error) {
    // A folder that cannot be removed now stays until the next backup.
    await keepOnlyObjects(partialFolder).catch(() => undefined);
    throw error;
  }
}

/** Failures to remove a partial backup do not fail this one; the next backup tries again. */
async function removePartialBackups(partialFolders: readonly string[], print: Print): Promise<void> {
  for (const folder of partialFolders)
    await rm(folder, { recursive: true }).then(
      () => print(`  Removed the partial backup ${basename(folder)}.`),
      (error: Error) => print(`  Failed to remove the partial backup ${folder}: ${error.message}`),
    );
}

/** Returns undefined if the file list of the newest complete backup is damaged; then, every file is copied again. */
async function findPreviousBackup(parent: string, print: Print): Promise<PreviousBackup | undefined> {
  const newest = (await listBackups(parent)).findLast(({ isComplete }) => isComplete);
  if (!newest) return undefined;
  const folder = join(parent, newest.name);
  try {
    const manifest = await readManifest(folder);
    const damage = await findDamage(folder, manifest.objects);
    if (damage === undefined) return await readPreviousBackup(folder, manifest);
    throw new Error(damage);
  } catch (error) {
    print(`  ${folder} is damaged, so every file is copied again: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function dumpAll(folder: string, installation: Installation, reusable: Reusable, print: Print) {
  const durables = await readDurables(installation);
  const names = await listCollectionNames(installation);
  const collections: BackupCollection[] = [];
  for (const name of names.filter(isReadBeforeSnapshot))
    collections.push(await dumpCollection(folder, installation, name));
  const snapshot = await takeConsistentSnapshot(installation);
  print(`  Took the snapshot at ${snapshot.at}; writes were blocked for ${snapshot.heldMs} ms.`);
  if (snapshot.uninitialized.length > 0) print(`  Skipped ${snapshot.uninitialized.join(', ')}: never started here.`);
  const { databases, list } = await dumpDatabases(folder, snapshot).finally(() => snapshot.release());
  for (const name of names)
    if (!isReadBeforeSnapshot(name)) collections.push(await dumpAtSnapshot(folder, installation, name, snapshot));
  const streams = [];
  for (const info of snapshot.streams.values())
    streams.push(await dumpStream(folder, installation, info, durables.get(info.config.name) ?? []));
  const objects = await dumpObjects({ folder, installation, list, reusable, print });
  const { at, heldMs, attempts } = snapshot;
  const { prefix } = installation;
  const header = { format: 1 as const, atrium: VERSION, prefix, cut: { at, heldMs, attempts } };
  return { ...header, databases, streams, collections, objects };
}

/** PostgreSQL cannot vacuum rows deleted since the snapshot while its connections are open. */
async function dumpDatabases(folder: string, { readers }: ConsistentSnapshot) {
  const databases: Manifest['databases'] = {};
  for (const [service, reader] of readers) databases[service] = await dumpDatabase(folder, service, reader);
  if (!readers.has('documents'))
    throw new Error('The documents database has no schema; start the documents service once');
  return { databases, list: await dumpObjectList(folder, readers) };
}

/**
 * Removes all but the newest `keep` complete backups, and folders without a manifest that are older than the newest
 * complete one. Returns their names. `makeBackup` removes `.partial` folders.
 */
export async function removeOldBackups(to: string, keep: number): Promise<string[]> {
  const backups = await listBackups(to);
  const completeNames = backups.filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const newestName = completeNames.at(-1) ?? '';
  const expiredNames = new Set(completeNames.slice(0, -keep));
  const removedNames = backups
    .filter(({ name, isComplete }) => (isComplete ? expiredNames.has(name) : name < newestName))
    .map(({ name }) => name);
  for (const name of removedNames) await rm(join(to, name), { recursive: true });
  return removedNames;
}
