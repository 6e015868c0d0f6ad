import type { EventOf } from '@atrium/proto-events/event';
import type { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import type { decisionAnswered } from '@atrium/proto-events/events/project-decisions';
import type { projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { lockMeetingOnly } from '../meetings/meeting-repository.ts';
import { notePost } from './closing-repository.ts';
import {
  changeDecision,
  type DecisionRow,
  findDecision,
  holdDecisionOfTask,
  loseTasksOfProject,
} from './decision-repository.ts';
import { publishContentChanged } from './publish-content-changed.ts';

const tell = (tx: Queryable, meetingId: string, changed: string) =>
  publishContentChanged(tx, meetingId, { changed: [changed], actorId: null });

/** Shows what a project made of a decision; an answer to an earlier attempt, or of a meeting that is gone, changes nothing. */
export async function noteAnswer({ data }: EventOf<typeof decisionAnswered>, tx: Queryable): Promise<void> {
  await lockMeetingOnly(tx, data.meetingId);
  const row = await findDecision(tx, data.decisionId, data.meetingId);
  if (row?.attempt !== data.attempt || !isAwaited(row, data.outcome)) return;
  await changeDecision(
    tx,
    row.id,
    data.outcome === 'made'
      ? {
          state: 'task',
          task_id: data.taskId,
          task_status: data.status,
          task_version: data.version,
          refusal: null,
          done: data.status === 'done',
        }
      : { state: 'refused', refusal: data.reason },
  );
  await tell(tx, row.meeting_id, 'decisions');
}

/** Of a project that was deleted meanwhile nobody waits for a task, but why there never was one is shown. */
const isAwaited = ({ state, task_id }: DecisionRow, outcome: 'made' | 'refused') =>
  state === 'sent' || (state === 'gone' && task_id === null && outcome === 'refused');

/** A decision is done when its task is, and open again with it. */
export async function followTaskOfDecision({ data }: EventOf<typeof taskUpdated>, tx: Queryable): Promise<void> {
  const { taskId, status, version } = data;
  const row = await holdDecisionOfTask(tx, taskId);
  if (!row || row.task_version >= version) return;
  await changeDecision(tx, row.id, { task_status: status, task_version: version, done: status === 'done' });
  if (row.task_status !== status) await tell(tx, row.meeting_id, 'decisions');
}

/** What was done stays so without its task; what was not is open. */
export async function clearDecisionTask({ data }: EventOf<typeof taskDeleted>, tx: Queryable): Promise<void> {
  const row = await holdDecisionOfTask(tx, data.taskId);
  if (!row) return;
  await changeDecision(tx, row.id, { state: 'gone' });
  await tell(tx, row.meeting_id, 'decisions');
}

/** The tasks of a project go with it, without a word of their own. */
export async function clearProjectTasks({ data }: EventOf<typeof projectDeleted>, tx: Queryable): Promise<void> {
  for (const meetingId of await loseTasksOfProject(tx, data.projectId)) await tell(tx, meetingId, 'decisions');
}

/** Shows where the summary of a closed meeting stands, or why it does not. */
export async function notePosted({ data }: EventOf<typeof summaryPosted>, tx: Queryable): Promise<void> {
  await lockMeetingOnly(tx, data.meetingId);
  const heard = { conversation_id: data.conversationId, seq: data.seq, refusal: data.reason, post: data.outcome };
  if (await notePost(tx, data.closingId, heard)) await tell(tx, data.meetingId, 'closing');
}
