import type { Document } from '@atrium/proto-events/http/documents';
import { useSyncExternalStore } from 'react';
import { messageOf } from '#lib/api/api-error.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { abortAll, createSendQueue, emptyQueue, type QueueState } from '#lib/sending/send-queue.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useWrite } from '#realtime/use-write.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { discardUpload, sendDocument, sendVersion } from './send-document.ts';
import type { UploadDetails } from './upload-details.tsx';

const documentStore = createUserScopedStore<QueueState<File>>(emptyQueue, abortAll);

export const documentQueue = createSendQueue(documentStore);

type NewVersion = { document: string; file: File };

const versionStore = createUserScopedStore<QueueState<NewVersion>>(emptyQueue, abortAll);

/** Sends versions of one document sequentially, because the last one uploaded becomes the current one. */
export const versionQueue = createSendQueue(versionStore, { concurrencyKey: ({ document }) => document });

export function useUploads() {
  const refetch = useRefetch();
  const uploads = useSyncExternalStore(documentQueue.subscribe, documentQueue.current);
  const sentCount = useSyncExternalStore(documentQueue.subscribe, documentQueue.sentCount);
  const discard = useDiscardUpload();
  const add = (files: readonly File[], details: UploadDetails) =>
    documentQueue.enqueue(files, {
      send: async (file, options) => {
        await sendDocument(file, { ...options, details });
        refetch('/documents');
      },
      discard,
      explain: explainFailure,
      onIdle: (count) => {
        if (count === 1) showSuccess('Document uploaded successfully');
        if (count > 1) showSuccess(`${count} documents uploaded successfully`);
      },
    });
  return { uploads, sentCount, add };
}

export function useSendVersion(document: string) {
  const write = useWrite<Document>('document');
  const discard = useDiscardUpload();
  return (file: File) =>
    versionQueue.enqueue([{ document, file }], {
      send: async (version, options) => {
        write.saved(await sendVersion(version.file, version.document, options));
        write.refetch('/documents');
        showSuccess('New version uploaded successfully');
      },
      discard,
      explain: explainFailure,
    });
}

function useDiscardUpload(): (idempotencyKey: string) => void {
  const refetch = useRefetch();
  return (key) => void discardUpload(key).then(() => refetch('/documents'));
}

function explainFailure(error: unknown): string {
  const message = messageOf(error, 'Failed to upload files');
  showError('Failed to upload files', message);
  return message;
}
