import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { forEach } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import type { Place } from '../place/place.ts';
import { placeOf, readList } from './dump-objects.ts';

const AT_ONCE = 4;
/** What the documents service keeps its objects under. */
const PREFIX = 'documents/';

/** Whether a bucket that was thought to be empty has objects of documents. */
export async function hasObjects({ objects, bucket }: Place): Promise<boolean> {
  if (!(await objects.bucketExists(bucket))) return false;
  for await (const item of objects.listObjectsV2(bucket, PREFIX, true)) if (item.name !== undefined) return true;
  return false;
}

export async function loadObjects(folder: string, place: Place, kept: Manifest['objects']): Promise<void> {
  const { objects, bucket } = place;
  if (!(await objects.bucketExists(bucket))) await objects.makeBucket(bucket);
  const missing = new Set(kept.missing);
  await forEach(readList(folder, kept), AT_ONCE, async ({ key, size }) => {
    if (missing.has(key)) return;
    await objects.putObject(bucket, key, createReadStream(join(folder, placeOf(key))), size);
    const { size: there } = await objects.statObject(bucket, key);
    if (there !== size) throw new Error(`The object ${key} has ${there} bytes of the ${size} of the backup`);
  });
}
