import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFaultAsIs, linesOf } from '../files.ts';
import { type KeptObject, keptObject, type Manifest } from '../manifest.ts';

/** An earlier backup in the same folder, whose files serve again. */
export type Earlier = { folder: string; objects: ReadonlyMap<string, KeptObject> };

/** What is there already of the files that a backup is to hold. */
export type Reusable = {
  earlier: Earlier | undefined;
  /** Folders of backups that were broken off. */
  left: readonly string[];
};

export const placeOf = (key: string): string => `objects/${key}`;

export async function readEarlier(folder: string, { objects }: Manifest): Promise<Earlier> {
  const known = new Map<string, KeptObject>();
  for await (const line of linesOf(folder, objects)) {
    const object = keptObject.parse(JSON.parse(line));
    known.set(object.key, object);
  }
  for (const key of objects.missing) known.delete(key);
  return { folder, objects: known };
}

/** Where a file came from; `damaged` where the earlier backup has it otherwise than it was. */
export type Reused = 'left' | 'earlier' | 'damaged' | 'none';

/**
 * A file never changes under its key, so one copy serves all backups of a folder, for as long as the disk has kept it: it is read against
 * its record each time. What the object store has of it now would say nothing of the disk, and its size alone nothing of its bytes.
 */
export async function reuseObject(folder: string, object: KeptObject, { earlier, left }: Reusable): Promise<Reused> {
  const file = placeOf(object.key);
  const path = join(folder, file);
  const isWhole = async () => {
    const kept = { file, bytes: object.size, sha256: object.sha256 };
    if ((await findFaultAsIs(folder, kept)) === undefined) return true;
    await rm(path);
    return false;
  };
  if (!earlier && left.length === 0) return 'none';
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (const broken of left) {
    // Moved, so that of backups that break off one after the other each file is in one. It may have been half written.
    const isTaken = await wasThere(rename(join(broken, file), path));
    if (isTaken && (await isWhole())) return 'left';
  }
  if (earlier?.objects.get(object.key)?.sha256 !== object.sha256) return 'none';
  if (!(await wasThere(link(join(earlier.folder, file), path)))) return 'none';
  return (await isWhole()) ? 'earlier' : 'damaged';
}

const wasThere = (taking: Promise<void>): Promise<boolean> =>
  taking.then(
    () => true,
    () => false,
  );
