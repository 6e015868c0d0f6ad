import type { PartedObject, StoredPart } from '@atrium/object-store/s3/part-store';
import type { UploadRow } from './upload-repository.ts';

type Sized = Pick<UploadRow, 'size' | 'part_bytes'>;

export const lastPartOf = ({ size, part_bytes }: Sized): number => Math.ceil(size / part_bytes);

/** Expected size of a part; undefined if the number is out of range. */
export function bytesOfPart(upload: Sized, number: number): number | undefined {
  const last = lastPartOf(upload);
  if (number > last) return undefined;
  return number < last ? upload.part_bytes : upload.size - (last - 1) * upload.part_bytes;
}

/** Whether all parts are present and have the expected size. */
export const isWhole = (upload: Sized, parts: readonly StoredPart[]): boolean =>
  parts.length === lastPartOf(upload) && parts.every(({ number, size }) => size === bytesOfPart(upload, number));

export const storedAs = (upload: Pick<UploadRow, 'object_key' | 'store_upload_id'>): PartedObject => ({
  key: upload.object_key,
  uploadId: upload.store_upload_id,
});
