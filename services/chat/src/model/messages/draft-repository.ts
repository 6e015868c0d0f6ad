import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** `log_id` is the id of the conversation or thread. */
export type DraftRow = { log_id: string; conversation_id: string; content: string; version: number };

const COLUMNS = 'log_id, conversation_id, content, version';
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

type DraftKey = { userId: string; logId: string };

export async function lockDraft(tx: Queryable, { userId, logId }: DraftKey): Promise<DraftRow | undefined> {
  const { rows } = await tx.query<DraftRow>(
    `select ${COLUMNS} from drafts where user_id = $1 and log_id = $2 for update`,
    [userId, logId],
  );
  return rows[0];
}

/** Returns undefined if the draft that it replaces is not of the version `replaces`. */
export async function upsertDraft(
  tx: Queryable,
  { userId, logId }: DraftKey,
  { conversation, content, replaces }: { conversation: string; content: string; replaces: number },
): Promise<DraftRow | undefined> {
  const { rows } = await tx.query<DraftRow>(
    `insert into drafts (user_id, log_id, conversation_id, content, version) values ($1, $2, $3, $4, ${NOW_MS})
     on conflict (user_id, log_id) do update
       set content = excluded.content, version = greatest(excluded.version, drafts.version + 1)
       where drafts.version = $5
     returning ${COLUMNS}`,
    [userId, logId, conversation, content, replaces],
  );
  return rows[0];
}

/** Selects a version that is later than the one that is removed. */
export const REMOVED_VERSION = `greatest(version + 1, ${NOW_MS})`;
const REMOVED = `log_id, conversation_id, '' as content, ${REMOVED_VERSION} as version`;

export async function deleteDraft(tx: Queryable, { userId, logId }: DraftKey): Promise<DraftRow | undefined> {
  const { rows } = await tx.query<DraftRow>(
    `delete from drafts where user_id = $1 and log_id = $2 returning ${REMOVED}`,
    [userId, logId],
  );
  return rows[0];
}

/**
 * Selects the draft of a text that is sent. The text may be longer, because drafts are saved a little later than they
 * are typed. A different draft is kept.
 */
export const isSentDraft = (content: string) => `starts_with(${content}, content)`;

export async function deleteSentDraft(
  tx: Queryable,
  { userId, logId }: DraftKey,
  content: string,
): Promise<DraftRow | undefined> {
  const { rows } = await tx.query<DraftRow>({
    name: 'delete-sent-draft',
    text: `delete from drafts where user_id = $1 and log_id = $2 and ${isSentDraft('$3')} returning ${REMOVED}`,
    values: [userId, logId, content],
  });
  return rows[0];
}

const VISIBLE = `from drafts d
  join participants p on p.conversation_id = d.conversation_id and p.user_id = d.user_id
  where d.user_id = $1`;

/** Counts those in conversations in which the user is. */
export async function countDrafts(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) ${VISIBLE}`, [userId]);
  return rows[0]?.count ?? 0;
}

/** Lists those in conversations in which the user is, last changed first. */
export async function listDraftRows(db: Queryable, userId: string, { limit, offset }: Limits) {
  const [list, total] = await Promise.all([
    db.query<DraftRow>({
      name: 'list-drafts',
      text: `select d.log_id, d.conversation_id, d.content, d.version
        ${VISIBLE} order by d.version desc, d.log_id limit $2 offset $3`,
      values: [userId, limit, offset],
    }),
    countDrafts(db, userId),
  ]);
  return { rows: list.rows, total };
}
