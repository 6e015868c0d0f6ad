import type { Document } from '@atrium/proto-events/http/documents';
import { useState } from 'react';
import { messageOf } from '../../lib/api-error.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { useDocumentActions } from './use-documents.ts';

type Props = { document: Document; isOpen: boolean; onClose: () => void };

export function DeleteDocumentDialog({ document, isOpen, onClose }: Props) {
  const [isBusy, setBusy] = useState(false);
  const { remove } = useDocumentActions();
  const confirm = async () => {
    setBusy(true);
    try {
      await remove(document._id);
      showSuccess('Document deleted successfully');
    } catch (error) {
      showError('Error', messageOf(error, 'Failed to delete document'));
    }
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
      title="Delete document"
      action="Delete Document"
      isBusy={isBusy}
    >
      {`Are you sure you want to delete “${document.name}”? This action cannot be undone.`}
    </ConfirmDialog>
  );
}
