import { subjectOf } from '../event.ts';
import * as documents from '../events/documents.ts';
import {
  type Action,
  type Audience,
  type ExemptEvents,
  type FanoutRow,
  type LiveUpdate,
  row,
  withAdmins,
} from './live-update.ts';

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
    audience: toAudience(data),
    change: {
      resource: 'document',
      id: data.documentId,
      action,
      version: data.version,
      tags: ['documents'],
      ...(data.changed && { changed: data.changed }),
    },
  });

type AccessChangedData = { projectId: string; addedIds: string[]; removedIds: string[] };

const accessChanged = ({ projectId: id, addedIds, removedIds }: AccessChangedData): LiveUpdate => ({
  audience: { users: [...addedIds, ...removedIds] },
  change: { resource: 'document', id, action: 'updated', version: 0, tags: ['documents'] },
});

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
