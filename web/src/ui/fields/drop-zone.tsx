import { UploadCloud } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

type Props = {
  onFiles: (files: File[]) => void;
  children: ReactNode;
  hint?: ReactNode;
  isDisabled?: boolean;
};

/** Files by drag, click or keyboard; several at once. */
export function DropZone({ onFiles, children, hint, isDisabled = false }: Props) {
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    onDrop: (files) => files.length > 0 && onFiles(files),
    disabled: isDisabled,
  });
  return (
    <Area {...getRootProps({ role: 'button' })} $active={isDragActive}>
      {/* Out of the tree of focus: the whole area is the control. */}
      <input {...getInputProps({ style: { display: 'none' } })} />
      <UploadCloud aria-hidden="true" />
      <strong>{isDragActive ? 'Let go to upload' : children}</strong>
      {hint && <span>{hint}</span>}
    </Area>
  );
}

const Area = styled.div<{ $active: boolean }>`
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: ${theme.space[1]};
  padding: ${theme.space[6]} ${theme.space[4]};
  border: 1px dashed ${({ $active }) => ($active ? theme.color.accent : theme.color.lineStrong)};
  border-radius: ${theme.radius.lg};
  background: ${({ $active }) => ($active ? theme.color.accentSoft : 'transparent')};
  text-align: center;
  cursor: pointer;
  transition: background ${theme.motion.fast}, border-color ${theme.motion.fast};
  &:hover {
    background: ${theme.color.hover};
  }
  &[aria-disabled='true'] {
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
