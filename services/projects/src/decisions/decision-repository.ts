import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type DecisionRow = { decision_id: string; attempt: number; task_id: string | null };

/** Inserts the row if missing and locks it until the transaction ends. Attempt 0 means no response yet. */
export async function lockDecisionRow(tx: Queryable, decisionId: string): Promise<DecisionRow> {
  await tx.query('insert into decision_tasks (decision_id, attempt) values ($1, 0) on conflict do nothing', [
    decisionId,
  ]);
  const { rows } = await tx.query<DecisionRow>(
    'select decision_id, attempt, task_id from decision_tasks where decision_id = $1 for update',
    [decisionId],
  );
  const [row] = rows;
  if (!row) throw new Error('Decision not found after insert');
  return row;
}

export async function recordOutcome(tx: Queryable, { decision_id, attempt, task_id }: DecisionRow): Promise<void> {
  await tx.query('update decision_tasks set attempt = $2, task_id = $3, updated_at = now() where decision_id = $1', [
    decision_id,
    attempt,
    task_id,
  ]);
}
