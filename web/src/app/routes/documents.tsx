import type { Document } from '@atrium/proto-events/http/documents';
import { Upload } from 'lucide-react';
import { Suspense, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { DocumentAction } from '../../features/documents/card-actions.tsx';
import { DocumentFigures } from '../../features/documents/document-figures.tsx';
import { DocumentList } from '../../features/documents/document-list.tsx';
import { UploadPanel } from '../../features/documents/upload-panel.tsx';
import { useDownload } from '../../features/documents/use-download.ts';
import { useUploads } from '../../features/documents/use-uploads.ts';
import { isId } from '../../lib/is-id.ts';
import { lazy } from '../../lib/lazy.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

const ShareDialog = lazy(() =>
  import('../../features/documents/share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
);
const EditDocumentDialog = lazy(() =>
  import('../../features/documents/edit-document-dialog.tsx').then((module) => ({
    default: module.EditDocumentDialog,
  })),
);
const DeleteDocumentDialog = lazy(() =>
  import('../../features/documents/delete-document-dialog.tsx').then((module) => ({
    default: module.DeleteDocumentDialog,
  })),
);

type Opened = { kind: 'none' } | { kind: Exclude<DocumentAction, 'download'>; document: Document };

/** Files that are dropped while one project's are shown are meant for it. */
const PLACE = { project: '' };

export default function Documents() {
  const isAdmin = useCurrentUser().role === 'admin';
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const [place] = useUrlState(PLACE);
  const shown = isId(place.project) ? place.project : '';
  const [project, setProject] = useState(shown);
  const [followed, setFollowed] = useState(shown);
  if (followed !== shown) {
    setFollowed(shown);
    setProject(shown);
  }
  const { uploads, add } = useUploads();
  const send = (files: readonly File[]) => add(files, project);
  const { download, busyId } = useDownload();
  const act = (action: DocumentAction, document: Document) =>
    action === 'download' ? void download(document._id) : setOpened({ kind: action, document });
  const close = () => setOpened({ kind: 'none' });
  return (
    <Page
      title="Document Hub"
      subtitle={isAdmin ? 'Every document in the workspace, private ones too' : 'Your documents, and those you may see'}
      actions={
        <FileTrigger allowsMultiple onSelect={(files) => send([...(files ?? [])])}>
          <Button variant="primary" icon={<Upload />}>
            Upload Files
          </Button>
        </FileTrigger>
      }
    >
      <DocumentFigures />
      <UploadPanel uploads={uploads} onFiles={send} project={project} onProject={setProject} />
      <DocumentList onAction={act} downloadingId={busyId} />
      <Suspense fallback={null}>
        {opened.kind === 'share' && <ShareDialog document={opened.document} isOpen onClose={close} />}
        {opened.kind === 'edit' && <EditDocumentDialog document={opened.document} isOpen onClose={close} />}
        {opened.kind === 'delete' && <DeleteDocumentDialog document={opened.document} isOpen onClose={close} />}
      </Suspense>
    </Page>
  );
}
