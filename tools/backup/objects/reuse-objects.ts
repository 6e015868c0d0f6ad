import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findRawError, linesOf } from '../files.ts';
import { type BackupObject, backupObject, type Manifest } from '../manifest.ts';

export type PreviousBackup = { folder: string; objects: ReadonlyMap<string, BackupObject> };

export type Reusable = {
  previous: PreviousBackup | undefined;
  partial: readonly string[];
};

export const objectPath = (key: string): string => `objects/${key}`;

export async function readPreviousBackup(folder: string, { objects }: Manifest): Promise<PreviousBackup> {
  const known = new Map<string, BackupObject>();
  for await (const line of linesOf(folder, objects)) {
    const object = backupObject.parse(JSON.parse(line));
    known.set(object.key, object);
  }
  for (const key of objects.missing) known.delete(key);
  return { folder, objects: known };
}

export type Reused = 'partial' | 'previous' | 'damaged' | 'none';

/**
 * An object never changes under its key, so all backups in a folder share one copy. It is verified each time,
 * because the disk may have damaged it.
 */
export async function reuseObject(
  folder: string,
  object: BackupObject,
  { previous, partial }: Reusable,
): Promise<Reused> {
  const file = objectPath(object.key);
  const path = join(folder, file);
  const isWhole = async () => {
    const expected = { file, bytes: object.size, sha256: object.sha256 };
    if ((await findRawError(folder, expected)) === undefined) return true;
    await rm(path);
    return false;
  };
  if (!previous && partial.length === 0) return 'none';
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (const partialFolder of partial) {
    // Moved, so that after several partial backups each file is in only one of them. It may be incomplete.
    const isMoved = await succeeds(rename(join(partialFolder, file), path));
    if (isMoved && (await isWhole())) return 'partial';
  }
  if (previous?.objects.get(object.key)?.sha256 !== object.sha256) return 'none';
  if (!(await succeeds(link(join(previous.folder, file), path)))) return 'none';
  return (await isWhole()) ? 'previous' : 'damaged';
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
