import { Pencil, RotateCcw, Trash2, X } from 'lucide-react';
import type { PressEvent } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { FileRow } from '#entities/document/file-row.tsx';
import { useObjectUrl } from '#lib/hooks/use-object-url.ts';
import type { QueueEntry } from '#lib/sending/send-queue.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Box, Caption } from '#ui/layout/primitives.ts';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { theme } from '#ui/theme.ts';
import type { SelectedFile } from '../files/attachment-drafts.ts';
import { ImageGrid } from '../files/image-grid.tsx';
import { FileRows, Files } from '../files/message-files.tsx';
import { focusComposer } from './focus-composer.ts';
import { moveToComposer, removeOutgoing, retry, useQueueEntry } from './outgoing-messages.ts';
import type { Outgoing } from './sent-messages.ts';

export function OutgoingStatus({ clientMessageId }: { clientMessageId: string }) {
  const entry = useQueueEntry(clientMessageId);
  if (!entry) return null;
  const { files } = entry.item;
  const isFailed = entry.state === 'failed';
  return (
    <>
      {files.length > 0 && (
        <Dimmable $isDimmed={!isFailed}>
          <OutgoingFiles files={files} />
        </Dimmable>
      )}
      {isFailed && <Failed entry={entry} />}
      {!isFailed && (files.length > 0 || entry.stallReason) && <SendProgress entry={entry} />}
    </>
  );
}

function OutgoingFiles({ files }: Pick<Outgoing, 'files'>) {
  const images = files.flatMap(toImage);
  const otherFiles = files.filter((file) => toImage(file).length === 0);
  return (
    <Files>
      <ImageGrid images={images}>{({ file }) => <LocalImage file={file} />}</ImageGrid>
      {otherFiles.length > 0 && (
        <FileRows aria-label="Files">
          {otherFiles.map(({ id, file }) => (
            <li key={id}>
              <FileRow icon={<FileIcon mimetype={file.type} />} title={file.name} details={[describeSize(file.size)]}>
                {null}
              </FileRow>
            </li>
          ))}
        </FileRows>
      )}
    </Files>
  );
}

function toImage({ id, file, width, height }: SelectedFile) {
  return width === undefined || height === undefined ? [] : [{ _id: id, file, width, height }];
}

function LocalImage({ file }: { file: File }) {
  return <Picture src={useObjectUrl(file)} alt={file.name} />;
}

/** The pressed button is removed with its message. */
function leave(press: PressEvent, act: () => void): void {
  focusComposer(press);
  act();
}

function SendProgress({ entry }: { entry: QueueEntry<Outgoing> }) {
  const { files } = entry.item;
  const label = files.length === 1 ? 'Sending 1 file' : `Sending ${files.length} files`;
  return (
    <Line>
      <Box $flex="fill">
        {files.length > 0 && <ProgressBar value={Math.round(entry.progress * 100)} label={label} />}
        {entry.stallReason && <Caption role="status">Waiting for the server. It will resume automatically.</Caption>}
      </Box>
      <IconButton label="Cancel sending" onPress={(press) => leave(press, () => moveToComposer(entry))}>
        <X />
      </IconButton>
    </Line>
  );
}

function Failed({ entry }: { entry: QueueEntry<Outgoing> }) {
  const { content, files } = entry.item;
  const isEmpty = content === '' && files.length === 0;
  return (
    <>
      <Caption $tone="danger" $breaks>
        Not sent. {entry.error}
      </Caption>
      <Line>
        {!isEmpty && (
          <>
            <Button size="sm" icon={<RotateCcw />} onPress={() => retry(entry)}>
              Retry
            </Button>
            <Button
              size="sm"
              variant="ghost"
              icon={<Pencil />}
              onPress={(press) => leave(press, () => moveToComposer(entry))}
            >
              Edit
            </Button>
          </>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={<Trash2 />}
          onPress={(press) => leave(press, () => removeOutgoing(entry))}
        >
          Remove
        </Button>
      </Line>
    </>
  );
}

const Dimmable = styled.div<{ $isDimmed: boolean }>`
  opacity: ${({ $isDimmed }) => ($isDimmed ? 0.6 : 1)};
`;

const Picture = styled.img`
  display: block;
  width: 100%;
  height: 100%;
  object-fit: cover;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
`;

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  max-width: 480px;
`;
