import { hash } from 'node:crypto';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import {
  type RenderedImage,
  THUMBNAIL_TYPE,
  type ThumbnailFailureReason,
  type ThumbnailSize,
  thumbnailKey,
} from './rendered-images.ts';

/** Moves an image to the front of the queue, since a user is waiting for it. */
export async function prioritizeImage(db: Queryable, objectKey: string): Promise<void> {
  await db.query(`update thumbnails set requested_at = now() where object_key = $1 and state = 'pending'`, [objectKey]);
}

export type ThumbnailRecord = {
  state: 'pending' | 'done' | 'failed';
  reason: ThumbnailFailureReason | null;
  small_key: string | null;
  large_key: string | null;
  /** Width of the small thumbnail, in pixels. */
  width: number | null;
  height: number | null;
};

const COLUMNS = 'state, reason, thumbnail_key as small_key, preview_key as large_key, width, height';

export const thumbnailColumn = (objectKey: string): string =>
  `(select to_jsonb(p) from (select ${COLUMNS} from thumbnails where object_key = ${objectKey}) p) as thumbnail`;

export async function findThumbnail(db: Queryable, objectKey: string): Promise<ThumbnailRecord | undefined> {
  const { rows } = await db.query<ThumbnailRecord>(`select ${COLUMNS} from thumbnails where object_key = $1`, [
    objectKey,
  ]);
  return rows[0];
}

/** In the order of the columns `thumbnail_key` (small) and `preview_key` (large). */
const SIZES: readonly ThumbnailSize[] = ['small', 'large'];

/**
 * Returns 'deleted' if the image was deleted in the meantime; the caller must then remove the thumbnails. Changes
 * nothing if another worker has already recorded them, because the keys are the same.
 */
export async function recordThumbnails(
  tx: Queryable,
  objectKey: string,
  images: Record<ThumbnailSize, RenderedImage>,
): Promise<'recorded' | 'deleted'> {
  const { rows } = await tx.query<{ state: string }>('select state from thumbnails where object_key = $1 for update', [
    objectKey,
  ]);
  if (!rows[0]) return 'deleted';
  if (rows[0].state !== 'pending') return 'recorded';
  for (const size of SIZES) {
    const { bytes } = images[size];
    // Thumbnails have no owner, so that they count toward no user quota and are not deduplicated.
    await tx.query(
      `insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count) values ($1, '', $2, $3, $4, 1)
       on conflict (object_key) do update set sha256 = $2, size = $3, missing_since = null`,
      [thumbnailKey(objectKey, size), hash('sha256', bytes, 'hex'), bytes.length, THUMBNAIL_TYPE],
    );
  }
  const { small } = images;
  await tx.query(
    `update thumbnails set state = 'done', unfinished = 0, tries = 0, width = $2, height = $3, thumbnail_key = $4, preview_key = $5 where object_key = $1`,
    [objectKey, small.width, small.height, ...SIZES.map((size) => thumbnailKey(objectKey, size))],
  );
  return 'recorded';
}

export async function markThumbnailFailed(
  db: Queryable,
  objectKey: string,
  reason: ThumbnailFailureReason,
): Promise<void> {
  await db.query(`update thumbnails set state = 'failed', reason = $2 where object_key = $1 and state = 'pending'`, [
    objectKey,
    reason,
  ]);
}
