import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { ExtractionFailureReason } from '../extraction/extraction.ts';
import type { PreparedText } from './prepare-text.ts';

type TextUnavailable =
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

const MAX_COUNTED = 10_000;

export async function countPending(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from (select from object_texts where state = 'pending' limit ${MAX_COUNTED}) as counted`,
  );
  return rows[0]?.n ?? 0;
}
