import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPartial } from './manifest.ts';

/** The only part of a partial backup that is kept: slow to copy, and verifiable. */
const OBJECTS = 'objects';

/** Deletes everything but the user files of a folder, or the folder if it has none. Returns whether any files remain. */
export async function reduceToObjects(folder: string): Promise<boolean> {
  const entries = await readdir(folder);
  const hasObjects = entries.includes(OBJECTS);
  const rest = hasObjects ? entries.filter((name) => name !== OBJECTS).map((name) => join(folder, name)) : [folder];
  for (const path of rest) await rm(path, { recursive: true });
  return hasObjects;
}

/**
 * Partial backups that still contain user files, newest first, and the names of those that were removed because they had none. The caller
 * must hold the exclusive lock: another backup may be in progress there.
 */
export async function claimPartialBackups(parent: string): Promise<{ left: string[]; removed: string[] }> {
  const names = (await readdir(parent)).filter(isPartial);
  const left: string[] = [];
  const removed: string[] = [];
  for (const name of names.sort().reverse())
    if (await reduceToObjects(join(parent, name))) left.push(join(parent, name));
    else removed.push(name);
  return { left, removed };
}
