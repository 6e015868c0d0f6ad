import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ExtractionFailureReason } from '../extraction/extraction.ts';
import type { PreparedText } from './prepare-text.ts';

/** Longer than one file takes: half a minute each to load and to read, plus indexing in PostgreSQL. */
const LEASE_SECONDS = 150;
const INITIAL_RETRY_DELAY_SECONDS = 5;
const MAX_RETRY_DELAY_SECONDS = 3_600;

/** A claimed file. `unfinished` includes this attempt. */
export type ClaimedText = { object_key: string; unfinished: number; mimetype: string; size: number };

/**
 * Claims the newest file that is neither extracted nor claimed; the claim expires after some minutes. Files lost by the store wait until
 * they are restored.
 */
export async function claimText(db: Queryable): Promise<ClaimedText | undefined> {
  const { rows } = await db.query<ClaimedText>({
    name: 'text-claim',
    text: `update object_texts t
      set unfinished = unfinished + 1, not_before = now() + make_interval(secs => $1)
      from objects o
      where o.object_key = t.object_key and t.object_key = (
        select object_key from object_texts w where state = 'pending' and not_before <= now()
          and not exists (select from objects l where l.object_key = w.object_key and l.missing_since is not null)
        order by created_at desc limit 1 for update skip locked
      )
      returning t.object_key, t.unfinished, o.mimetype, o.size`,
    values: [LEASE_SECONDS],
  });
  return rows[0];
}

/** Why there is no text: unsupported, empty, unreadable, or every worker crashed. */
export type TextUnavailable =
  | { state: 'none'; reason: 'unsupported' | 'empty' }
  | { state: 'failed'; reason: ExtractionFailureReason | 'killed' };

/** Final: the file is not retried. */
export async function markTextUnavailable(
  db: Queryable,
  objectKey: string,
  { state, reason }: TextUnavailable,
): Promise<void> {
  await db.query(`update object_texts set state = $2, reason = $3 where object_key = $1 and state = 'pending'`, [
    objectKey,
    state,
    reason,
  ]);
}

export async function saveText(
  db: Queryable,
  objectKey: string,
  { text, folded, terms, isCut }: PreparedText,
): Promise<void> {
  await db.query(
    `update object_texts set state = 'done', text = $2, folded = $3, words = array_to_tsvector($4::text[]), is_cut = $5
     where object_key = $1 and state = 'pending'`,
    [objectKey, text, folded, terms, isCut],
  );
}

/**
 * Releases a claim for a retry after a growing delay, or immediately if the service is shutting down. Only a killed worker leaves
 * `unfinished` increased.
 */
export async function releaseTextClaim(
  db: Queryable,
  objectKey: string,
  { isFailure, wasKilled = false }: { isFailure: boolean; wasKilled?: boolean },
): Promise<void> {
  await db.query(
    `update object_texts set unfinished = unfinished - $5::integer, tries = tries + $2::integer,
       not_before = now() + case when $2::integer = 0 then interval '0' else
         make_interval(secs => least($4::float8, $3::float8 * power(2, least(tries, 20)))) end
     where object_key = $1 and state = 'pending'`,
    [objectKey, isFailure ? 1 : 0, INITIAL_RETRY_DELAY_SECONDS, MAX_RETRY_DELAY_SECONDS, wasKilled ? 0 : 1],
  );
}

const MAX_COUNTED = 10_000;

/** Number of pending files, up to the limit. */
export async function countPending(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from (select from object_texts where state = 'pending' limit ${MAX_COUNTED}) as counted`,
  );
  return rows[0]?.n ?? 0;
}
