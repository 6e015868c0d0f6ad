import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Closing, Decision, listOpenDecisions as listContract } from '@atrium/proto-events/http/meetings/closing';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { findMeeting, type MeetingRow } from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import {
  type ClosingRow,
  type DecisionRow,
  findClosing,
  listDecisions,
  listOpenDecisionRows,
} from './closing-repository.ts';
import { canClose, canReopen, canWriteNotes, decisionAbilities, isProjectMember, isReopenable } from './policy.ts';

export async function getClosing(deps: Deps, caller: Caller, id: string) {
  const row = assertVisible(caller, await findMeeting(deps.db, id));
  return readClosing(deps.db, deps, caller, row);
}

export async function readClosing(
  db: Queryable,
  { directory, projects }: Pick<Deps, 'directory' | 'projects'>,
  caller: Caller,
  meeting: MeetingRow,
): Promise<Closing> {
  const row = await findClosing(db, meeting.id);
  const decisions = await listDecisions(db, meeting.id);
  const now = await databaseTime(db);
  const project = row?.project_id ? projects.project(row.project_id) : undefined;
  const hasStarted = row !== undefined || meeting.starts_at <= now;
  return {
    closedAt: row?.closed_at.toISOString() ?? null,
    closedBy: row ? directory.summary(row.closed_by) : null,
    post: row ? presentPost(row, { canSeePost: isProjectMember(project, caller.userId) }) : null,
    decisions: decisions.map((decision) => presentDecision(directory, caller, decision)),
    abilities: {
      close: !row && hasStarted && canClose(caller),
      reopen: row !== undefined && canReopen(caller, row) && isReopenable(row, now),
      writeNotes: canWriteNotes(caller),
    },
  };
}

/** Hides where the summary was posted from users who cannot see the conversation. */
const presentPost = (
  { post, conversation_id, seq, rejection }: ClosingRow,
  { canSeePost }: { canSeePost: boolean },
) => ({
  state: post,
  conversation: canSeePost ? conversation_id : null,
  seq: canSeePost ? seq : null,
  rejection,
});

export async function listOpenDecisions(
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof listContract>['query'],
) {
  const userId = caller.role === 'admin' ? undefined : caller.userId;
  const { rows, total } = await listOpenDecisionRows(db, { userId, project: query.project }, toLimits(query));
  const data = rows.map((row) => presentDecision(directory, caller, row));
  return toPage(data, total, query);
}

export function presentDecision(directory: Directory, caller: Caller, row: DecisionRow): Decision {
  return {
    _id: row.id,
    text: row.text,
    assignedTo: row.assigned_to === null ? null : directory.summary(row.assigned_to),
    dueDate: row.due_date?.toISOString() ?? null,
    state: row.state,
    isDone: row.done,
    task: row.state === 'task' && row.task_id !== null ? { _id: row.task_id, status: row.task_status ?? 'todo' } : null,
    rejection: row.rejection,
    project: row.project_id,
    meeting: { _id: row.meeting_id, title: row.title, startTime: row.starts_at.toISOString() },
    abilities: decisionAbilities(caller, row),
  };
}
