import { findDamage, findRawDamage, forEach } from './files.ts';
import type { Manifest } from './manifest.ts';
import { readObjectList } from './objects/dump-objects.ts';
import { objectPath } from './objects/reuse-objects.ts';

const MAX_CONCURRENT_FILES = 4;

type BackupErrors = {
  /** Errors of files that a restore cannot skip. */
  parts: string[];
  /** Errors of user files by key. Not checked if a part is damaged, because that may be the list of files. */
  files: ReadonlyMap<string, string>;
};

export async function findErrors(folder: string, manifest: Manifest): Promise<BackupErrors> {
  const parts: string[] = [];
  const files = new Map<string, string>();
  const backupParts = [
    ...Object.values(manifest.databases).flatMap(({ tables }) => tables),
    ...manifest.streams,
    ...manifest.collections,
    manifest.objects,
  ];
  await forEach(backupParts, MAX_CONCURRENT_FILES, async (file) => {
    const error = await findDamage(folder, file);
    if (error !== undefined) parts.push(error);
  });
  if (parts.length > 0) return { parts: parts.sort(), files };
  const missing = new Set(manifest.objects.missing);
  const objects = readObjectList(folder, manifest.objects);
  await forEach(objects, MAX_CONCURRENT_FILES, async ({ key, size: bytes, sha256 }) => {
    const error = missing.has(key) ? undefined : await findRawDamage(folder, { file: objectPath(key), bytes, sha256 });
    if (error !== undefined) files.set(key, error);
  });
  return { parts, files };
}

export const listErrors = ({ parts, files }: BackupErrors): string[] => [...parts, ...[...files.values()].sort()];
