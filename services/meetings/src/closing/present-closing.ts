import type { Closing, Decision } from '@atrium/proto-events/http/after-meeting/closing';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { FoundClosing } from './closing-repository.ts';
import type { DecisionRow } from './decision-repository.ts';
import { decisionAbilities, mayClose, mayWriteNotes } from './policy.ts';

export function presentDecision(directory: Directory, caller: Caller, row: DecisionRow): Decision {
  return {
    _id: row.id,
    text: row.text,
    assignedTo: row.assigned_to === null ? null : directory.summary(row.assigned_to),
    dueDate: row.due_date?.toISOString() ?? null,
    state: row.state,
    isDone: row.done,
    task: row.state === 'task' && row.task_id !== null ? { _id: row.task_id, status: row.task_status ?? 'todo' } : null,
    refusal: row.refusal,
    project: row.project_id,
    meeting: { _id: row.meeting_id, title: row.title, startTime: row.starts_at.toISOString() },
    abilities: decisionAbilities(caller, row),
  };
}

type Parts = { row: FoundClosing | undefined; decisions: readonly DecisionRow[]; hasBegun: boolean };

export function presentClosing(directory: Directory, caller: Caller, { row, decisions, hasBegun }: Parts): Closing {
  return {
    closedAt: row?.closed_at.toISOString() ?? null,
    closedBy: row ? directory.summary(row.closed_by) : null,
    post: row ? { state: row.post, conversation: row.conversation_id, seq: row.seq, refusal: row.refusal } : null,
    decisions: decisions.map((one) => presentDecision(directory, caller, one)),
    abilities: { close: !row && hasBegun && mayClose(caller), writeNotes: mayWriteNotes(caller) },
  };
}
