import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** An object whose bytes are in the store, about to be recorded. `size` in bytes, `sha256` in hex. */
export type NewObject = { objectKey: string; ownerId: string; sha256: string; size: number; mimetype: string };

/**
 * Records an object in the transaction that names it, and answers the key to name: the same content by the same owner is one object,
 * so this may be the key of an earlier one. The given object is then not recorded, and its caller gives it up.
 *
 * Who refers to it is counted by triggers on the tables that name keys (`migrations/…_objects.sql` of each service), so that it is
 * right whoever writes: the last reference takes the record along and leaves the object to the remover.
 */
export async function recordObject(tx: Queryable, given: NewObject): Promise<string> {
  const { objectKey, ownerId, sha256, size, mimetype } = given;
  // Two uploads of the same content: the second one finds what the first one recorded.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`object ${ownerId} ${sha256}`]);
  // Locked against the loss of its last reference.
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
