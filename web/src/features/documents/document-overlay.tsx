import type { Document } from '@atrium/proto-events/http/documents';
import { FileX } from 'lucide-react';
import { useDocument } from '#entities/document/use-documents.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { ResourceOverlay } from '#ui/overlays/resource-dialog.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { EditDocumentDialog } from './edit-document-dialog.tsx';
import { AccessDialog } from './sharing/access-dialog.tsx';
import { DownloadsDialog } from './sharing/downloads-dialog.tsx';
import { ShareDialog } from './sharing/share-dialog.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

/** Dialogs by action. The server rejects users who cannot read the download log. */
const DIALOGS = { share: ShareDialog, versions: VersionsDialog, access: AccessDialog, downloads: DownloadsDialog };

type Props = {
  action: keyof typeof DIALOGS | 'edit';
  id: string;
  listed: Document | undefined;
  onClose: () => void;
};

export function DocumentOverlay({ action, id, listed, onClose }: Props) {
  const query = useDocument(id);
  return (
    <ResourceOverlay
      query={{ ...query, data: query.data ?? listed }}
      title="Document"
      onClose={onClose}
      failure="Failed to load the document"
      notFound={{ icon: <FileX />, title: 'This document no longer exists' }}
    >
      {(document) => {
        if (action === 'edit') return <EditIfAllowed document={document} onClose={onClose} />;
        const Chosen = DIALOGS[action];
        return <Chosen document={document} onClose={onClose} />;
      }}
    </ResourceOverlay>
  );
}

function EditIfAllowed({ document, onClose }: { document: Document; onClose: () => void }) {
  // An open form stays open; the server decides what is still possible.
  const isEditing = useHasBeenTrue(document.abilities.update);
  if (isEditing) return <EditDocumentDialog document={document} onClose={onClose} />;
  const reason = document.denialReasons.update;
  return (
    <Dialog onClose={onClose} title="Document" width="sm">
      <DialogBody>{reason && <EmptyState icon={<FileX />} title={reason} />}</DialogBody>
    </Dialog>
  );
}
