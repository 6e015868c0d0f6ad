import type { EventOf } from '@atrium/proto-events/event';
import type { summaryPosted } from '@atrium/proto-events/events/chat';
import type { decisionResolved, projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { recordContentChange } from '../events/append-meeting-events.ts';
import { lockMeetingWithoutSeries } from '../model/meeting-repository.ts';
import {
  type DecisionRow,
  findDecision,
  lockDecisionOfTask,
  markProjectTasksDeleted,
  recordPost,
  updateDecisionRow,
} from './closing-repository.ts';

const recordChange = (tx: Queryable, meetingId: string, changed: string) =>
  recordContentChange(tx, meetingId, { changed: [changed], actorId: null });

/** Ignores responses to earlier attempts and to deleted meetings. */
export async function recordDecisionOutcome({ data }: EventOf<typeof decisionResolved>, tx: Queryable): Promise<void> {
  await lockMeetingWithoutSeries(tx, data.meetingId);
  const row = await findDecision(tx, data.decisionId, data.meetingId);
  if (row?.attempt !== data.attempt || !isAwaited(row, data.outcome)) return;
  await updateDecisionRow(
    tx,
    row.id,
    data.outcome === 'made'
      ? {
          state: 'task',
          task_id: data.taskId,
          task_status: data.status,
          task_version: data.version,
          rejection: null,
          done: data.status === 'done',
        }
      : { state: 'rejected', rejection: data.reason },
  );
  await recordChange(tx, row.meeting_id, 'decisions');
}

/** Whether the outcome is recorded. After the project was deleted, only a rejection is. */
const isAwaited = ({ state, task_id }: DecisionRow, outcome: 'made' | 'rejected') =>
  state === 'requested' || (state === 'task-deleted' && task_id === null && outcome === 'rejected');

export async function syncDecisionTask({ data }: EventOf<typeof taskUpdated>, tx: Queryable): Promise<void> {
  const { taskId, status, version } = data;
  const row = await lockDecisionOfTask(tx, taskId);
  if (!row || row.task_version >= version) return;
  await updateDecisionRow(tx, row.id, { task_status: status, task_version: version, done: status === 'done' });
  if (row.task_status !== status) await recordChange(tx, row.meeting_id, 'decisions');
}

export async function clearDecisionTask({ data }: EventOf<typeof taskDeleted>, tx: Queryable): Promise<void> {
  const row = await lockDecisionOfTask(tx, data.taskId);
  if (!row) return;
  await updateDecisionRow(tx, row.id, { state: 'task-deleted' });
  await recordChange(tx, row.meeting_id, 'decisions');
}

/** Covers all tasks of a project, because deleting it publishes no events for them. */
export async function clearProjectTasks({ data }: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  for (const meetingId of await markProjectTasksDeleted(tx, data.projectId))
    await recordChange(tx, meetingId, 'decisions');
}

export async function recordSummaryPosted({ data }: EventOf<typeof summaryPosted>, tx: Queryable): Promise<void> {
  await lockMeetingWithoutSeries(tx, data.meetingId);
  const outcome = { conversation_id: data.conversationId, seq: data.seq, rejection: data.reason, post: data.outcome };
  if (await recordPost(tx, data.closingId, outcome)) await recordChange(tx, data.meetingId, 'closing');
}
