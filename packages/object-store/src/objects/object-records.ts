import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type NewObject = { objectKey: string; ownerId: string; sha256: string; size: number; mimetype: string };

/**
 * Returns the key to reference. The same content of the same owner is stored once, so this may be the key of an earlier
 * object; then, the new object is not recorded, and the caller must remove it. Triggers on the tables that contain keys
 * (in the migrations of each service) count references: deleting the last one deletes the record and queues the object
 * for removal.
 */
export async function recordObject(
  tx: Queryable,
  { objectKey, ownerId, sha256, size, mimetype }: NewObject,
): Promise<string> {
  // If the same content is uploaded concurrently, the second upload waits for the record of the first.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`object ${ownerId} ${sha256}`]);
  // Locks the record, so that it does not lose its last reference in the meantime.
  const { rows } = await tx.query<{ object_key: string }>(
    `select object_key from objects where owner_id = $1 and sha256 = $2 and size = $3 and missing_since is null
     order by created_at, object_key limit 1 for update`,
    [ownerId, sha256, size],
  );
  if (rows[0]) return rows[0].object_key;
  await tx.query('insert into objects (object_key, owner_id, sha256, size, mimetype) values ($1, $2, $3, $4, $5)', [
    objectKey,
    ownerId,
    sha256,
    size,
    mimetype,
  ]);
  return objectKey;
}
