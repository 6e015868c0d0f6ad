import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/** Who may read the document now: everyone signed in, or these people and whoever is in these departments; administrators always. */
const audience = z.object({
  everyone: z.boolean(),
  userIds: z.array(id),
  /** By their ids, as thousands may be in one. Absent where it is shared with none. */
  departmentIds: z.array(id).optional(),
});

const facts = {
  documentId: id,
  name: z.string(),
  uploadedBy: id,
  audience,
  version: z.int(),
  project: id.nullable(),
};

export const documentUploaded = defineEvent('documents.document.uploaded', 1, z.object(facts));

/** `audience` is of before and after together, so that those who lost sight of it learn that, too. */
export const documentUpdated = defineEvent(
  'documents.document.updated',
  1,
  z.object({ ...facts, changed: z.array(z.string()) }),
);

/** `sharedWith`: who is to be told that it is open to them now; of a department or a project those who could not read it, unless they are many. */
export const documentShared = defineEvent(
  'documents.document.shared',
  1,
  z.object({
    ...facts,
    sharedWith: z.array(id),
    /** Absent where it was shared with none. */
    sharedWithDepartments: z.array(id).optional(),
    sharedWithProjects: z.array(id).optional(),
  }),
);

export const documentDeleted = defineEvent('documents.document.deleted', 1, z.object(facts));

/** Brought back from the bin; `version` goes on from where its deletion left it. */
export const documentRestored = defineEvent('documents.document.restored', 1, z.object(facts));

/** How long the call that saves a file of a message waits for its outcome, in milliseconds. */
export const SAVE_OUTCOME_MS = 5_000;

/**
 * What became of a file of a message that is to become a document (`chat.attachment.saved`): room is reserved for it where `failure` is null,
 * else why there is and will be none. A failure may follow a reservation. `isLate`: the call that saved the file had been answered before,
 * so its user learns of a failure by a notification.
 */
export const attachmentSettled = defineEvent(
  'documents.attachment.settled',
  1,
  z.object({ documentId: id, savedBy: id, name: z.string(), failure: z.string().nullable(), isLate: z.boolean() }),
);

/**
 * From now on these people read other documents than before: they came to a project, or left it, and documents knows it. The project's own
 * event is told earlier, at times much.
 */
export const documentAccessChanged = defineEvent(
  'documents.readers.changed',
  1,
  z.object({ projectId: id, addedIds: z.array(id), removedIds: z.array(id) }),
);
