import type { PartedObject, StoredPart } from '@atrium/object-store/s3/part-store';
import type { UploadRow } from './upload-repository.ts';

type Sized = Pick<UploadRow, 'size' | 'part_bytes'>;

/** The number of the last part. */
export const lastPartOf = ({ size, part_bytes }: Sized): number => Math.ceil(size / part_bytes);

/** How many bytes a part must have; undefined where there is no part of that number. */
export function bytesOfPart(upload: Sized, number: number): number | undefined {
  const last = lastPartOf(upload);
  if (number > last) return undefined;
  return number < last ? upload.part_bytes : upload.size - (last - 1) * upload.part_bytes;
}

/** Whether these are all parts of the file, each as long as it must be. */
export const isWhole = (upload: Sized, parts: readonly StoredPart[]): boolean =>
  parts.length === lastPartOf(upload) && parts.every(({ number, size }) => size === bytesOfPart(upload, number));

export const storedAs = (upload: Pick<UploadRow, 'object_key' | 'store_upload_id'>): PartedObject => ({
  key: upload.object_key,
  uploadId: upload.store_upload_id,
});
