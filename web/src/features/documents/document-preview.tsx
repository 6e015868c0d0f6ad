import type { Document } from '@atrium/proto-events/http/documents';
import { FileX } from 'lucide-react';
import { fetchPreview, useDocument } from '#entities/document/use-documents.ts';
import { FileViewer } from '#entities/file-viewer/file-viewer.tsx';
import type { ViewedFile } from '#entities/file-viewer/viewed-file.ts';
import { ResourceOverlay } from '#ui/overlays/resource-dialog.tsx';

type Props = {
  documents: readonly Document[];
  id: string;
  onNavigate: (id: string) => void;
  onDownload: (document: Document) => void;
  onClose: () => void;
};

export function DocumentPreview({ documents, id, onNavigate, onDownload, onClose }: Props) {
  const query = useDocument(id);
  const isListed = documents.some(({ _id }) => _id === id);
  const shownDocuments = isListed ? documents : query.data && [query.data];
  return (
    <ResourceOverlay
      query={{ ...query, data: shownDocuments }}
      title="Document"
      onClose={onClose}
      failure="Failed to load the document"
      notFound={{ icon: <FileX />, title: 'This document no longer exists' }}
    >
      {(listed) => (
        <FileViewer
          files={listed.map((document) => toFile(document, onDownload))}
          at={listed.findIndex(({ _id }) => _id === id)}
          onNavigate={(to) => onNavigate(listed[to]?._id ?? id)}
          onClose={onClose}
        />
      )}
    </ResourceOverlay>
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
