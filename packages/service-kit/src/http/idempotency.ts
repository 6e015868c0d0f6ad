import { createHash } from 'node:crypto';
import { idempotencyKey as keySchema } from '@atrium/proto-events/endpoint';
import type { Request } from 'express';
import { AppError } from '../errors/app-error.ts';
import type { Db, Queryable } from '../postgres/postgres.ts';
import type { Caller } from './authenticate.ts';

export type IdempotencyKey = { key: string; digest: string };

type IdempotentWrite = {
  caller: Pick<Caller, 'userId'>;
  /** Without a key, the write always runs. The same key with a different request is a client error: 409. */
  key: IdempotencyKey | undefined;
};

/**
 * Returns the caller's `Idempotency-Key`, if any, with a digest of the method, the path, and the body as sent, not as
 * parsed, so a release with different defaults still recognizes a retry. `ignoredFields` are body fields that may
 * differ in a retry. Throws `validation_failed` for an invalid key.
 */
export function idempotencyKey(req: Request, ignoredFields: readonly string[] = []): IdempotencyKey | undefined {
  const header = keySchema.optional().safeParse(req.get('idempotency-key'));
  if (!header.success) throw new AppError('validation_failed', header.error.issues[0]?.message ?? 'Invalid');
  if (header.data === undefined) return undefined;
  const [path] = req.originalUrl.split('?', 1);
  // The handler adds the parts of a form once it has read them: `withForm`.
  return keyForRequest(header.data, { method: req.method, path, body: omit(req.body, ignoredFields) });
}

type FormIdentity = {
  fields: Readonly<Record<string, string>>;
  files: readonly { fileName: string; size: number; sha256: string }[];
};

/** Includes the parts of a form in the key, so that it does not match a different file. */
export function withForm(key: IdempotencyKey, { fields, files }: FormIdentity): IdempotencyKey {
  const identities = files.map(({ fileName, size, sha256 }) => ({ fileName, size, sha256 }));
  return keyForRequest(key.key, { request: key.digest, fields, files: identities });
}

const omit = (body: unknown, fields: readonly string[]): unknown =>
  isRecord(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => !fields.includes(name))) : body;

export const keyForRequest = (key: string, request: unknown): IdempotencyKey => ({
  key,
  digest: createHash('sha256').update(canonicalJson(request)).digest('hex'),
});

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(byName)) : part,
  ) ?? '';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/**
 * Runs a write in a transaction, once per key of a caller: a retry receives the first response, even if both run
 * concurrently.
 */
export async function withIdempotencyKey<T>(
  db: Db,
  { caller, key: idempotencyKey }: IdempotentWrite,
  write: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (idempotencyKey === undefined) return db.transaction(write);
  const { key, digest } = idempotencyKey;
  return db.transaction(async (tx) => {
    // The insert waits for a transaction with the same key, so that a concurrent retry sees its outcome.
    const { rowCount } = await tx.query(
      'insert into idempotency_keys (user_id, key, request) values ($1, $2, $3) on conflict do nothing',
      [caller.userId, key, digest],
    );
    if (rowCount === 0) return readFirstResponse<T>(tx, caller.userId, key, digest);
    const response = await write(tx);
    await tx.query('update idempotency_keys set response = $3 where user_id = $1 and key = $2', [
      caller.userId,
      key,
      JSON.stringify(response),
    ]);
    return response;
  });
}

export async function isKeyRecorded(db: Queryable, { caller, key }: IdempotentWrite): Promise<boolean> {
  if (key === undefined) return false;
  const { rowCount } = await db.query('select from idempotency_keys where user_id = $1 and key = $2', [
    caller.userId,
    key.key,
  ]);
  return rowCount !== 0;
}

/** Throws `conflict` if the key was used for a different request. */
export const findFirstResponse = <T>(
  db: Queryable,
  { caller, key }: IdempotentWrite & { key: IdempotencyKey },
): Promise<T> => readFirstResponse<T>(db, caller.userId, key.key, key.digest);

async function readFirstResponse<T>(tx: Queryable, userId: string, key: string, digest: string): Promise<T> {
  const { rows } = await tx.query<{ request: string; response: T }>(
    'select request, response from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  const firstWrite = rows[0];
  if (!firstWrite || firstWrite.request !== digest) {
    throw new AppError('conflict', 'This Idempotency-Key was used for a different request');
  }
  return firstWrite.response;
}
