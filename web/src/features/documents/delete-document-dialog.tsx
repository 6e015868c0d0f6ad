import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useDocumentActions } from './use-document-actions.ts';

type Props = { document: Document; onClose: () => void };

export function DeleteDocumentDialog({ document, onClose }: Props) {
  const { remove } = useDocumentActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove(document._id)}
      success="Document deleted successfully"
      title="Delete document"
      action="Delete Document"
      failure="Failed to delete document"
    >
      {`Are you sure you want to delete “${isolate(document.name)}”? It stays in the trash for 30 days and can be restored from there.`}
    </ConfirmDialog>
  );
}
