import { once } from 'node:events';
import { forEach, readAsIs } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { KeptObject, Manifest } from '../manifest.ts';
import { readList } from './dump-objects.ts';
import { placeOf } from './reuse-objects.ts';
import { persistently } from './with-retries.ts';

const AT_ONCE = 4;
/** What services keep their objects under. */
const PREFIXES = ['documents/', 'chat/'];

/** Whether a bucket that was thought to be empty has objects of ours. */
export async function hasObjects({ objects, bucket }: Installation): Promise<boolean> {
  if (!(await objects.bucketExists(bucket))) return false;
  for (const prefix of PREFIXES)
    for await (const item of objects.listObjectsV2(bucket, prefix, true)) if (item.name !== undefined) return true;
  return false;
}

type Load = {
  folder: string;
  place: Pick<Installation, 'objects' | 'bucket'>;
  kept: Manifest['objects'];
  say: (line: string) => void;
};

/** Puts every file of a backup into the object store. */
export async function loadObjects({ folder, place, kept, say }: Load): Promise<void> {
  const { objects, bucket } = place;
  const persist = persistently(say);
  await persist(async () => {
    if (!(await objects.bucketExists(bucket))) await objects.makeBucket(bucket);
  });
  const missing = new Set(kept.missing);
  await forEach(readList(folder, kept), AT_ONCE, async (object) => {
    if (missing.has(object.key)) return;
    const { key, size, sha256 } = object;
    // What was whole when the restore began may be read otherwise now. Bytes on their way the store checks itself.
    const read = await persist(() => putObject(folder, place, object));
    if (read !== sha256) throw new Error(`The object ${key} was read otherwise than the backup has it`);
    const { size: there } = await persist(() => objects.statObject(bucket, key));
    if (there !== size) throw new Error(`The object ${key} has ${there} bytes of the ${size} of the backup`);
  });
}

/** Reads it from the beginning, as each attempt has to; answers the SHA-256 of what was read. */
async function putObject(folder: string, { objects, bucket }: Load['place'], object: KeptObject): Promise<string> {
  const { content, measured } = readAsIs(folder, placeOf(object.key));
  // Of a stream that fails the client hears nothing while it sends a large file in parts.
  const unreadable = once(content, 'error').then(([error]) => Promise.reject(error));
  try {
    await Promise.race([objects.putObject(bucket, object.key, content, object.size), unreadable]);
    return measured().sha256;
  } finally {
    content.destroy();
  }
}
