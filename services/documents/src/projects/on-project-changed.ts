import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { markProjectDeleted, putProject } from './project-repository.ts';

type Facts = { projectId: string; version: number; managerId: string; memberIds: string[] };

const takeOver = ({ data }: { data: Facts }, tx: Queryable) =>
  putProject(tx, { id: data.projectId, version: data.version, people: [data.managerId, ...data.memberIds] });

/** Who belongs to a project decides who reads its team documents. */
export const followProject = [on(projectCreated, takeOver), on(projectUpdated, takeOver)];

/**
 * The documents of a deleted project stay, for their uploader, those they are shared with and administrators: nobody belongs to
 * it any more, and they must not become everyone's.
 */
export const forgetProject = on(projectDeleted, ({ data }, tx) => markProjectDeleted(tx, data.projectId));
