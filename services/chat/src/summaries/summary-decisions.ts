import type { MeetingSummary } from '@atrium/proto-events/http/chat/summaries';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MessageRow, updateMessage } from '../model/messages/message-repository.ts';

/** Records which message shows the decisions, and returns the tasks that they have already. */
export async function recordDecisions(
  tx: Queryable,
  messageId: string,
  decisionIds: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await tx.query<{ decision_id: string; task_id: string | null }>(
    `insert into summary_decisions (decision_id, message_id) select unnest($2::text[]), $1
     on conflict (decision_id) do update set message_id = excluded.message_id returning decision_id, task_id`,
    [messageId, decisionIds],
  );
  return new Map(rows.map(({ decision_id, task_id }) => [decision_id, task_id]));
}

/** Records the task of a decision, and returns the id of the message that shows the decision. */
export async function recordTask(db: Queryable, decisionId: string, taskId: string): Promise<string | null> {
  const { rows } = await db.query<{ message_id: string | null }>(
    `insert into summary_decisions (decision_id, task_id) values ($1, $2)
     on conflict (decision_id) do update set task_id = excluded.task_id returning message_id`,
    [decisionId, taskId],
  );
  return rows[0]?.message_id ?? null;
}

/** Makes a message that was just sent the summary of a meeting. */
export async function insertSummary(tx: Queryable, message: MessageRow, summary: MeetingSummary): Promise<void> {
  await tx.query('update messages set summary = $3 where conversation_id = $1 and seq = $2', [
    message.conversation_id,
    message.seq,
    JSON.stringify(summary),
  ]);
}

/** Returns no rows if the message is a summary no longer. */
export async function updateSummary(
  tx: Queryable,
  message: MessageRow,
  decision: { _id: string; task: string },
): Promise<MessageRow[]> {
  const { summary } = message;
  if (summary === null) return [];
  const decisions = summary.decisions.map((shown) => (shown._id === decision._id ? { ...shown, ...decision } : shown));
  return updateMessage(tx, message, 'summary = $3', JSON.stringify({ ...summary, decisions }));
}
