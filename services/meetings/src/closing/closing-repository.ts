import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ClosingRow = {
  meeting_id: string;
  closed_by: string;
  closed_at: Date;
  project_id: string | null;
  post: 'none' | 'sent' | 'posted' | 'refused';
  conversation_id: string | null;
  seq: number | null;
  refusal: string | null;
};

export type FoundClosing = Omit<ClosingRow, 'meeting_id' | 'project_id'>;

export async function findClosing(db: Queryable, meetingId: string): Promise<FoundClosing | undefined> {
  const { rows } = await db.query<FoundClosing>({
    name: 'find-closing',
    text: 'select closed_by, closed_at, post, conversation_id, seq, refusal from closings where meeting_id = $1',
    values: [meetingId],
  });
  return rows[0];
}

/** False for a meeting that is closed already. */
export async function insertClosing(
  tx: Queryable,
  given: Pick<ClosingRow, 'meeting_id' | 'closed_by' | 'project_id' | 'post'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into closings (meeting_id, closed_by, project_id, post) values ($1, $2, $3, $4)
     on conflict (meeting_id) do nothing`,
    [given.meeting_id, given.closed_by, given.project_id, given.post],
  );
  return rowCount === 1;
}

/** Notes where its summary stands, or why it does not; false for what was known, or a meeting that is gone. */
export async function notePost(
  tx: Queryable,
  meetingId: string,
  heard: Pick<ClosingRow, 'conversation_id' | 'seq' | 'refusal'> & { post: 'posted' | 'refused' },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update closings set post = $2, conversation_id = $3, seq = $4, refusal = $5 where meeting_id = $1 and post = 'sent'`,
    [meetingId, heard.post, heard.conversation_id, heard.seq, heard.refusal],
  );
  return rowCount === 1;
}
