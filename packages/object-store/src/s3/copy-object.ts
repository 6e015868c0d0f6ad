import { CopyDestinationOptions, CopySourceOptions } from 'minio';
import type { Target } from './put-object.ts';

/** Copies an object within the store, without its bytes coming here (Amazon S3 API, CopyObject). */
export async function copyObject({ client, bucket, key, headers }: Target, from: string): Promise<void> {
  const destination = new CopyDestinationOptions({ Bucket: bucket, Object: key, Headers: headers });
  await client.copyObject(new CopySourceOptions({ Bucket: bucket, Object: from }), destination);
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'NoSuchKey';
