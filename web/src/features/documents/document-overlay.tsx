import type { Document } from '@atrium/proto-events/http/documents';
import { FileX } from 'lucide-react';
import { useState } from 'react';
import { useDocument } from '#entities/document/use-documents.ts';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { EditDocumentDialog } from './edit-document-dialog.tsx';
import { AccessDialog } from './sharing/access-dialog.tsx';
import { DownloadsDialog } from './sharing/downloads-dialog.tsx';
import { ShareDialog } from './sharing/share-dialog.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

type Props = {
  action: 'share' | 'edit' | 'versions' | 'access' | 'downloads';
  id: string;
  /** The list's copy, if it was opened from there. */
  listed: Document | undefined;
  onClose: () => void;
};

/** The dialog for the document in the URL, which may no longer exist or be editable. */
export function DocumentOverlay({ action, id, listed, onClose }: Props) {
  const { data: document = listed, error, isValidating, mutate } = useDocument(id);
  const [isEditing, setEditing] = useState(false);
  // An open form stays open; the server decides what is still possible.
  if (document?.abilities.update && action === 'edit' && !isEditing) setEditing(true);
  if (document && action === 'share') return <ShareDialog document={document} isOpen onClose={onClose} />;
  if (document && action === 'versions') return <VersionsDialog document={document} isOpen onClose={onClose} />;
  if (document && action === 'access') return <AccessDialog document={document} isOpen onClose={onClose} />;
  // The server rejects users who cannot read the log.
  if (document && action === 'downloads') return <DownloadsDialog document={document} isOpen onClose={onClose} />;
  if (document && isEditing) return <EditDocumentDialog document={document} isOpen onClose={onClose} />;
  if (!document && !error) return null;
  const isGone = error?.status === 404;
  return (
    <Dialog isOpen onClose={onClose} title="Document" width="sm">
      <DialogBody>
        {document?.denialReasons.update && <EmptyState icon={<FileX />} title={document.denialReasons.update} />}
        {!document && isGone && <EmptyState icon={<FileX />} title="This document no longer exists" />}
        {!document && !isGone && (
          <ErrorState
            title="Failed to load the document"
            detail={error?.message}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}
