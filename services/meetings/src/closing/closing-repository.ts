import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ClosingRow = {
  id: string;
  meeting_id: string;
  closed_by: string;
  closed_at: Date;
  project_id: string | null;
  post: 'none' | 'requested' | 'posted' | 'rejected';
  conversation_id: string | null;
  seq: number | null;
  rejection: string | null;
};

export type FoundClosing = Omit<ClosingRow, 'meeting_id'>;

export async function findClosing(db: Queryable, meetingId: string): Promise<FoundClosing | undefined> {
  const { rows } = await db.query<FoundClosing>({
    name: 'find-closing',
    text: 'select id, closed_by, closed_at, post, conversation_id, seq, rejection, project_id from closings where meeting_id = $1',
    values: [meetingId],
  });
  return rows[0];
}

/** Returns false if the meeting is closed already. */
export async function insertClosing(
  tx: Queryable,
  given: Pick<ClosingRow, 'id' | 'meeting_id' | 'closed_by' | 'project_id' | 'post' | 'rejection'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into closings (id, meeting_id, closed_by, project_id, post, rejection) values ($1, $2, $3, $4, $5, $6)
     on conflict (meeting_id) do nothing`,
    [given.id, given.meeting_id, given.closed_by, given.project_id, given.post, given.rejection],
  );
  return rowCount === 1;
}

/** Records the post or the reason there is none; returns false if nothing changed or the closing no longer exists. */
export async function recordPost(
  tx: Queryable,
  closingId: string,
  outcome: Pick<ClosingRow, 'conversation_id' | 'seq' | 'rejection'> & { post: 'posted' | 'rejected' },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update closings set post = $2, conversation_id = $3, seq = $4, rejection = $5 where id = $1 and post = 'requested'`,
    [closingId, outcome.post, outcome.conversation_id, outcome.seq, outcome.rejection],
  );
  return rowCount === 1;
}

/** The decisions stay with the meeting. */
export async function deleteClosing(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from closings where id = $1', [id]);
}
