import { findFault, findFaultAsIs, forEach } from './files.ts';
import type { Manifest } from './manifest.ts';
import { placeOf, readList } from './objects/dump-objects.ts';

const AT_ONCE = 4;

/** Everything in which a backup is not as its manifest says: a file that is not there, or that was changed or damaged. */
export async function findFaults(folder: string, manifest: Manifest): Promise<string[]> {
  const files = [
    ...Object.values(manifest.databases).flatMap(({ tables }) => tables),
    ...manifest.streams,
    ...manifest.collections,
    manifest.objects,
  ];
  const faults: string[] = [];
  const note = (fault: string | undefined) => {
    if (fault !== undefined) faults.push(fault);
  };
  await forEach(files, AT_ONCE, async (file) => note(await findFault(folder, file)));
  // A list that is damaged itself names nothing.
  if (faults.length > 0) return faults;
  const missing = new Set(manifest.objects.missing);
  await forEach(readList(folder, manifest.objects), AT_ONCE, async ({ key, size: bytes, sha256 }) => {
    if (!missing.has(key)) note(await findFaultAsIs(folder, { file: placeOf(key), bytes, sha256 }));
  });
  return faults.sort();
}
