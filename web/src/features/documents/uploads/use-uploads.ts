import type { Document } from '@atrium/proto-events/http/documents';
import { useSyncExternalStore } from 'react';
import { messageOf } from '#lib/api/api-error.ts';
import { abortAll, createSendQueue, emptyQueue, type QueueState } from '#lib/sending/send-queue.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { useCacheUpdate } from '#realtime/use-cache-update.ts';
import { useRefetchPaths } from '#realtime/use-refetch.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { discardSent, sendDocument, sendVersion } from './send-document.ts';
import type { UploadDetails } from './upload-details.tsx';

const documentStore = createUserScopedStore<QueueState<File>>(emptyQueue, abortAll);

export const newDocuments = createSendQueue(documentStore);

type NewVersion = { document: string; file: File };

const versionStore = createUserScopedStore<QueueState<NewVersion>>(emptyQueue, abortAll);

/** Sends versions of one document sequentially, because the last one uploaded becomes the current one. */
export const newVersions = createSendQueue(versionStore, { concurrencyKey: ({ document }) => document });

export function useUploads() {
  const uploads = useSyncExternalStore(newDocuments.subscribe, newDocuments.current);
  const arrived = useSyncExternalStore(newDocuments.subscribe, newDocuments.arrived);
  const refetchPaths = useRefetchPaths();
  const discard = useDiscardSent();
  const add = (files: readonly File[], details: UploadDetails) =>
    newDocuments.enqueue(files, {
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
  return { uploads, arrived, add };
}

export function useSendVersion(document: string) {
  const refetchPaths = useRefetchPaths();
  const show = useCacheUpdate<Document>('document');
  const discard = useDiscardSent();
  return (file: File) =>
    newVersions.enqueue([{ document, file }], {
      send: async (version, options) => {
        show.applySaved(await sendVersion(version.file, version.document, options));
        refetchPaths('/documents');
        showSuccess('New version uploaded successfully');
      },
      discard,
      explain: explainFailure,
    });
}

function useDiscardSent(): (idempotencyKey: string) => void {
  const refetchPaths = useRefetchPaths();
  return (key) => void discardSent(key).then(() => refetchPaths('/documents'));
}

function explainFailure(error: unknown): string {
  const message = messageOf(error, 'Failed to upload files');
  showError('Failed to upload files', message);
  return message;
}
