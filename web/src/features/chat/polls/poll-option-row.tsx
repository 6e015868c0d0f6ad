import type { Poll, PollOption } from '@atrium/proto-events/http/chat/message-parts';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { CheckboxIndicator } from '#ui/fields/checkbox-indicator.tsx';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { resultLabel, shareOf } from './poll-labels.ts';
import { Voters } from './voters.tsx';

/** Without `onPress`, the option is only shown. */
type Props = { option: PollOption; poll: Poll; onPress: (() => void) | undefined };

export function PollOptionRow({ option, poll, onPress }: Props) {
  const { text, count, mine = false } = option;
  const share = shareOf(option, poll);
  return (
    <Row>
      <Vote aria-pressed={mine} aria-disabled={!onPress} {...(onPress && { onPress })}>
        <VisuallyHidden>{`${text}: ${resultLabel(option, poll)}`}</VisuallyHidden>
        <CheckboxIndicator isChecked={mine} isRound={!poll.multiple} />
        <OptionText dir="auto" aria-hidden="true">
          {text}
        </OptionText>
        <Figure aria-hidden="true">
          {count} · {share}%
        </Figure>
        <Track>
          <Fill style={{ width: `${share}%` }} />
        </Track>
      </Vote>
      {option.users.length > 0 && <Voters option={option} />}
    </Row>
  );
}

const Row = styled.li`
  display: grid;
  grid-column: 1 / -1;
  grid-template-columns: subgrid;
  align-items: center;
`;

const Vote = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  align-items: center;
  gap: 4px ${theme.space[2]};
  min-height: 44px;
  padding: 6px ${theme.space[2]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text};
  text-align: start;
  &[data-hovered]:not([aria-disabled='true']) {
    background: ${theme.color.hover};
  }
  &[aria-disabled='true'] {
    cursor: default;
  }
`;

const OptionText = styled.span`
  font: ${theme.text.sm};
  overflow-wrap: anywhere;
  [aria-pressed='true'] > & {
    font-weight: 600;
  }
`;

const Figure = styled.span`
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  color: ${theme.color.text2};
`;

const Track = styled.span`
  grid-column: 2 / -1;
  height: 6px;
  overflow: hidden;
  border-radius: ${theme.radius.full};
  background: ${theme.color.line};
`;

const Fill = styled.span`
  display: block;
  height: 100%;
  border-radius: ${theme.radius.full};
  background: ${theme.color.text3};
  transition: width ${theme.motion.fast};
  [aria-pressed='true'] & {
    background: ${theme.color.accent};
  }
`;
