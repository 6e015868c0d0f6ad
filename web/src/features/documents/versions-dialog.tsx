import type { DocumentVersion } from '@atrium/proto-events/http/document-versions';
import type { Document } from '@atrium/proto-events/http/documents';
import { Download, Eye, History, Upload } from 'lucide-react';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { describeSize } from '#entities/document/document-labels.ts';
import { downloadFile } from '#entities/document/download-file.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileList, FileRow } from '#entities/document/file-row.tsx';
import { fetchPreview, fetchVersion, useDocumentVersions } from '#entities/document/use-documents.ts';
import type { ViewedFile } from '#entities/file-viewer/viewed-file.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { UnfinishedUploads } from './uploads/unfinished-uploads.tsx';
import { UploadRow } from './uploads/upload-row.tsx';
import { useSendVersion, versionQueue } from './uploads/use-uploads.ts';
import { useDocumentActions } from './use-document-actions.ts';

const FileViewer = lazyNamed(() => import('#entities/file-viewer/file-viewer.tsx'), 'FileViewer');

type Props = { document: Document; onClose: () => void };

export function VersionsDialog({ document, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Versions" description={document.name}>
      <DialogBody>
        <NewVersions document={document._id} />
        <Versions document={document} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Close</Button>
        {document.abilities.update && <NewVersion document={document._id} />}
      </DialogFooter>
    </Dialog>
  );
}

function Versions({ document }: { document: Document }) {
  const [page, setPage] = useState(1);
  const versionPage = useDocumentVersions(document._id, page);
  const { restoreVersion } = useDocumentActions();
  const download = useAction(
    async (number: number) => downloadFile((await fetchVersion(document._id, number)).downloadUrl),
    'Failed to download document',
    'Download failed',
  );
  const restore = useAction(async (number: number) => {
    await restoreVersion(document._id, number);
    showSuccess('Version restored successfully');
  }, 'Failed to restore version');
  const [viewedNumber, setViewedNumber] = useState<number>();
  const versions = (versionPage.data?.data ?? []).filter(({ fileLost }) => !fileLost);
  const files = versions.map((version) => toFile(document, version, download.run));
  const at = versions.findIndex(({ number }) => number === viewedNumber);
  const data = versionPage.data && { ...versionPage.data, data: versionPage.data.data.map(withId) };
  return (
    <>
      <FormFailure failure={download.failure ?? restore.failure} />
      <CardPages
        as={FileList}
        query={{ ...versionPage, data }}
        list={String(page)}
        card={(version) => (
          <VersionRow
            version={version}
            canRestore={document.abilities.update}
            isBusy={download.inFlight.includes(version.number) || restore.inFlight.includes(version.number)}
            onView={() => setViewedNumber(version.number)}
            onDownload={() => void download.run(version.number)}
            onRestore={() => void restore.run(version.number)}
          />
        )}
        skeletons={<SkeletonRows count={2} />}
        none={null}
        failure="Failed to load the versions"
        onPage={setPage}
      />
      <Suspense fallback={null}>
        {at >= 0 && (
          <FileViewer
            files={files}
            at={at}
            onNavigate={(to) => setViewedNumber(versions[to]?.number)}
            onClose={() => setViewedNumber(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function toFile(document: Document, version: DocumentVersion, download: (number: number) => unknown): ViewedFile {
  const { number, mimetype, size } = version;
  return {
    key: `${document._id} version ${number}`,
    name: document.name,
    mimetype,
    size,
    getLink: () => fetchPreview(document._id, number),
    onDownload: () => void download(number),
  };
}

const withId = (version: DocumentVersion) => ({ ...version, _id: String(version.number) });

type RowProps = {
  version: DocumentVersion;
  canRestore: boolean;
  isBusy: boolean;
  onView: () => void;
  onDownload: () => void;
  onRestore: () => void;
};

function VersionRow({ version, canRestore, isBusy, onView, onDownload, onRestore }: RowProps) {
  const { number, isCurrent, mimetype, size, uploadedBy, createdAt, restoredFrom, fileLost } = version;
  return (
    <FileRow
      icon={<FileIcon mimetype={mimetype} />}
      title={
        <>
          Version {number} {isCurrent && <Pill tone="info">Current</Pill>}
        </>
      }
      details={[
        fileLost ? 'The file is no longer in storage' : describeSize(size),
        displayName(uploadedBy),
        <RelativeTime key="time" time={createdAt} />,
        ...(restoredFrom === undefined ? [] : [`restored from version ${restoredFrom}`]),
      ]}
    >
      {!fileLost && (
        <IconButton label={`Preview version ${number}`} onPress={onView}>
          <Eye />
        </IconButton>
      )}
      {!fileLost && (
        <IconButton label={`Download version ${number}`} isDisabled={isBusy} onPress={onDownload}>
          <Download />
        </IconButton>
      )}
      {canRestore && !isCurrent && !fileLost && (
        <IconButton label={`Restore version ${number}`} isDisabled={isBusy} onPress={onRestore}>
          <History />
        </IconButton>
      )}
    </FileRow>
  );
}

function NewVersion({ document }: { document: string }) {
  const send = useSendVersion(document);
  return (
    <FileTrigger onSelect={(files) => files?.[0] && send(files[0])}>
      <Button variant="primary" icon={<Upload />}>
        Upload New Version
      </Button>
    </FileTrigger>
  );
}

function NewVersions({ document }: { document: string }) {
  const send = useSendVersion(document);
  const all = useSyncExternalStore(versionQueue.subscribe, versionQueue.current);
  const uploads = all.filter(({ item }) => item.document === document);
  return (
    <>
      <UnfinishedUploads document={document} onFile={send} />
      {uploads.length > 0 && (
        <CardSurface as="ul" aria-label="New versions">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} file={upload.item.file} queue={versionQueue} />
          ))}
        </CardSurface>
      )}
    </>
  );
}
