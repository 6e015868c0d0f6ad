import type { Document } from '@atrium/proto-events/http/documents';
import { FileX } from 'lucide-react';
import { fetchPreview, useDocument } from '#entities/document/use-documents.ts';
import { FileViewer } from '#entities/file-viewer/file-viewer.tsx';
import type { ViewedFile } from '#entities/file-viewer/viewed-file.ts';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';

type Props = {
  /** The list it was opened from. */
  documents: readonly Document[];
  id: string;
  onNavigate: (id: string) => void;
  onDownload: (document: Document) => void;
  onClose: () => void;
};

/** The viewer for a document and the others of its list; alone if a link opened one outside of the list. */
export function DocumentPreview({ documents, id, onNavigate, onDownload, onClose }: Props) {
  const { data, error, isValidating, mutate } = useDocument(id);
  const isListed = documents.some(({ _id }) => _id === id);
  const shown = isListed ? documents : data ? [data] : [];
  if (shown.length > 0) {
    const at = shown.findIndex(({ _id }) => _id === id);
    const turn = (to: number) => onNavigate(shown[to]?._id ?? id);
    return (
      <FileViewer files={shown.map((one) => toFile(one, onDownload))} at={at} onNavigate={turn} onClose={onClose} />
    );
  }
  if (!error) return null;
  return (
    <Dialog isOpen onClose={onClose} title="Document" width="sm">
      <DialogBody>
        {error.status === 404 ? (
          <EmptyState icon={<FileX />} title="This document no longer exists" />
        ) : (
          <ErrorState
            title="Failed to load the document"
            detail={error.message}
            onRetry={() => void mutate()}
            isRetrying={isValidating}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}

function toFile(document: Document, onDownload: Props['onDownload']): ViewedFile {
  const { _id, name, mimetype, size, sha256, fileLost } = document;
  return {
    // A new version has different content.
    key: `${_id} ${sha256}`,
    name,
    mimetype,
    size,
    getLink: () => fetchPreview(_id),
    onDownload: fileLost ? undefined : () => onDownload(document),
  };
}
