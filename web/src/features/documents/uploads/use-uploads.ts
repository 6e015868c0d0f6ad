import type { Document } from '@atrium/proto-events/http/documents';
import { useSyncExternalStore } from 'react';
import { messageOf } from '#lib/api/api-error.ts';
import { abortAll, createSendQueue, emptyQueue, type QueueState } from '#lib/sending/send-queue.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';
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
  const uploads = useSyncExternalStore(documentQueue.subscribe, documentQueue.current);
  const sentCount = useSyncExternalStore(documentQueue.subscribe, documentQueue.sentCount);
  const refetchPaths = useRefetchPaths();
  const discard = useDiscardUpload();
  const add = (files: readonly File[], details: UploadDetails) =>
    documentQueue.enqueue(files, {
      send: async (file, options) => {
        await sendDocument(file, { ...options, details });
        refetchPaths('/documents');
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
  const refetchPaths = useRefetchPaths();
  const cacheUpdate = useCacheUpdate<Document>('document');
  const discard = useDiscardUpload();
  return (file: File) =>
    versionQueue.enqueue([{ document, file }], {
      send: async (version, options) => {
        cacheUpdate.applySaved(await sendVersion(version.file, version.document, options));
        refetchPaths('/documents');
        showSuccess('New version uploaded successfully');
      },
      discard,
      explain: explainFailure,
    });
}

function useDiscardUpload(): (idempotencyKey: string) => void {
  const refetchPaths = useRefetchPaths();
  return (key) => void discardUpload(key).then(() => refetchPaths('/documents'));
}

function explainFailure(error: unknown): string {
  const message = messageOf(error, 'Failed to upload files');
  showError('Failed to upload files', message);
  return message;
}
