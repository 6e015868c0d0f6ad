import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinished } from './manifest.ts';

/** Of one that is broken off these alone stay: what took hours to copy, and can be held against its record. */
const OBJECTS = 'objects';

/** Leaves of a folder only the files of people, or nothing at all where it has none; answers whether there are any. */
export async function leaveObjects(folder: string): Promise<boolean> {
  const entries = await readdir(folder);
  const hasObjects = entries.includes(OBJECTS);
  const rest = hasObjects ? entries.filter((name) => name !== OBJECTS).map((name) => join(folder, name)) : [folder];
  for (const path of rest) await rm(path, { recursive: true });
  return hasObjects;
}

/**
 * Folders of backups that were broken off, the newest first, of which the files of people are left; answers the names of those, too, that
 * had none and were removed. Only whoever has the turn may: else somebody may work there.
 */
export async function takeUnfinished(parent: string): Promise<{ left: string[]; removed: string[] }> {
  const names = (await readdir(parent)).filter(isUnfinished);
  const left: string[] = [];
  const removed: string[] = [];
  for (const name of names.sort().reverse())
    if (await leaveObjects(join(parent, name))) left.push(join(parent, name));
    else removed.push(name);
  return { left, removed };
}
