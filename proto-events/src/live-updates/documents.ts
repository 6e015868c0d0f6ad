import { subjectOf } from '../event.ts';
import * as documents from '../events/documents.ts';
import {
  type Action,
  type Audience,
  type ExemptEvents,
  type FanoutRow,
  type LiveUpdate,
  row,
  toScope,
  withAdmins,
} from './live-update.ts';
import { project } from './projects.ts';

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

const document =
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

/** Repeats the change of the team for these users, because the project's own event may be much earlier. */
const accessChanged = ({ projectId, addedIds, removedIds }: AccessChangedData): LiveUpdate => {
  const update = project('updated')({ projectId, changed: ['teamMembers'] });
  return { ...update, topics: ['documents', ...update.topics], audience: { users: [...addedIds, ...removedIds] } };
};

export const FANOUT: readonly FanoutRow[] = [
  row(documents.documentUploaded, document('created')),
  row(documents.documentUpdated, document('updated')),
  row(documents.documentShared, document('updated')),
  row(documents.documentDeleted, document('deleted')),
  row(documents.documentRestored, document('created')),
  row(documents.documentAccessChanged, accessChanged),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(documents.attachmentSettled)]:
    'completes the request that saves the file; a later failure is a notification',
};
