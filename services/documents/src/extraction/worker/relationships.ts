import { posix } from 'node:path';
import { readXml } from './xml.ts';
import type { Zip } from './zip.ts';

export type Related = { type: string; part: string };

/** The parts to which a part of a package refers, by the ids that it has for them (ISO/IEC 29500-2, 6.5). */
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
