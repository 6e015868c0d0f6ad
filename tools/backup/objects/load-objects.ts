import { forEach, readAsIs } from '../files.ts';
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
  await forEach(readList(folder, kept), AT_ONCE, async ({ key, size, sha256 }) => {
    if (missing.has(key)) return;
    // What was whole when the restore began may be read otherwise now. Bytes on their way the store checks itself.
    const { content, measured } = readAsIs(folder, placeOf(key));
    await objects.putObject(bucket, key, content, size);
    if (measured().sha256 !== sha256) throw new Error(`The object ${key} was read otherwise than the backup has it`);
    const { size: there } = await objects.statObject(bucket, key);
    if (there !== size) throw new Error(`The object ${key} has ${there} bytes of the ${size} of the backup`);
  });
}
