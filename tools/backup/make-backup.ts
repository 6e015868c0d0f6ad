import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Cut, takeCut } from './consistent-snapshot.ts';
import { inTurn } from './exclusive-lock.ts';
import { findFault } from './files.ts';
import type { Installation } from './installation/installation.ts';
import { dumpStream } from './jetstream/dump-streams.ts';
import { readDurables } from './jetstream/durables.ts';
import {
  type KeptCollection,
  listBackups,
  type Manifest,
  newName,
  readManifest,
  unfinished,
  writeManifest,
} from './manifest.ts';
import { isByVersion } from './mongo/collections.ts';
import { dumpAtCut, dumpCollection, nameCollections } from './mongo/dump-collections.ts';
import { dumpList, dumpObjects, holdingObjects } from './objects/dump-objects.ts';
import { type Earlier, type Reusable, readEarlier } from './objects/reuse-objects.ts';
import { leaveObjects, takeUnfinished } from './partial-backup.ts';
import { dumpDatabase } from './postgres/dump-database.ts';
import { VERSION } from './version.ts';

export type Made = { folder: string; manifest: Manifest };
type Say = (line: string) => void;

/**
 * Makes a backup in a new folder within that one, while everybody works. It has its name when it is whole; where it fails, only files of
 * people stay of it, which the next one need not copy again.
 */
export async function makeBackup(place: Installation, to: string, say: Say): Promise<Made> {
  const parent = resolve(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return inTurn(place, async (turn) => {
    const { left, removed } = await takeUnfinished(parent);
    if (removed.length > 0) say(`  Removed ${removed.join(', ')}, which was broken off.`);
    return holdingObjects(place, turn, (requireHeld) => makeIn(parent, place, { left, requireHeld, say }));
  });
}

type Making = { left: string[]; requireHeld: () => Promise<void>; say: Say };

async function makeIn(parent: string, place: Installation, { left, requireHeld, say }: Making): Promise<Made> {
  const earlier = await findEarlier(parent, say);
  const name = newName();
  const [making, folder] = [join(parent, unfinished(name)), join(parent, name)];
  await mkdir(making, { mode: 0o700 });
  try {
    const content = await dumpAll(making, place, { earlier, left }, say);
    await requireHeld();
    const manifest = { ...content, finishedAt: new Date().toISOString() };
    await writeManifest(making, manifest);
    await rename(making, folder);
    await removeLeft(left, say);
    return { folder, manifest };
  } catch (error) {
    // What cannot be removed now is left to the next one.
    await leaveObjects(making).catch(() => undefined);
    throw error;
  }
}

/** A whole backup does not fail by what others have left; the next one tries again. */
async function removeLeft(left: readonly string[], say: Say): Promise<void> {
  for (const folder of left)
    await rm(folder, { recursive: true }).then(
      () => say(`  Removed ${basename(folder)}, which was broken off.`),
      (error: Error) => say(`  ${folder}, which was broken off, could not be removed: ${error.message}`),
    );
}

/** The newest whole backup there, unless what it says of its files is damaged: then every file is copied anew. */
async function findEarlier(parent: string, say: Say): Promise<Earlier | undefined> {
  const newest = (await listBackups(parent)).findLast(({ isWhole }) => isWhole);
  if (!newest) return undefined;
  const folder = join(parent, newest.name);
  try {
    const manifest = await readManifest(folder);
    const fault = await findFault(folder, manifest.objects);
    if (fault === undefined) return await readEarlier(folder, manifest);
    throw new Error(fault);
  } catch (error) {
    say(`  ${folder} is damaged, so every file is copied anew: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function dumpAll(folder: string, place: Installation, reusable: Reusable, say: Say) {
  const durables = await readDurables(place);
  const names = await nameCollections(place);
  const ofBefore: KeptCollection[] = [];
  for (const name of names.filter(isByVersion)) ofBefore.push(await dumpCollection(folder, place, name));
  const cut = await takeCut(place);
  say(`  the state of ${cut.at}, for which writes were held for ${cut.heldMs} ms`);
  if (cut.notBegun.length > 0) say(`  nothing of ${cut.notBegun.join(', ')}, which was never started here`);
  const { databases, list } = await dumpDatabases(folder, cut).finally(() => cut.release());
  const collections = ofBefore;
  for (const name of names) if (!isByVersion(name)) collections.push(await dumpAtCut(folder, place, name, cut));
  const streams = [];
  for (const info of cut.streams.values())
    streams.push(await dumpStream(folder, place, info, durables.get(info.config.name) ?? []));
  const objects = await dumpObjects({ folder, place, list, reusable, say });
  const { at, heldMs, attempts } = cut;
  const { prefix } = place;
  const what = { format: 1 as const, atrium: VERSION, prefix, cut: { at, heldMs, attempts } };
  return { ...what, databases, streams, collections, objects };
}

/** Everything that is read from the snapshots: while these are there PostgreSQL cleans up nothing that was deleted since. */
async function dumpDatabases(folder: string, { readers }: Cut) {
  const databases: Manifest['databases'] = {};
  for (const [service, reader] of readers) databases[service] = await dumpDatabase(folder, service, reader);
  if (!readers.has('documents')) throw new Error('There is no database of documents');
  return { databases, list: await dumpList(folder, readers) };
}

/** Removes all but the newest whole backups, so many, and those that were broken off before the newest was made; answers their names. */
export async function removeOld(to: string, keep: number): Promise<string[]> {
  const all = await listBackups(to);
  const whole = all.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const newest = whole.at(-1) ?? '';
  const old = new Set(whole.slice(0, -keep));
  const gone = all.filter(({ name, isWhole }) => (isWhole ? old.has(name) : name < newest)).map(({ name }) => name);
  for (const name of gone) await rm(join(to, name), { recursive: true });
  return gone;
}
