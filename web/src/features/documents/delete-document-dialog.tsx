import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useDocumentActions } from './use-document-actions.ts';

type Props = { document: Document; isOpen: boolean; onClose: () => void };

export function DeleteDocumentDialog({ document, isOpen, onClose }: Props) {
  const { remove } = useDocumentActions();
  const confirm = async () => {
    await remove(document._id);
    showSuccess('Document deleted successfully');
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={confirm}
      title="Delete document"
      action="Delete Document"
      failure="Failed to delete document"
    >
      {`Are you sure you want to delete “${isolate(document.name)}”? It stays in the trash for 30 days and can be restored from there.`}
    </ConfirmDialog>
  );
}
