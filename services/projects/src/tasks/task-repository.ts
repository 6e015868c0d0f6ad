import type { Queryable } from '@atrium/service-kit/postgres';

export type TaskRow = {
  id: string;
  project_id: string;
  title: string;
  description: string;
  status: 'todo' | 'in-progress' | 'review' | 'done';
  priority: 'urgent' | 'high' | 'medium' | 'low';
  assigned_to: string | null;
  due_date: Date | null;
  progress: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  version: number;
};

export type NewTask = Pick<
  TaskRow,
  'id' | 'project_id' | 'title' | 'description' | 'status' | 'priority' | 'assigned_to' | 'created_by'
> & {
  due_date: string | null;
};

export async function insertTask(tx: Queryable, task: NewTask): Promise<TaskRow> {
  const { rows } = await tx.query<TaskRow>(
    `insert into tasks (id, project_id, title, description, status, priority, assigned_to, due_date, progress, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5 = 'done' then 100 else 0 end, $9) returning *`,
    [
      task.id,
      task.project_id,
      task.title,
      task.description,
      task.status,
      task.priority,
      task.assigned_to,
      task.due_date,
      task.created_by,
    ],
  );
  const row = rows[0];
  if (!row) throw new Error('the task just inserted is not there');
  return row;
}

export async function listTaskRows(db: Queryable, projectId: string, page: { limit: number; offset: number }) {
  const [list, count] = await Promise.all([
    db.query<TaskRow>(
      'select * from tasks where project_id = $1 order by created_at desc, id desc limit $2 offset $3',
      [projectId, page.limit, page.offset],
    ),
    db.query<{ total: number }>('select count(*) as total from tasks where project_id = $1', [projectId]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}
