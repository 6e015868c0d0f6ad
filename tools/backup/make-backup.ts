import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { takeCut } from './cut.ts';
import { dumpStream } from './jetstream/dump-streams.ts';
import { readDurables } from './jetstream/durables.ts';
import { type KeptCollection, listBackups, type Manifest, newName, readManifest, writeManifest } from './manifest.ts';
import { isByVersion } from './mongo/collections.ts';
import { dumpAtCut, dumpCollection, nameCollections } from './mongo/dump-collections.ts';
import { dumpObjects, type Earlier, holdObjects, readEarlier } from './objects/dump-objects.ts';
import type { Place } from './place/place.ts';
import { dumpDatabase } from './postgres/dump-database.ts';
import { VERSION } from './version.ts';

export type Made = { folder: string; manifest: Manifest };
type Say = (line: string) => void;

/** Makes a backup in a new folder within that one, while everybody works. */
export async function makeBackup(place: Place, to: string, say: Say): Promise<Made> {
  const parent = resolve(to);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const earlier = await findEarlier(parent);
  const held = await holdObjects(place);
  let isHeld = true;
  try {
    const folder = join(parent, newName());
    await mkdir(folder, { mode: 0o700 });
    await chmod(folder, 0o700);
    const content = await dumpAll(folder, place, earlier, say);
    isHeld = false;
    await held.release();
    const manifest = { ...content, finishedAt: new Date().toISOString() };
    await writeManifest(folder, manifest);
    return { folder, manifest };
  } finally {
    if (isHeld) await held.release().catch(() => undefined);
  }
}

async function findEarlier(parent: string): Promise<Earlier | undefined> {
  const newest = (await listBackups(parent)).findLast(({ isWhole }) => isWhole);
  if (!newest) return undefined;
  const folder = join(parent, newest.name);
  return readEarlier(folder, await readManifest(folder));
}

async function dumpAll(folder: string, place: Place, earlier: Earlier | undefined, say: Say) {
  const durables = await readDurables(place);
  const names = await nameCollections(place);
  const ofBefore: KeptCollection[] = [];
  for (const name of names.filter(isByVersion)) ofBefore.push(await dumpCollection(folder, place, name));
  const cut = await takeCut(place);
  say(`  the state of ${cut.at}, for which writes were held for ${cut.heldMs} ms`);
  try {
    const collections = ofBefore;
    for (const name of names) if (!isByVersion(name)) collections.push(await dumpAtCut(folder, place, name, cut));
    const databases: Manifest['databases'] = {};
    for (const [service, reader] of cut.readers) databases[service] = await dumpDatabase(folder, service, reader);
    const streams = [];
    for (const info of cut.streams.values())
      streams.push(await dumpStream(folder, place, info, durables.get(info.config.name) ?? []));
    const reader = cut.readers.get('documents');
    if (!reader) throw new Error('There is no database of documents');
    const objects = await dumpObjects({ folder, place, reader, earlier });
    const { at, heldMs, attempts } = cut;
    const { prefix } = place;
    const what = { format: 1 as const, atrium: VERSION, prefix, cut: { at, heldMs, attempts } };
    return { ...what, databases, streams, collections, objects };
  } finally {
    await cut.release();
  }
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
