import { CopyDestinationOptions, CopySourceOptions } from 'minio';
import type { UploadTarget } from './put-object.ts';

type Source = { key: string; bytes: number };

/** Copies an object within the store, without transferring its content (Amazon S3 API, CopyObject). */
export async function copyObject({ client, bucket, key, headers }: UploadTarget, from: Source): Promise<void> {
  const destination = new CopyDestinationOptions({ Bucket: bucket, Object: key, Headers: headers });
  await client.over(from.bytes).copyObject(new CopySourceOptions({ Bucket: bucket, Object: from.key }), destination);
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NoSuchKey';
