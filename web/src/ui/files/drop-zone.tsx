import { UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone as AriaDropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { styled } from 'styled-components';
import { bareButton, captionStyles, focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';
import { type FilesHandler, filesOfItems, individualFiles, passFiles, selectedFiles } from './collect-files.ts';

type Props = {
  onFiles: FilesHandler;
  children: ReactNode;
  hint?: ReactNode;
};

export function DropZone({ onFiles, children, hint }: Props) {
  return (
    <Zone
      // Labels the hidden button that receives pasted files.
      aria-label="Paste files"
      // By default, the first operation that the desktop allows is used, which may be a move.
      getDropOperation={(_types, allowed) => (allowed.includes('copy') ? 'copy' : 'cancel')}
      onDrop={({ items }) => void filesOfItems(items).then((collected) => passFiles(onFiles, collected))}
    >
      {({ isDropTarget }) => (
        <FileTrigger allowsMultiple onSelect={(files) => passFiles(onFiles, individualFiles(selectedFiles(files)))}>
          <Area>
            <UploadCloud aria-hidden="true" />
            <Text slot="label" elementType="strong">
              {isDropTarget ? 'Drop to upload' : children}
            </Text>
            {hint && <span>{hint}</span>}
          </Area>
        </FileTrigger>
      )}
    </Zone>
  );
}

const Zone = styled(AriaDropZone)`
  border: 1px dashed ${theme.color.lineStrong};
  border-radius: ${theme.radius.lg};
  transition: background ${theme.motion.fast}, border-color ${theme.motion.fast};
  ${focusRing}
  &[data-drop-target] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
  }
`;

const Area = styled(Button)`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[1]};
  width: 100%;
  padding: ${theme.space[6]} ${theme.space[4]};
  ${bareButton}
  border-radius: inherit;
  color: ${theme.color.text};
  font: ${theme.text.md};
  text-align: center;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  ${focusRing}
  strong {
    font-weight: 500;
  }
  span {
    ${captionStyles}
  }
  svg {
    width: 24px;
    height: 24px;
    margin-bottom: ${theme.space[1]};
    color: ${theme.color.text3};
    stroke-width: 1.5;
  }
`;
