import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findRawDamage, readLines } from '../files.ts';
import { type BackupObject, backupObject, type Manifest } from '../manifest.ts';

export type PreviousBackup = { folder: string; objects: ReadonlyMap<string, BackupObject> };

export type Reusable = {
  previous: PreviousBackup | undefined;
  /** Folders of partial backups, the newest first. */
  partialFolders: readonly string[];
};

export const objectPath = (key: string): string => `objects/${key}`;

export async function readPreviousBackup(folder: string, { objects }: Manifest): Promise<PreviousBackup> {
  const objectsByKey = new Map<string, BackupObject>();
  for await (const line of readLines(folder, objects)) {
    const object = backupObject.parse(JSON.parse(line));
    objectsByKey.set(object.key, object);
  }
  for (const key of objects.missing) objectsByKey.delete(key);
  return { folder, objects: objectsByKey };
}

type ReuseResult = 'partial' | 'previous' | 'damaged' | 'none';

/**
 * An object never changes under its key, so all backups in a folder share one copy. It is verified each time,
 * because the disk may have damaged it.
 */
export async function reuseObject(
  folder: string,
  object: BackupObject,
  { previous, partialFolders }: Reusable,
): Promise<ReuseResult> {
  const file = objectPath(object.key);
  const path = join(folder, file);
  const removeIfDamaged = async () => {
    const expected = { file, bytes: object.size, sha256: object.sha256 };
    if ((await findRawDamage(folder, expected)) === undefined) return false;
    await rm(path);
    return true;
  };
  if (!previous && partialFolders.length === 0) return 'none';
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (const partialFolder of partialFolders) {
    // Moved, so that after several partial backups each file is in only one of them. It may be incomplete.
    const isMoved = await succeeds(rename(join(partialFolder, file), path));
    if (isMoved && !(await removeIfDamaged())) return 'partial';
  }
  if (previous?.objects.get(object.key)?.sha256 !== object.sha256) return 'none';
  if (!(await succeeds(link(join(previous.folder, file), path)))) return 'none';
  return (await removeIfDamaged()) ? 'damaged' : 'previous';
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
