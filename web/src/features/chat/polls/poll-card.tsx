import type { Poll, PollOption } from '@atrium/proto-events/http/chat/message-parts';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useKeepMounted } from '#lib/hooks/keep-mounted.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
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
  const card = useRef<HTMLDivElement>(null);
  const [isClosing, setClosing] = useState(false);
  useKeepMounted(message._id, isClosing);
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
          <Button size="sm" variant="ghost" onPress={() => setClosing(true)}>
            Close poll
          </Button>
        )}
      </Inline>
      {isClosing && (
        <ConfirmDialog
          title="Close this poll?"
          action="Close poll"
          failure="Failed to close the poll"
          isDangerous={false}
          onConfirm={() => endPoll(message)}
          onClose={() => setClosing(false)}
          focusAfter={card}
        >
          Nobody can vote or change their vote anymore. A closed poll cannot be reopened.
        </ConfirmDialog>
      )}
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
