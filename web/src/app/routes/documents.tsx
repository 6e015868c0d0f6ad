import type { Document } from '@atrium/proto-events/http/documents';
import { isolate } from '@atrium/proto-events/text/isolate';
import { FolderUp, Trash2, Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import type { DocumentAction } from '#features/documents/card-actions.tsx';
import { DocumentList, DocumentStats } from '#features/documents/document-list.tsx';
import { NO_DETAILS } from '#features/documents/uploads/upload-details.tsx';
import { UploadPanel } from '#features/documents/uploads/upload-panel.tsx';
import { useUploads } from '#features/documents/uploads/use-uploads.ts';
import { useDownload } from '#features/documents/use-document-actions.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { isId } from '#lib/paths.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { type FilesHandler, filesOfFolder, passFiles, selectedFiles } from '#ui/files/collect-files.ts';
import { PageDrop } from '#ui/files/page-drop.tsx';
import { showError } from '#ui/overlays/toast.ts';
import { Page } from '#ui/pages/page.tsx';
import { theme } from '#ui/theme.ts';

const DocumentOverlay = lazyNamed(() => import('#features/documents/document-overlay.tsx'), 'DocumentOverlay');
const DocumentPreview = lazyNamed(() => import('#features/documents/document-preview.tsx'), 'DocumentPreview');
const TrashDialog = lazyNamed(() => import('#features/documents/trash-dialog.tsx'), 'TrashDialog');
const DeleteDocumentDialog = lazyNamed(() => import('#features/documents/trash-dialog.tsx'), 'DeleteDocumentDialog');

/** Files dropped while one project is selected are uploaded to it. */
const PLACE = { project: '' };

export default function Documents() {
  const isAdmin = useCurrentUser().role === 'admin';
  const { opened, open, turn, close } = useOverlayHistory(
    'preview',
    'share',
    'edit',
    'versions',
    'access',
    'downloads',
  );
  const [isTrashOpen, setTrashOpen] = useState(false);
  const [deletingDocument, setDeletingDocument] = useState<Document>();
  // The list's item is shown until the document is loaded.
  const [listedDocument, setListedDocument] = useState<Document>();
  const [place] = useUrlState(PLACE);
  const urlProject = isId(place.project) ? place.project : '';
  const [details, setDetails] = useState({ ...NO_DETAILS, project: urlProject });
  const [previousUrlProject, setPreviousUrlProject] = useState(urlProject);
  if (previousUrlProject !== urlProject) {
    setPreviousUrlProject(urlProject);
    setDetails({ ...details, project: urlProject });
  }
  const { uploads, sentCount, add } = useUploads();
  const upload: FilesHandler = (files, { emptyFolders, unread } = { emptyFolders: [], unread: [] }) => {
    if (emptyFolders.length > 0) showError('Nothing to upload', `No files in ${emptyFolders.map(isolate).join(', ')}`);
    if (unread.length > 0) showError('Some files could not be read', `Left out: ${unread.map(isolate).join(', ')}`);
    if (files.length > 0) add(files, details);
  };
  const { run: download, inFlight: downloadingIds } = useDownload();
  const act = (action: DocumentAction, document: Document) => {
    if (action === 'download') return void download(document._id);
    if (action === 'delete') return setDeletingDocument(document);
    setListedDocument(document);
    open(action, document._id);
  };
  return (
    <Page
      title="Document Hub"
      subtitle={isAdmin ? 'All files in the workspace, including private ones' : 'Your files and files shared with you'}
      actions={
        <>
          <Button icon={<Trash2 />} onPress={() => setTrashOpen(true)}>
            Trash
          </Button>
          <HiddenOnMobile>
            <FileTrigger acceptDirectory onSelect={(files) => passFiles(upload, filesOfFolder(files))}>
              <Button icon={<FolderUp />}>Upload Folder</Button>
            </FileTrigger>
          </HiddenOnMobile>
          <FileTrigger allowsMultiple onSelect={(files) => upload(selectedFiles(files))}>
            <Button variant="primary" icon={<Upload />}>
              Upload Files
            </Button>
          </FileTrigger>
        </>
      }
    >
      <PageDrop onFiles={upload}>Drop anywhere to upload</PageDrop>
      <DocumentStats />
      <UploadPanel uploads={uploads} sentCount={sentCount} onFiles={upload} details={details} onDetails={setDetails} />
      <DocumentList
        onAction={act}
        downloadingIds={downloadingIds}
        renderOverlay={(documents) =>
          opened?.name === 'preview' && (
            <Suspense fallback={null}>
              <DocumentPreview
                documents={documents}
                id={opened.id}
                onNavigate={turn}
                onDownload={(document) => act('download', document)}
                onClose={close}
              />
            </Suspense>
          )
        }
      />
      <Suspense fallback={null}>
        {opened && opened.name !== 'preview' && (
          <DocumentOverlay
            key={opened.id}
            action={opened.name}
            id={opened.id}
            listed={listedDocument?._id === opened.id ? listedDocument : undefined}
            onClose={close}
          />
        )}
        {isTrashOpen && <TrashDialog onClose={() => setTrashOpen(false)} />}
        {deletingDocument && (
          <DeleteDocumentDialog document={deletingDocument} onClose={() => setDeletingDocument(undefined)} />
        )}
      </Suspense>
    </Page>
  );
}

/** Phones cannot select folders and have room for two buttons. */
const HiddenOnMobile = styled.span`
  display: contents;
  ${theme.media.small} {
    display: none;
  }
`;
