import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Refusal } from '../extraction/extraction.ts';
import type { PreparedText } from './prepare-text.ts';

/** Longer than a file may take: half a minute to come, half a minute to be read, and what PostgreSQL takes for its words. */
const LEASE_SECONDS = 150;
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 3_600;

/** A file whose text somebody is about to read. `unfinished` counts this time, too. */
export type ClaimedText = { object_key: string; unfinished: number; mimetype: string; size: number };

/**
 * Takes the newest file that nobody has read and nobody is reading. Who never answers loses it after some minutes. What the store has lost
 * waits until it is there again.
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

/** Why there is no text: of a kind that nobody reads, nothing in it, not to be read, or that its readers did not live to tell. */
export type NoText =
  | { state: 'none'; reason: 'unsupported' | 'empty' }
  | { state: 'failed'; reason: Refusal | 'killed' };

/** Notes for good that there is no text. */
export async function markTextUnavailable(db: Queryable, objectKey: string, { state, reason }: NoText): Promise<void> {
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
 * Gives it back to be tried again after a pause that grows; at once where nothing was at fault but that the service ends. Where its worker
 * did not live to tell, that counts among the few times that this may be so.
 */
export async function releaseTextClaim(
  db: Queryable,
  objectKey: string,
  { isAtFault, wasKilled = false }: { isAtFault: boolean; wasKilled?: boolean },
): Promise<void> {
  await db.query(
    `update object_texts set unfinished = unfinished - $5::integer, tries = tries + $2::integer,
       not_before = now() + case when $2::integer = 0 then interval '0' else
         make_interval(secs => least($4::float8, $3::float8 * power(2, least(tries, 20)))) end
     where object_key = $1 and state = 'pending'`,
    [objectKey, isAtFault ? 1 : 0, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, wasKilled ? 0 : 1],
  );
}

/** More are not counted. */
const MOST_COUNTED = 10_000;

/** How many files wait for their text to be read, ten thousand at most. */
export async function countPending(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from (select from object_texts where state = 'pending' limit ${MOST_COUNTED}) as counted`,
  );
  return rows[0]?.n ?? 0;
}
