import type { Audience } from '../audience.ts';
import { type Action, andAdmins, type LiveUpdate, scopeOf } from './live-update.ts';
import { project } from './project-changes.ts';

type DocumentFacts = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[]; departmentIds?: string[] | undefined };
  version: number;
  project: string | null;
  changed?: string[];
};

function audienceOf({ uploadedBy, audience }: DocumentFacts): Audience {
  if (audience.everyone) return 'everyone';
  const { userIds, departmentIds: departments = [] } = audience;
  return { ...andAdmins(uploadedBy, ...userIds), ...(departments.length > 0 && { departments }) };
}

export const document =
  (action: Action) =>
  (data: DocumentFacts): LiveUpdate => ({
    topics: ['documents'],
    audience: audienceOf(data),
    changes: [
      {
        resource: 'document',
        id: data.documentId,
        action,
        version: data.version,
        ...scopeOf(data),
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });

type ReadersChanged = { projectId: string; addedIds: string[]; removedIds: string[] };

/** As the project's own news were, but to those alone whose documents are others now, and after that is so. */
export const readers = ({ projectId, addedIds, removedIds }: ReadersChanged): LiveUpdate => {
  const told = project('updated')({ projectId, changed: ['teamMembers'] });
  return { ...told, topics: ['documents', ...told.topics], audience: { users: [...addedIds, ...removedIds] } };
};
