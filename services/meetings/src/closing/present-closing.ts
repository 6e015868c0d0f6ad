import type { Closing, Decision } from '@atrium/proto-events/http/after-meeting/closing';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { FoundClosing } from './closing-repository.ts';
import type { DecisionRow } from './decision-repository.ts';
import { canClose, canReopen, canWriteNotes, decisionAbilities, isReopenable } from './policy.ts';

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

type Parts = {
  row: FoundClosing | undefined;
  decisions: readonly DecisionRow[];
  hasBegun: boolean;
  /** Whether the caller can see the conversation of the project, whose ids nobody else receives. */
  canSeePost: boolean;
  now: Date;
};

export function presentClosing(directory: Directory, caller: Caller, parts: Parts): Closing {
  const { row, decisions, hasBegun, now } = parts;
  return {
    closedAt: row?.closed_at.toISOString() ?? null,
    closedBy: row ? directory.summary(row.closed_by) : null,
    post: row ? presentPost(row, parts) : null,
    decisions: decisions.map((one) => presentDecision(directory, caller, one)),
    abilities: {
      close: !row && hasBegun && canClose(caller),
      reopen: row !== undefined && canReopen(caller, row) && isReopenable(row, now),
      writeNotes: canWriteNotes(caller),
    },
  };
}

const presentPost = ({ post, conversation_id, seq, rejection }: FoundClosing, { canSeePost }: Parts) => ({
  state: post,
  conversation: canSeePost ? conversation_id : null,
  seq: canSeePost ? seq : null,
  rejection,
});
