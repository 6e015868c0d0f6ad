import { RotateCcw, X } from 'lucide-react';
import { styled } from 'styled-components';
import { describeSize } from '#entities/document/document-labels.ts';
import type { QueueEntry, SendQueue } from '#lib/sending/send-queue.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { dividedStyles, inlineStyles } from '#ui/mixins.ts';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { theme } from '#ui/theme.ts';

type Props = { upload: QueueEntry<unknown>; file: File; queue: Pick<SendQueue<never>, 'retry' | 'cancel'> };

export function UploadRow({ upload, file, queue }: Props) {
  const { id, progress, state } = upload;
  const isFailed = state === 'failed';
  return (
    <Row>
      <RowText>
        <Text as="p" $clamp={1} title={file.name} dir="auto">
          {file.name}
        </Text>
        <Caption $tabular $tone={isFailed ? 'danger' : 'text2'} role={isFailed ? 'alert' : undefined}>
          {describeState(upload, file)}
        </Caption>
      </RowText>
      {!isFailed && (
        <RowText>
          <ProgressBar value={Math.round(progress * 100)} label={`Upload of ${file.name}`} />
        </RowText>
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

function describeState({ state, stallReason, progress, error }: QueueEntry<unknown>, file: File): string {
  if (state === 'failed') return error ?? 'Failed to upload files';
  if (state === 'waiting') return `Waiting · ${describeSize(file.size)}`;
  if (stallReason) return `Waiting for the ${stallReason}. It will resume automatically.`;
  return progress < 1 ? describeSize(file.size) : 'Finishing…';
}

export const Row = styled.li`
  ${inlineStyles(2)}
  min-height: 60px;
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  ${dividedStyles}
`;

export const RowText = styled.div`
  flex: 1 1 40%;
  min-width: 0;
`;
