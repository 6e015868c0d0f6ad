import { createPersonStore } from '../../../lib/session/person-store.ts';
import { createUploadQueue, emptyQueue, type Queue, stopUploads } from '../../../lib/uploads/upload-queue.ts';

const queue = createPersonStore<Queue<File>>(emptyQueue, stopUploads);

/** The files on their way to the Document Hub. */
export const uploads = createUploadQueue(queue);
