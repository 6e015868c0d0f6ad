import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';
import { createUploadQueue, emptyQueue, type Queue, stopUploads } from '../../../lib/uploads/upload-queue.ts';

const queue = createUserScopedStore<Queue<File>>(emptyQueue, stopUploads);

/** The files on their way to the Document Hub. */
export const uploads = createUploadQueue(queue);

/** A file that is to be the next version of a document, by its id. */
type NewVersion = { document: string; file: File };

const versions = createUserScopedStore<Queue<NewVersion>>(emptyQueue, stopUploads);

/** Of one document one after the other: which came last is the present one. */
export const newVersions = createUploadQueue(versions, { concurrencyKey: ({ document }) => document });
