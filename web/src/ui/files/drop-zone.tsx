import { UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { DropZone as AriaDropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { chosenFiles, filesAlone, filesOfItems, giveTo, type TakeFiles } from './collect-files.ts';

type Props = {
  onFiles: TakeFiles;
  children: ReactNode;
  hint?: ReactNode;
  isDisabled?: boolean;
};

/** Files by drag, paste, click or keyboard; several at once, and of a folder all that are in it. */
export function DropZone({ onFiles, children, hint, isDisabled = false }: Props) {
  return (
    <Zone
      // For the hidden button of the zone, by which files are pasted.
      aria-label="Paste files"
      isDisabled={isDisabled}
      // Else it is the first operation that the desktop allows, and that may be to move.
      getDropOperation={(_types, allowed) => (allowed.includes('copy') ? 'copy' : 'cancel')}
      onDrop={({ items }) => void filesOfItems(items).then((given) => giveTo(onFiles, given))}
    >
      {({ isDropTarget }) => (
        <FileTrigger allowsMultiple onSelect={(files) => giveTo(onFiles, filesAlone(chosenFiles(files)))}>
          <Area isDisabled={isDisabled}>
            <UploadCloud aria-hidden="true" />
            <Text slot="label" elementType="strong">
              {isDropTarget ? 'Let go to upload' : children}
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
  &[data-focus-visible] {
    box-shadow: ${theme.shadow.focus};
  }
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
  border: 0;
  border-radius: inherit;
  background: transparent;
  color: ${theme.color.text};
  font: ${theme.text.md};
  text-align: center;
  cursor: pointer;
  &[data-hovered] {
    background: ${theme.color.hover};
  }
  &[data-focus-visible] {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
  &[data-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  strong {
    font-weight: 500;
  }
  span {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
  svg {
    width: 24px;
    height: 24px;
    margin-bottom: ${theme.space[1]};
    color: ${theme.color.text3};
    stroke-width: 1.5;
  }
`;
