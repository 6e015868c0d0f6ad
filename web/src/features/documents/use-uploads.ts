import { useSyncExternalStore } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { showError, showSuccess } from '../../ui/overlays/toast.ts';
import type { UploadDetails } from './upload-details.tsx';
import { requireRoomFor } from '../../entities/document/upload-limits.ts';
import { uploads as queue } from './upload-queue.ts';
import { useDocumentActions } from './use-document-actions.ts';

/** The files on their way up, and how to add some. */
export function useUploads() {
  const uploads = useSyncExternalStore(queue.subscribe, queue.current);
  const { upload } = useDocumentActions();
  const add = (files: readonly File[], details: UploadDetails) =>
    queue.enqueue(files, {
      send: async (file, options) => {
        await requireRoomFor(file);
        await upload(file, { ...options, details });
      },
      explain: (error) => {
        const message = messageOf(error, 'Failed to upload files');
        showError('Failed to upload files', message);
        return message;
      },
      onIdle: (arrived) => {
        if (arrived === 1) showSuccess('Document uploaded successfully');
        if (arrived > 1) showSuccess(`${arrived} documents uploaded successfully`);
      },
    });
  return { uploads, add };
}
