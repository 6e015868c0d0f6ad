import type { DeletedDocument } from '@atrium/proto-events/http/document-versions';
import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { Fragment, useRef, useState } from 'react';
import { describeAge, describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileList, FileRow } from '#entities/document/file-row.tsx';
import { useDeletedDocuments } from '#entities/document/use-documents.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { shortDate } from '#ui/times/time-format.ts';
import { useDocumentActions } from './use-document-actions.ts';

type Props = { onClose: () => void };

export function TrashDialog({ onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Trash" description="Deleted documents are kept for 30 days.">
      <Trash />
    </Dialog>
  );
}

function Trash() {
  const [page, setPage] = useState(1);
  const [documentToPurge, setDocumentToPurge] = useState<DeletedDocument>();
  const deletedDocuments = useDeletedDocuments(page);
  const body = useRef<HTMLDivElement>(null);
  // The pressed button is removed with its row; the dialog must keep focus for Esc to close it.
  const keepFocus = () => body.current?.focus();
  const { restore, purge } = useDocumentActions();
  const { run, inFlight, failure } = useAction(async (id: string) => {
    keepFocus();
    await restore(id);
    showSuccess('Document restored successfully');
  }, 'Failed to restore document');
  return (
    <DialogBody ref={body} tabIndex={-1}>
      <FormFailure failure={failure} />
      <CardPages
        as={FileList}
        query={deletedDocuments}
        list={String(page)}
        card={(document) => (
          <DeletedRow
            document={document}
            onRestore={() => void run(document._id)}
            isRestoring={inFlight.includes(document._id)}
            onPurge={() => {
              keepFocus();
              setDocumentToPurge(document);
            }}
          />
        )}
        skeletons={<SkeletonRows count={3} />}
        none={
          <EmptyState
            icon={<Trash2 />}
            title="The trash is empty"
            hint="Documents you delete are kept here for 30 days."
          />
        }
        failure="Failed to load the trash"
        onPage={setPage}
      />
      {documentToPurge && (
        <ConfirmDialog
          onClose={() => setDocumentToPurge(undefined)}
          onConfirm={() => purge(documentToPurge._id)}
          success="Document permanently deleted"
          title="Delete permanently"
          action="Delete Permanently"
          failure="Failed to delete document"
        >
          {`Are you sure you want to delete “${isolate(documentToPurge.name)}” with all of its versions? This action cannot be undone.`}
        </ConfirmDialog>
      )}
    </DialogBody>
  );
}

type RowProps = { document: DeletedDocument; onRestore: () => void; isRestoring: boolean; onPurge: () => void };

function DeletedRow({ document, onRestore, isRestoring, onPurge }: RowProps) {
  const { name, mimetype, size, deletedBy, deletedAt, goneAt } = document;
  const now = useNow();
  return (
    <FileRow
      icon={<FileIcon mimetype={mimetype} />}
      title={name}
      details={[
        describeSize(size),
        <Fragment key="deleted">
          deleted by <bdi>{displayName(deletedBy)}</bdi>,{' '}
          <PrintedText text={describeAge(deletedAt, now).toLowerCase()} printed={shortDate(deletedAt)} />
        </Fragment>,
        `permanently deleted on ${shortDate(goneAt)}`,
      ]}
    >
      <IconButton label={`Restore ${name}`} isDisabled={isRestoring} onPress={onRestore}>
        <ArchiveRestore />
      </IconButton>
      <IconButton label={`Permanently delete ${name}`} tone="danger" onPress={onPurge}>
        <Trash2 />
      </IconButton>
    </FileRow>
  );
}

type DeleteProps = { document: Document; onClose: () => void };

export function DeleteDocumentDialog({ document, onClose }: DeleteProps) {
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
