import type { Poll, PollOption } from '@atrium/proto-events/http/chat/message-parts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { pollSummary } from './poll-labels.ts';
import { PollOptionRow } from './poll-option-row.tsx';
import { useVotes } from './use-votes.ts';
import { endPoll } from './vote.ts';

type Props = {
  message: Message;
  poll: Poll;
  isReadOnly: boolean;
  /** Whether the user can close the poll. */
  canClose: boolean;
};

export function PollCard({ message, poll: storedPoll, isReadOnly, canClose }: Props) {
  const { poll, toggle } = useVotes(message, storedPoll);
  const close = useAction(() => endPoll(message), 'Failed to close the poll');
  const card = useRef<HTMLDivElement>(null);
  const onClose = () => {
    // The focused button disappears with the open poll.
    card.current?.focus();
    void close.run();
  };
  const isOpen = poll.closedAt === null && !isReadOnly;
  return (
    <Card ref={card} tabIndex={-1} role="group" aria-label={`Poll: ${poll.question}`}>
      <Question dir="auto">{poll.question}</Question>
      <Options>
        {poll.options.map((option: PollOption) => (
          <PollOptionRow
            key={option.id}
            option={option}
            poll={poll}
            onPress={isOpen ? () => toggle(option.id) : undefined}
          />
        ))}
      </Options>
      <Inline $gap={3} $justify="space-between" $wraps>
        <Summary>{pollSummary(poll)}</Summary>
        {isOpen && canClose && (
          <Button size="sm" variant="ghost" onPress={onClose} isBusy={close.isBusy}>
            Close poll
          </Button>
        )}
      </Inline>
    </Card>
  );
}

const Card = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  max-width: 480px;
  margin: ${theme.space[1]} 0;
  padding: ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  outline: none;
`;

const Question = styled.p`
  font: 600 ${theme.text.md};
  overflow-wrap: anywhere;
`;

/** Bars are as wide in all rows, with or without voters next to them. */
const Options = styled.ul`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: ${theme.space[1]};
  margin: 0;
  padding: 0;
  list-style: none;
`;

const Summary = styled.span`
  ${captionStyles}
`;
