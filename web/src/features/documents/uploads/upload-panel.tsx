import { Settings2 } from 'lucide-react';
import { styled } from 'styled-components';
import { describeSize } from '#entities/document/document-labels.ts';
import { useDocumentLimits } from '#entities/document/use-documents.ts';
import type { QueueEntry } from '#lib/sending/send-queue.ts';
import { CollapsibleOnMobile } from '#ui/collapsible.tsx';
import type { FilesHandler } from '#ui/files/collect-files.ts';
import { DropZone } from '#ui/files/drop-zone.tsx';
import { Caption } from '#ui/layout/primitives.ts';
import { hiddenInPrint } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { theme } from '#ui/theme.ts';
import { UnfinishedUploads } from './unfinished-uploads.tsx';
import { type UploadDetails, UploadDetailsFields } from './upload-details.tsx';
import { UploadRow } from './upload-row.tsx';
import { documentQueue } from './use-uploads.ts';

/** Limits the rows, because the summary is more useful for a folder of thousands of files. */
const MAX_ROWS = 50;

type Props = {
  uploads: readonly QueueEntry<File>[];
  /** Files uploaded since the queue was last empty. */
  sentCount: number;
  onFiles: FilesHandler;
  details: UploadDetails;
  onDetails: (details: UploadDetails) => void;
};

export function UploadPanel({ uploads, sentCount, onFiles, details, onDetails }: Props) {
  const { data: limits } = useDocumentLimits();
  const sizeHint = limits ? `, up to ${describeSize(limits.maxFileBytes)} each` : '';
  const hiddenCount = uploads.length - MAX_ROWS;
  return (
    <Panel>
      <WithPointer>
        <DropZone
          onFiles={onFiles}
          hint={`Multiple files or folders${sizeHint}. ${VISIBILITY_HINTS[details.visibility]}`}
        >
          Drop files here or click to choose
        </DropZone>
      </WithPointer>
      <CollapsibleOnMobile label="Upload options" icon={<Settings2 />}>
        <UploadDetailsFields value={details} onChange={onDetails} />
      </CollapsibleOnMobile>
      <UnfinishedUploads document={null} onFile={(file) => onFiles([file])} />
      {uploads.length > 0 && (
        <div>
          <Caption $tabular $below={2} role="status">
            {uploadSummary(uploads, sentCount)}
          </Caption>
          <CardSurface as="ul" aria-label="Uploads">
            {uploads.slice(0, MAX_ROWS).map((upload) => (
              <UploadRow key={upload.id} upload={upload} file={upload.item} queue={documentQueue} />
            ))}
          </CardSurface>
          {hiddenCount > 0 && (
            <Caption $tabular $below={2}>
              and {hiddenCount} more
            </Caption>
          )}
        </div>
      )}
    </Panel>
  );
}

export function uploadSummary(uploads: readonly Pick<QueueEntry<File>, 'state'>[], sentCount: number): string {
  const total = uploads.length + sentCount;
  const failedCount = uploads.filter(({ state }) => state === 'failed').length;
  return `${sentCount} of ${total} ${total === 1 ? 'file' : 'files'} uploaded${failedCount > 0 ? `, ${failedCount} failed` : ''}`;
}

const VISIBILITY_HINTS: Record<UploadDetails['visibility'], string> = {
  private: 'New documents are private until you share them.',
  team: 'Project members can see them, or everyone if they have no project.',
  public: 'Everyone who is signed in can see them.',
};

const Panel = styled.section`
  display: grid;
  gap: ${theme.space[3]};
  margin-bottom: ${theme.space[6]};
  ${theme.media.compact} {
    margin-bottom: ${theme.space[4]};
  }
  ${hiddenInPrint}
`;

/* Touch devices cannot drop files, and the screen's upload button opens the same file dialog. */
const WithPointer = styled.div`
  ${theme.media.small} {
    display: none;
  }
  @media (pointer: coarse) {
    display: none;
  }
`;
