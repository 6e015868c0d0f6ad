import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listOpenDecisions as listContract } from '@atrium/proto-events/http/after-meeting/closing';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { databaseTime } from '@atrium/service-kit/postgres/database-time';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { assertVisible } from '../meetings/assert-visible.ts';
import { findMeeting, type MeetingRow } from '../meetings/meeting-repository.ts';
import { findClosing } from './closing-repository.ts';
import { listDecisions, listOpen } from './decision-repository.ts';
import { isProjectMember } from './policy.ts';
import { presentClosing, presentDecision } from './present-closing.ts';

export async function getClosing(deps: Deps, caller: Caller, id: string) {
  const row = assertVisible(caller, await findMeeting(deps.db, id));
  return readClosing(deps.db, deps, caller, row);
}

export async function readClosing(
  db: Queryable,
  { directory, projects }: Pick<Deps, 'directory' | 'projects'>,
  caller: Caller,
  meeting: MeetingRow,
) {
  const row = await findClosing(db, meeting.id);
  const decisions = await listDecisions(db, meeting.id);
  const now = await databaseTime(db);
  const project = row?.project_id ? projects.project(row.project_id) : undefined;
  return presentClosing(directory, caller, {
    row,
    decisions,
    // A closed meeting has started.
    hasBegun: row !== undefined || meeting.starts_at <= now,
    canSeePost: isProjectMember(project, caller.userId),
    now,
  });
}

/** Administrators see the decisions of all meetings. */
export async function listOpenDecisions(
  { db, directory }: Deps,
  caller: Caller,
  query: RequestOf<typeof listContract>['query'],
) {
  const userId = caller.role === 'admin' ? undefined : caller.userId;
  const { rows, total } = await listOpen(db, { userId, project: query.project }, toLimits(query));
  return toPage(
    rows.map((row) => presentDecision(directory, caller, row)),
    total,
    query,
  );
}
