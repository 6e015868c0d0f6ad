import { useSyncExternalStore } from 'react';
import { messageOf } from '#lib/api/api-error.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';
import { showError, showSuccess } from '#ui/overlays/toast.ts';
import { useDocumentActions } from '../use-document-actions.ts';
import { discardSent } from './send-document.ts';
import type { UploadDetails } from './upload-details.tsx';
import { uploads as queue } from './upload-queue.ts';

export function useUploads() {
  const uploads = useSyncExternalStore(queue.subscribe, queue.current);
  const arrived = useSyncExternalStore(queue.subscribe, queue.arrived);
  const { upload } = useDocumentActions();
  const refresh = useInvalidate();
  const add = (files: readonly File[], details: UploadDetails) =>
    queue.enqueue(files, {
      send: (file, options) => upload(file, { ...options, details }),
      discard: (key) => void discardSent(key).then(() => refresh('/documents')),
      explain: (error) => {
        const message = messageOf(error, 'Failed to upload files');
        showError('Failed to upload files', message);
        return message;
      },
      onIdle: (count) => {
        if (count === 1) showSuccess('Document uploaded successfully');
        if (count > 1) showSuccess(`${count} documents uploaded successfully`);
      },
    });
  return { uploads, arrived, add };
}
