import { createHash } from 'node:crypto';
import { idempotencyKey as keyGiven } from '@atrium/proto-events/endpoint';
import type { Request } from 'express';
import type { Db, Queryable } from '../postgres/postgres.ts';
import { AppError } from './app-error.ts';
import type { Caller } from './authenticate.ts';

export type Repeatable = {
  caller: Pick<Caller, 'userId'>;
  /** The `Idempotency-Key` header, from `idempotencyKey(req)`; without one the write simply runs. */
  key: string | undefined;
  /** What was asked; the same key with something else is a mistake of the client's and answers 409. */
  request: unknown;
};

/** The caller's `Idempotency-Key`, when it sent one. Throws `validation_failed` for one that is none. */
export function idempotencyKey(req: Request): string | undefined {
  const given = keyGiven.optional().safeParse(req.get('idempotency-key'));
  if (!given.success) throw new AppError('validation_failed', given.error.issues[0]?.message ?? 'Invalid');
  return given.data;
}

/**
 * Runs a write in a transaction, once for each key of a caller: a repeat gets the first answer again, also when both come at once
 * (decisions, section 1).
 */
export async function once<T>(
  db: Db,
  { caller, key, request }: Repeatable,
  write: (tx: Queryable) => Promise<T>,
): Promise<T> {
  if (key === undefined) return db.transaction(write);
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return db.transaction(async (tx) => {
    // The insert waits for a transaction that holds the same key, so that a simultaneous repeat sees its outcome.
    const claimed = await tx.query(
      'insert into idempotency_keys (user_id, key, request) values ($1, $2, $3) on conflict do nothing',
      [caller.userId, key, digest],
    );
    if (claimed.rowCount === 0) return firstAnswer<T>(tx, caller.userId, key, digest);
    const answer = await write(tx);
    await tx.query('update idempotency_keys set answer = $3 where user_id = $1 and key = $2', [
      caller.userId,
      key,
      JSON.stringify(answer),
    ]);
    return answer;
  });
}

async function firstAnswer<T>(tx: Queryable, userId: string, key: string, digest: string): Promise<T> {
  const { rows } = await tx.query<{ request: string; answer: T }>(
    'select request, answer from idempotency_keys where user_id = $1 and key = $2',
    [userId, key],
  );
  const first = rows[0];
  if (!first || first.request !== digest) {
    throw new AppError('conflict', 'This Idempotency-Key was used for another request');
  }
  return first.answer;
}
