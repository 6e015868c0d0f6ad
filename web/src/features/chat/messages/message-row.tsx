import type { Message } from '@atrium/proto-events/http/chat/messages';
import { memo } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#lib/hooks/use-now.ts';
import { inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { shortDate } from '#ui/times/time-format.ts';
import type { ReactionPicker } from '../reactions/use-reaction-picker.ts';
import { countReplies } from '../replies/thread-labels.ts';
import { MessageItem, PendingItem } from './message-item.tsx';
import type { MessageRow } from './message-rows.ts';
import { dayLabel } from './message-times.ts';

const NEW = 'New messages';

type RowProps = {
  row: MessageRow;
  logId: string;
  picker: ReactionPicker;
  isHighlighted: boolean;
  canDelete: boolean;
  isReadOnly: boolean;
  onDelete: (message: Message, element: HTMLElement | null) => void;
  onOpenFile: (file: string) => void;
  onOpenThread: ((root: string) => void) | undefined;
};

export const Row = memo(function Row({ row, ...item }: RowProps) {
  switch (row.kind) {
    case 'day':
      return (
        <Separator $isNew={row.isNew}>
          <span>
            <Day time={row.time} />
            {row.isNew && ` · ${NEW}`}
          </span>
        </Separator>
      );
    case 'new':
      return <Separator $isNew>{NEW}</Separator>;
    case 'replies':
      return <Separator>{countReplies(row.count)}</Separator>;
    case 'root':
    case 'message':
      return <MessageItem {...item} message={row.message} isFollowUp={row.kind === 'message' && row.isFollowUp} />;
    case 'pending':
      return <PendingItem pending={row.pending} isFollowUp={row.isFollowUp} />;
  }
});

function Day({ time }: { time: string }) {
  return (
    <time dateTime={time}>
      <PrintedText text={dayLabel(time, new Date(useNow()))} printed={shortDate(time)} />
    </time>
  );
}

const Separator = styled.div<{ $isNew?: boolean }>`
  ${inlineStyles(3)}
  padding: ${theme.space[5]} 0 ${theme.space[1]};
  font: 500 ${theme.text.xs};
  color: ${({ $isNew }) => ($isNew ? theme.color.danger : theme.color.text3)};
  &::before,
  &::after {
    content: '';
    flex: 1;
    height: 1px;
    background: ${({ $isNew }) => ($isNew ? theme.color.danger : theme.color.line)};
    opacity: ${({ $isNew }) => ($isNew ? 0.4 : 1)};
  }
`;
