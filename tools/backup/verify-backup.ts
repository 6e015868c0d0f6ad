import { findFault, findFaultAsIs, forEach } from './files.ts';
import type { Manifest } from './manifest.ts';
import { readList } from './objects/dump-objects.ts';
import { placeOf } from './objects/reuse-objects.ts';

const AT_ONCE = 4;

/** In what a backup is not as its manifest says: what is not there, or was changed or damaged, each a sentence. */
export type Faults = {
  /** Of what a restore cannot do without. */
  parts: string[];
  /** Of files of people, by their keys; none while a part is damaged, which may be their list. */
  files: ReadonlyMap<string, string>;
};

export async function findFaults(folder: string, manifest: Manifest): Promise<Faults> {
  const parts: string[] = [];
  const files = new Map<string, string>();
  const inBackup = [
    ...Object.values(manifest.databases).flatMap(({ tables }) => tables),
    ...manifest.streams,
    ...manifest.collections,
    manifest.objects,
  ];
  await forEach(inBackup, AT_ONCE, async (file) => {
    const fault = await findFault(folder, file);
    if (fault !== undefined) parts.push(fault);
  });
  if (parts.length > 0) return { parts: parts.sort(), files };
  const missing = new Set(manifest.objects.missing);
  await forEach(readList(folder, manifest.objects), AT_ONCE, async ({ key, size: bytes, sha256 }) => {
    const fault = missing.has(key) ? undefined : await findFaultAsIs(folder, { file: placeOf(key), bytes, sha256 });
    if (fault !== undefined) files.set(key, fault);
  });
  return { parts, files };
}

export const listFaults = ({ parts, files }: Faults): string[] => [...parts, ...[...files.values()].sort()];
