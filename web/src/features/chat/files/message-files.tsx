import type { Attachment } from '@atrium/proto-events/http/chat/attachments';
import { Suspense } from 'react';
import { styled } from 'styled-components';
import { isSound } from '#entities/message/voice-note.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { theme } from '#ui/theme.ts';
import { AttachmentImage, isImageAttachment } from './attachment-image.tsx';
import { AttachmentRow } from './attachment-row.tsx';
import { ImageGrid } from './image-grid.tsx';

const SoundPlayer = lazyNamed(() => import('./sound-player.tsx'), 'SoundPlayer');

type Props = {
  files: readonly Attachment[];
  onOpen: (file: string) => void;
};

export function MessageFiles({ files, onOpen }: Props) {
  if (files.length === 0) return null;
  const otherFiles = files.filter((file) => !isImageAttachment(file));
  return (
    <Files>
      <ImageGrid images={files.filter(isImageAttachment)}>
        {(image) => <AttachmentImage image={image} onOpen={() => onOpen(image._id)} />}
      </ImageGrid>
      {otherFiles.length > 0 && (
        <FileRows aria-label="Files">
          {otherFiles.map((file) => (
            <li key={file._id}>
              {isSound(file) && !file.fileLost ? (
                <Suspense fallback={<PlayerPlaceholder />}>
                  <SoundPlayer file={file} />
                </Suspense>
              ) : (
                <AttachmentRow file={file} onOpen={() => onOpen(file._id)} />
              )}
            </li>
          ))}
        </FileRows>
      )}
    </Files>
  );
}

/** As high as the player. */
const PlayerPlaceholder = styled.div`
  height: 56px;
`;

export const Files = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[1]};
  padding: ${theme.space[1]} 0;
`;

export const FileRows = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${theme.space[1]};
  max-width: 480px;
  > li {
    padding: ${theme.space[2]};
    border: 1px solid ${theme.color.line};
    border-radius: ${theme.radius.md};
    background: ${theme.color.surface};
  }
`;
