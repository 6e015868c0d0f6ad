import { RotateCcw, X } from 'lucide-react';
import { styled } from 'styled-components';
import { describeSize } from '../../entities/document/document-words.ts';
import { useDocumentLimits } from '../../entities/document/use-documents.ts';
import type { Upload } from '../../lib/uploads/upload-queue.ts';
import { DropZone } from '../../ui/fields/drop-zone.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CardSurface } from '../../ui/pages/card.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { theme } from '../../ui/theme.ts';
import { type UploadDetails, UploadDetailsFields } from './upload-details.tsx';
import { uploads as queue } from './upload-queue.ts';

type Props = {
  uploads: readonly Upload<File>[];
  onFiles: (files: readonly File[]) => void;
  /** Of what is uploaded next. */
  details: UploadDetails;
  onDetails: (details: UploadDetails) => void;
};

/** Where files are dropped, and what is on its way. */
export function UploadPanel({ uploads, onFiles, details, onDetails }: Props) {
  const { data: limits } = useDocumentLimits();
  const most = limits ? `, up to ${describeSize(limits.maxFileBytes)} each` : '';
  return (
    <Panel>
      <DropZone onFiles={onFiles} hint={`Several at once, folders too${most}. ${WHO[details.visibility]}`}>
        Drop files here or click to choose
      </DropZone>
      <UploadDetailsFields value={details} onChange={onDetails} />
      {uploads.length > 0 && (
        <CardSurface as="ul" aria-label="Uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </CardSurface>
      )}
    </Panel>
  );
}

const WHO: Record<UploadDetails['visibility'], string> = {
  private: 'New documents are private until you share them.',
  team: 'The people of their project see them, or everyone where they have none.',
  public: 'Everyone who is signed in sees them.',
};

function UploadRow({ upload }: { upload: Upload<File> }) {
  const { id, item: file, progress, state } = upload;
  const isFailed = state === 'failed';
  return (
    <Row>
      <Words>
        <Name title={file.name}>{file.name}</Name>
        <Detail $failed={isFailed} role={isFailed ? 'alert' : undefined}>
          {describeState(upload)}
        </Detail>
      </Words>
      {!isFailed && (
        <Bar>
          <ProgressBar value={Math.round(progress * 100)} label={`Upload of ${file.name}`} isValueShown />
        </Bar>
      )}
      {isFailed && (
        <IconButton label={`Retry ${file.name}`} onPress={() => queue.retry(id)}>
          <RotateCcw />
        </IconButton>
      )}
      <IconButton label={`${isFailed ? 'Dismiss' : 'Cancel'} ${file.name}`} onPress={() => queue.cancel(id)}>
        <X />
      </IconButton>
    </Row>
  );
}

function describeState({ state, progress, item: file, error }: Upload<File>): string {
  if (state === 'failed') return error ?? 'Failed to upload files';
  if (state === 'waiting') return `Waiting · ${describeSize(file.size)}`;
  return progress < 1 ? describeSize(file.size) : 'Finishing…';
}

const Panel = styled.section`
  display: grid;
  gap: ${theme.space[3]};
  margin-bottom: ${theme.space[6]};
  ${theme.media.compact} {
    margin-bottom: ${theme.space[4]};
  }
`;

const Row = styled.li`
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
  min-height: 60px;
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Words = styled.div`
  flex: 1 1 40%;
  min-width: 0;
`;

const Name = styled.p`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
`;

const Detail = styled.p<{ $failed: boolean }>`
  font: ${theme.text.sm};
  font-variant-numeric: tabular-nums;
  color: ${({ $failed }) => ($failed ? theme.color.danger : theme.color.text2)};
`;

const Bar = styled.div`
  flex: 1 1 40%;
  min-width: 0;
`;
