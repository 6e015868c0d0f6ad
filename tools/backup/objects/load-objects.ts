import { once } from 'node:events';
import { forEach, readRaw } from '../files.ts';
import type { Installation } from '../installation/installation.ts';
import type { BackupObject, Manifest } from '../manifest.ts';
import { readObjectList } from './dump-objects.ts';
import { objectPath } from './reuse-objects.ts';
import { createRetry } from './with-retries.ts';

const MAX_CONCURRENT_FILES = 4;
const PREFIXES = ['documents/', 'chat/'];

export async function hasObjects({ objects, bucket }: Installation): Promise<boolean> {
  if (!(await objects.bucketExists(bucket))) return false;
  for (const prefix of PREFIXES)
    for await (const item of objects.listObjectsV2(bucket, prefix, true)) if (item.name !== undefined) return true;
  return false;
}

type Load = {
  folder: string;
  installation: Pick<Installation, 'objects' | 'bucket'>;
  entry: Manifest['objects'];
  print: (line: string) => void;
};

export async function loadObjects({ folder, installation, entry, print }: Load): Promise<void> {
  const { objects, bucket } = installation;
  const retryCall = createRetry(print);
  await retryCall(async () => {
    if (!(await objects.bucketExists(bucket))) await objects.makeBucket(bucket);
  });
  const missing = new Set(entry.missing);
  await forEach(readObjectList(folder, entry), MAX_CONCURRENT_FILES, async (object) => {
    if (missing.has(object.key)) return;
    const { key, size, sha256 } = object;
    // The file may have changed since the backup was verified. The object store checks the bytes that it receives.
    const sentSha256 = await retryCall(() => putObject(folder, installation, object));
    if (sentSha256 !== sha256) throw new Error(`The object ${key} changed in the backup while it was restored`);
    const { size: storedBytes } = await retryCall(() => objects.statObject(bucket, key));
    if (storedBytes !== size)
      throw new Error(`The object ${key} has ${storedBytes} bytes after the upload, expected ${size}`);
  });
}

/** Reads the file from its start, as every attempt must. Returns the SHA-256 of the bytes read. */
async function putObject(
  folder: string,
  { objects, bucket }: Load['installation'],
  object: BackupObject,
): Promise<string> {
  const { content, readMeasurement } = readRaw(folder, objectPath(object.key));
  // The client does not notice a failing stream during a multipart upload.
  const unreadable = once(content, 'error').then(([error]) => Promise.reject(error));
  try {
    await Promise.race([objects.putObject(bucket, object.key, content, object.size), unreadable]);
    return readMeasurement().sha256;
  } finally {
    content.destroy();
  }
}
