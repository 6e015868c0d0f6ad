import { posix } from 'node:path';
import { readXml } from './xml.ts';
import type { Zip } from './zip.ts';

export type Related = { type: string; part: string };

/** The related parts of a part, by relationship id (ISO/IEC 29500-2, 6.5). */
export async function readRelated(zip: Zip, part: string): Promise<ReadonlyMap<string, Related>> {
  const related = new Map<string, Related>();
  const folder = posix.dirname(part);
  const chunks = zip.part(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (!chunks) return related;
  await readXml(chunks, {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
      related.set(Id, { type: Type ?? '', part: posix.resolve('/', folder, Target).slice(1) });
    },
  });
  return related;
}
