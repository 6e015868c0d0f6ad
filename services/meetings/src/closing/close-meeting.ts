import type { RequestOf } from '@atrium/proto-events/endpoint';
import { decisionMade, meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { type Closing, type closeMeeting as contract, MAX_DECISIONS } from '@atrium/proto-events/http/meetings/closing';
import { assertActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { AppError, assertVersion, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { incrementVersion } from '../events/append-meeting-events.ts';
import { awaitProject } from '../meetings/meeting-rules.ts';
import {
  effectiveVersion,
  findMeeting,
  idsOf,
  lockMeetingWithSeries,
  type MeetingRow,
} from '../model/meeting-repository.ts';
import { assertVisible } from '../model/policy.ts';
import { presentMeeting } from '../model/present-meeting.ts';
import {
  type ClosingRow,
  type DecisionRow,
  insertClosing,
  insertDecisions,
  listDecisions,
  type NewDecision,
} from './closing-repository.ts';
import { mergeNotes } from './notes.ts';
import { canClose, isProjectMember } from './policy.ts';
import { readClosing } from './read-closing.ts';

type Body = RequestOf<typeof contract>['body'];

/**
 * Saves notes, summary, and decisions in one transaction with their events. Projects and chat report the outcome with
 * events of their own.
 */
export async function closeMeeting(
  deps: Deps,
  caller: Caller,
  { id, body: request, key }: { id: string; body: Body; key: IdempotencyKey | undefined },
): Promise<Closing> {
  const { db, directory, projects } = deps;
  await awaitProject(projects, (await findMeeting(db, id))?.project_id);
  // The version is excluded from the idempotency key: a retry may be based on a newer one.
  const { version, ...body } = request;
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    const row = assertVisible(caller, await lockMeetingWithSeries(tx, id));
    if (!canClose(caller)) throw new AppError('forbidden', 'Only Admin and Project Manager can close meetings');
    if (row.starts_at > (await databaseTime(tx)))
      throw new AppError('conflict', 'A meeting can be closed once it has started');
    assertActiveAssignees(directory, body.decisions);
    const summary = body.summary ?? row.summary;
    const existingDecisions = await listDecisions(tx, id);
    const decisions = body.decisions.map((decision, index) =>
      buildDecision(row, decision, existingDecisions.length + index),
    );
    assertDecisionCount(existingDecisions.length + decisions.length);
    const hasText = summary !== '' || existingDecisions.length + decisions.length > 0;
    const posting = row.project_id === null || !hasText ? NOT_POSTED : getPosting(caller, projects, row.project_id);
    const closing = { id: newId(), closed_by: caller.userId, project_id: row.project_id, ...posting };
    if (!(await insertClosing(tx, id, closing))) throw new AppError('conflict', 'This meeting has been closed already');
    if (overwritesSummary(row, body.summary)) {
      const present = () => presentMeeting(directory, caller, row);
      assertVersion(row, { version: effectiveVersion(row, version), label: 'the summary', present });
    }
    await insertDecisions(tx, id, decisions);
    const changed = await saveNotesAndSummary(tx, row, { ...body, summary });
    const after = await incrementVersion(tx, id, changed);
    const isPosted = posting.post === 'requested';
    await appendMeetingClosed(tx, after, {
      closingId: closing.id,
      existingDecisions,
      decisions,
      isPosted,
      actorId: caller.userId,
    });
    return readClosing(tx, deps, caller, after);
  });
}

const NOT_POSTED = { post: 'none', rejection: null } as const;

/** Decides by the permissions of the caller; chat checks them again. */
function getPosting(
  caller: Caller,
  projects: ProjectDirectory,
  projectId: string,
): Pick<ClosingRow, 'post' | 'rejection'> {
  const project = projects.project(projectId);
  if (!project || isProjectMember(project, caller.userId)) return { post: 'requested', rejection: null };
  return { post: 'rejected', rejection: 'Only project members can post a summary in the conversation of the project' };
}

function assertDecisionCount(count: number): void {
  if (count > MAX_DECISIONS) throw invalidField('decisions', `A meeting can have at most ${MAX_DECISIONS} decisions`);
}

/** Whether a summary saved by another user would be overwritten. Notes are merged and never conflict. */
const overwritesSummary = ({ summary: savedSummary }: MeetingRow, summary: string | undefined) =>
  summary !== undefined && savedSummary !== '' && savedSummary !== summary;

export function assertActiveAssignees(
  directory: Directory,
  decisions: readonly { assignedTo?: string | null | undefined }[],
) {
  const ids = decisions.flatMap(({ assignedTo }) => assignedTo ?? []);
  assertActiveUsers(directory, ids, {
    field: 'decisions',
    message: 'Decisions can be assigned to active users only',
  });
}

function buildDecision(row: MeetingRow, decision: Body['decisions'][number], index: number): NewDecision {
  const requestsTask = row.project_id !== null;
  return {
    id: newId(),
    position: index + 1,
    text: decision.text,
    assigned_to: decision.assignedTo,
    due_date: decision.dueDate,
    project_id: row.project_id,
    state: requestsTask ? 'requested' : 'standalone',
    attempt: requestsTask ? 1 : 0,
  };
}

type Texts = Pick<Body, 'notes'> & { summary: string };

async function saveNotesAndSummary(tx: Queryable, row: MeetingRow, { notes: edit, summary }: Texts) {
  const notes = edit ? mergeNotes(row.notes, edit).text : row.notes;
  await tx.query('update meetings set notes = $2, summary = $3 where id = $1', [row.id, notes, summary]);
  return [...(notes === row.notes ? [] : ['notes']), ...(summary === row.summary ? [] : ['summary'])];
}

type ClosedData = {
  closingId: string;
  existingDecisions: readonly DecisionRow[];
  decisions: readonly NewDecision[];
  isPosted: boolean;
  actorId: string;
};

async function appendMeetingClosed(
  tx: Queryable,
  row: MeetingRow,
  { closingId, existingDecisions, decisions, isPosted, actorId }: ClosedData,
): Promise<void> {
  await appendEvent(tx, {
    event: meetingClosed,
    data: {
      meetingId: row.id,
      seriesId: row.series_id,
      closingId,
      title: row.title,
      startTime: row.starts_at.toISOString(),
      timezone: row.timezone,
      organizerId: row.organizer_id,
      participantIds: idsOf(row.participants),
      project: row.project_id,
      closedBy: actorId,
      summary: row.summary,
      decisions: [...existingDecisions, ...decisions].map(({ id, text }) => ({ decisionId: id, text })),
      post: isPosted,
      version: row.version,
    },
    aggregate: row.id,
    actorId,
  });
  for (const decision of decisions) await requestTask(tx, row.id, decision, actorId);
}

export async function requestTask(
  tx: Queryable,
  meetingId: string,
  decision: Omit<NewDecision, 'state' | 'position'>,
  madeBy: string,
): Promise<void> {
  if (decision.project_id === null) return;
  await appendEvent(tx, {
    event: decisionMade,
    data: {
      decisionId: decision.id,
      attempt: decision.attempt,
      meetingId,
      project: decision.project_id,
      madeBy,
      text: decision.text,
      assignedTo: decision.assigned_to,
      dueDate: decision.due_date,
    },
    // The aggregate keeps the attempts of a decision in order.
    aggregate: decision.id,
    actorId: madeBy,
  });
}
