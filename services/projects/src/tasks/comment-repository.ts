import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type CommentRow = { id: string; task_id: string; author_id: string; comment: string; created_at: Date };

const COLUMNS = 'id, task_id, author_id, comment, created_at';

type NewComment = Pick<CommentRow, 'id' | 'task_id' | 'author_id' | 'comment'>;

export async function insertComment(tx: Queryable, comment: NewComment): Promise<CommentRow> {
  const { rows } = await tx.query<CommentRow>(
    `insert into task_comments (id, task_id, author_id, comment) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [comment.id, comment.task_id, comment.author_id, comment.comment],
  );
  const [row] = rows;
  if (!row) throw new Error('Comment not found after insert');
  return row;
}

export async function listCommenterIds(tx: Queryable, taskId: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ author_id: string }>(
    `select author_id from task_comments where task_id = $1
     group by author_id order by max(created_at) desc, author_id limit $2`,
    [taskId, limit],
  );
  return rows.map(({ author_id }) => author_id);
}

export async function findComment(tx: Queryable, taskId: string, id: string): Promise<CommentRow | undefined> {
  const { rows } = await tx.query<CommentRow>(`select ${COLUMNS} from task_comments where id = $1 and task_id = $2`, [
    id,
    taskId,
  ]);
  return rows[0];
}

type CommentPage = { limit: number; offset?: number };

export async function listCommentRows(
  db: Queryable,
  taskId: string,
  { limit, offset = 0 }: CommentPage,
): Promise<CommentRow[]> {
  const { rows } = await db.query<CommentRow>({
    name: 'list-comments',
    text: `select ${COLUMNS} from task_comments where task_id = $1 order by created_at desc, id desc limit $2 offset $3`,
    values: [taskId, limit, offset],
  });
  return rows;
}

export async function deleteCommentRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from task_comments where id = $1', [id]);
}
