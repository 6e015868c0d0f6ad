import type { DocumentDownload } from '@atrium/proto-events/http/document-access';
import type { Document } from '@atrium/proto-events/http/documents';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { FileList, FileRow } from '#entities/document/file-row.tsx';
import { useDocumentDownloads } from '#entities/document/use-documents.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type Props = { document: Document; onClose: () => void };

export function DownloadsDialog({ document, onClose }: Props) {
  const [page, setPage] = useState(1);
  const downloads = useDocumentDownloads(document._id, page);
  return (
    <Dialog onClose={onClose} title="Download log" description={document.name}>
      <DialogBody>
        <CardPages
          as={FileList}
          query={downloads}
          list={String(page)}
          card={(download) => <DownloadRow download={download} />}
          skeletons={<SkeletonRows count={3} />}
          none={
            <EmptyState
              icon={<Download />}
              title="No downloads yet"
              hint="Downloads from the last 180 days appear here."
            />
          }
          failure="Failed to load the download log"
          onPage={setPage}
        />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function DownloadRow({ download: { user, fileNumber, at } }: { download: DocumentDownload }) {
  return (
    <FileRow
      icon={<Avatar user={user} size={28} />}
      title={displayName(user)}
      details={[<RelativeTime key="time" time={at} />, `version ${fileNumber}`]}
    >
      {null}
    </FileRow>
  );
}
