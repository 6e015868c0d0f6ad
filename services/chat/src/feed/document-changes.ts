import { type Action, type Audience, type LiveUpdate, toScope, withAdmins } from './audience.ts';
import { project } from './project-changes.ts';

type DocumentEventData = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[]; departmentIds?: string[] | undefined };
  version: number;
  project: string | null;
  changed?: string[];
};

function toAudience({ uploadedBy, audience }: DocumentEventData): Audience {
  if (audience.everyone) return 'everyone';
  const { userIds, departmentIds: departments = [] } = audience;
  return { ...withAdmins(uploadedBy, ...userIds), ...(departments.length > 0 && { departments }) };
}

export const document =
  (action: Action) =>
  (data: DocumentEventData): LiveUpdate => ({
    topics: ['documents'],
    audience: toAudience(data),
    changes: [
      {
        resource: 'document',
        id: data.documentId,
        action,
        version: data.version,
        ...toScope(data),
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });

type AccessChangedData = { projectId: string; addedIds: string[]; removedIds: string[] };

export const accessChanged = ({ projectId, addedIds, removedIds }: AccessChangedData): LiveUpdate => {
  const update = project('updated')({ projectId, changed: ['teamMembers'] });
  return { ...update, topics: ['documents', ...update.topics], audience: { users: [...addedIds, ...removedIds] } };
};
