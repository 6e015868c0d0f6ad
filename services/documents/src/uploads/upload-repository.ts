import type { StoredPart } from '@atrium/object-store/s3/part-store';
import type { StoreUpload } from '@atrium/object-store/s3/send-part';
import type { uploadFields } from '@atrium/proto-events/http/documents';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { RetentionRule } from '@atrium/service-kit/postgres/housekeeping';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';

export const KEY_PREFIX = 'documents/';

export const newObjectKey = (documentId: string): string => `${KEY_PREFIX}${documentId}/${newId()}`;

/** The sweep removes the parts of deleted rows from the object store. */
export const ABANDONED_UPLOADS: RetentionRule = ['document_uploads', `touched_at < now() - interval '1 day'`];

export type UploadFields = z.output<typeof uploadFields>;

/** An upload in parts. `store_upload_id` is that of the multipart upload in the object store. */
export type UploadRow = {
  id: string;
  uploaded_by: string;
  document_id: string;
  is_version: boolean;
  file_name: string;
  size: number;
  part_bytes: number;
  last_modified: number | null;
  fields: UploadFields;
  object_key: string;
  store_upload_id: string;
  finished_at: Date | null;
  touched_at: Date;
};

export type NewUpload = Omit<UploadRow, 'finished_at' | 'touched_at'>;

export async function insertUpload(tx: Queryable, upload: NewUpload): Promise<void> {
  await tx.query(
    `insert into document_uploads (id, uploaded_by, document_id, is_version, file_name, size, part_bytes, last_modified,
       fields, object_key, store_upload_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      upload.id,
      upload.uploaded_by,
      upload.document_id,
      upload.is_version,
      upload.file_name,
      upload.size,
      upload.part_bytes,
      upload.last_modified,
      JSON.stringify(upload.fields),
      upload.object_key,
      upload.store_upload_id,
    ],
  );
}

/** Uploads are visible to their owner only, not even to administrators. */
export async function findUpload(db: Queryable, { userId }: Caller, id: string): Promise<UploadRow | undefined> {
  const { rows } = await db.query<UploadRow>('select * from document_uploads where id = $1 and uploaded_by = $2', [
    id,
    userId,
  ]);
  return rows[0];
}

/** Restarts the day after which the upload is discarded. */
export async function touchUpload(db: Queryable, { userId }: Caller, id: string): Promise<UploadRow | undefined> {
  const { rows } = await db.query<UploadRow>(
    'update document_uploads set touched_at = now() where id = $1 and uploaded_by = $2 returning *',
    [id, userId],
  );
  return rows[0];
}

export async function listUploadRows(db: Queryable, { userId }: Caller): Promise<UploadRow[]> {
  const { rows } = await db.query<UploadRow>(
    'select * from document_uploads where uploaded_by = $1 and finished_at is null order by created_at desc, id desc',
    [userId],
  );
  return rows;
}

/** Returns the upload's previous state, locked until the transaction ends. */
export async function finishUpload(tx: Queryable, { userId }: Caller, id: string): Promise<UploadRow | undefined> {
  const { rows } = await tx.query<UploadRow>(
    'select * from document_uploads where id = $1 and uploaded_by = $2 for update',
    [id, userId],
  );
  if (rows[0])
    await tx.query('update document_uploads set finished_at = coalesce(finished_at, now()) where id = $1', [id]);
  return rows[0];
}

export async function deleteUpload(db: Queryable, { userId }: Caller, id: string): Promise<UploadRow | undefined> {
  const { rows } = await db.query<UploadRow>(
    'delete from document_uploads where id = $1 and uploaded_by = $2 and finished_at is null returning *',
    [id, userId],
  );
  return rows[0];
}

type PartLayout = Pick<UploadRow, 'size' | 'part_bytes'>;

export const countParts = ({ size, part_bytes }: PartLayout): number => Math.ceil(size / part_bytes);

export function partSize(upload: PartLayout, number: number): number | undefined {
  const lastNumber = countParts(upload);
  if (number > lastNumber) return undefined;
  return number < lastNumber ? upload.part_bytes : upload.size - (lastNumber - 1) * upload.part_bytes;
}

export const hasAllParts = (upload: PartLayout, parts: readonly StoredPart[]): boolean =>
  parts.length === countParts(upload) && parts.every(({ number, size }) => size === partSize(upload, number));

export const toStoreUpload = (upload: Pick<UploadRow, 'object_key' | 'store_upload_id'>): StoreUpload => ({
  key: upload.object_key,
  storeUploadId: upload.store_upload_id,
});
