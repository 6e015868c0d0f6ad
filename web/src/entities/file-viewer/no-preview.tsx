import { Download } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { theme } from '#ui/theme.ts';
import { describeSize } from '../document/document-labels.ts';
import { FileIcon } from '../document/file-icon.tsx';
import type { ViewedFile } from './viewed-file.ts';
import { CenteredCanvas } from './viewer-canvas.ts';

type Props = {
  file: ViewedFile;
  /** Why there is no preview, if it is not the file type. */
  text?: string | undefined;
};

export function NoPreview({ file, text = 'No preview is available for this file' }: Props) {
  const { onDownload } = file;
  return (
    <CenteredCanvas>
      <Box>
        <FileIcon mimetype={file.mimetype} />
        <Name dir="auto">{file.name}</Name>
        <p>{describeSize(file.size)}</p>
        <p>{onDownload ? text : 'The file is no longer in storage'}</p>
        {onDownload && (
          <Button variant="primary" icon={<Download />} onPress={onDownload}>
            Download
          </Button>
        )}
      </Box>
    </CenteredCanvas>
  );
}

const Box = styled.div`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[2]};
  max-width: 100%;
  padding: ${theme.space[8]} ${theme.space[4]};
  text-align: center;
  color: ${theme.color.text2};
  > span:first-child {
    background: ${theme.color.surface};
  }
  button {
    margin-top: ${theme.space[3]};
  }
`;

const Name = styled.h3`
  color: ${theme.color.text};
  overflow-wrap: anywhere;
`;
