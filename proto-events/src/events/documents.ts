import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * The current readers of the document: everyone, or these users and the members of these departments. Administrators
 * can always read it.
 */
const audience = z.object({
  everyone: z.boolean(),
  userIds: z.array(id),
  /** Departments are not expanded to users, since a department can have thousands of members. Absent if shared with none. */
  departmentIds: z.array(id).optional(),
});

const documentFields = {
  documentId: id,
  name: z.string(),
  uploadedBy: id,
  audience,
  version: z.int(),
  project: id.nullable(),
};

export const documentUploaded = defineEvent('documents.document.uploaded', 1, z.object(documentFields));

/**
 * `audience` combines readers before and after the change, so that browsers of users who lost access also refetch;
 * `currentAudience` are those after it, if some lost access.
 */
export const documentUpdated = defineEvent(
  'documents.document.updated',
  1,
  z.object({ ...documentFields, changed: z.array(z.string()), currentAudience: audience.optional() }),
);

/**
 * `sharedWith`: users to notify. For a department or a project, these are the users who could not read the document
 * before, unless there are too many.
 */
export const documentShared = defineEvent(
  'documents.document.shared',
  1,
  z.object({
    ...documentFields,
    sharedWith: z.array(id),
    sharedWithDepartments: z.array(id).optional(),
    sharedWithProjects: z.array(id).optional(),
  }),
);

export const documentDeleted = defineEvent('documents.document.deleted', 1, z.object(documentFields));

/** Restored from the trash; `version` continues from the deletion. */
export const documentRestored = defineEvent('documents.document.restored', 1, z.object(documentFields));

/** How long the request that saves an attachment waits for the outcome, in milliseconds. */
export const SAVE_OUTCOME_MS = 5_000;

/**
 * Reports whether quota is reserved for the document; the copy comes later. If `failure` is not null, the document will
 * not be created. A failure may follow a reservation. `isLate`: the request already had its response, so the user is
 * notified of a failure.
 */
export const attachmentSettled = defineEvent(
  'documents.attachment.settled',
  1,
  z.object({ documentId: id, savedBy: id, name: z.string(), failure: z.string().nullable(), isLate: z.boolean() }),
);

/**
 * These users joined or left a project, and documents has processed that. The project's own event may be much
 * earlier.
 */
export const documentAccessChanged = defineEvent(
  'documents.access.changed',
  1,
  z.object({ projectId: id, addedIds: z.array(id), removedIds: z.array(id) }),
);
