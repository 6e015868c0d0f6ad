import { X } from 'lucide-react';
import { styled } from 'styled-components';
import { describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { useObjectUrl } from '#lib/hooks/use-object-url.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Box, Text } from '#ui/layout/primitives.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { type AttachmentErrors, dropFile, recordImageSize, type SelectedFile } from '../files/attachment-drafts.ts';
import { isPreviewable } from '../files/attachment-image.tsx';
import { focusComposer } from '../sending/focus-composer.ts';

type Props = { conversationId: string; files: readonly SelectedFile[]; errors: AttachmentErrors };

export function SelectedFiles({ conversationId, files, errors }: Props) {
  return (
    <>
      <Chips aria-label="Attached files">
        {files.map((chosen) => (
          <Chip key={chosen.id} conversationId={conversationId} selected={chosen} error={errors.files.get(chosen.id)} />
        ))}
      </Chips>
      {errors.overall && <ErrorText role="alert">{errors.overall}</ErrorText>}
    </>
  );
}

type ChipProps = { conversationId: string; selected: SelectedFile; error: string | undefined };

function Chip({ conversationId, selected: { id, file }, error }: ChipProps) {
  return (
    <Card $isInvalid={error !== undefined}>
      {isPreviewable(file.type) ? (
        <Preview file={file} onSize={(size) => recordImageSize(conversationId, id, size)} />
      ) : (
        <FileIcon mimetype={file.type} />
      )}
      <Box $flex="fill" $size="sm">
        <Text as="p" $clamp={1} title={file.name} dir="auto">
          {file.name}
        </Text>
        <Text
          as="small"
          $size="xs"
          $tone={error === undefined ? 'text2' : 'danger'}
          $tabular
          $block
          role={error && 'alert'}
        >
          {error ?? describeSize(file.size)}
        </Text>
      </Box>
      <IconButton
        label={`Remove ${file.name}`}
        onPress={(press) => {
          focusComposer(press);
          dropFile(conversationId, id);
        }}
      >
        <X />
      </IconButton>
    </Card>
  );
}

type PreviewProps = { file: File; onSize: (size: { width: number; height: number }) => void };

function Preview({ file, onSize }: PreviewProps) {
  const url = useObjectUrl(file);
  return (
    <Thumb>
      {url && (
        <img
          src={url}
          alt=""
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            if (width > 0 && height > 0) onSize({ width, height });
          }}
        />
      )}
    </Thumb>
  );
}

const Chips = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  max-height: 188px;
  overflow-y: auto;
  padding: ${theme.space[1]} ${theme.space[2]} ${theme.space[2]} 0;
`;

const Card = styled.li<{ $isInvalid: boolean }>`
  ${inlineStyles(2)}
  width: 228px;
  max-width: 100%;
  padding: ${theme.space[1]};
  border: 1px solid ${({ $isInvalid }) => ($isInvalid ? theme.color.danger : theme.color.line)};
  border-radius: ${theme.radius.md};
`;

const Thumb = styled.span`
  flex: none;
  width: 40px;
  height: 40px;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  overflow: hidden;
  img {
    display: block;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
`;

const ErrorText = styled.p`
  padding-bottom: ${theme.space[2]};
  font: ${theme.text.sm};
  color: ${theme.color.danger};
`;
