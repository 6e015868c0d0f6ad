import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { createUploadQueue, emptyQueue, type Queue, stopUploads } from '#lib/uploads/upload-queue.ts';

const queue = createUserScopedStore<Queue<File>>(emptyQueue, stopUploads);

/** Uploads to Document Hub. */
export const uploads = createUploadQueue(queue);

/** The next version of a document, which is given by id. */
type NewVersion = { document: string; file: File };

const versions = createUserScopedStore<Queue<NewVersion>>(emptyQueue, stopUploads);

/** Sequential per document, because the last version uploaded becomes the current one. */
export const newVersions = createUploadQueue(versions, { concurrencyKey: ({ document }) => document });
