import type { UserSummary } from '@atrium/proto-events/people';
import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, type NamedUser } from '#entities/user/user-labels.ts';
import { Box } from '#ui/layout/primitives.ts';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime, fullTime } from '#ui/times/time-format.ts';
import { SEQ_ATTRIBUTE } from '../read-receipts/use-read-position.ts';
import { marginTime } from './message-times.ts';

type Props = {
  sender: UserSummary | { _id: string; firstName: string; lastName: string };
  time: string;
  isFollowUp: boolean;
  isHighlighted?: boolean;
  seq?: number | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  onAltClick?: () => void;
  /** The pointer or focus has come to it. */
  onReach?: () => void;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
};

/** Names a message for screen readers. */
export const senderAndTime = (sender: NamedUser, time: string): string => `${displayName(sender)}, ${clockTime(time)}`;

export function MessageEntry(props: Props) {
  const { sender, time, isFollowUp, isHighlighted = false, seq, onKeyDown, onAltClick, onReach, children, ref } = props;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const isControl = event.target instanceof Element && event.target.closest('a, button, input, textarea') !== null;
    if (!event.altKey || isControl || event.defaultPrevented) return;
    event.preventDefault();
    onAltClick?.();
  };
  return (
    <Root
      ref={ref}
      // Touching focuses it, which shows its actions.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={onClick}
      // Scrolling moves messages below a pointer that rests, without this event.
      onPointerMove={onReach}
      onFocus={onReach}
      $isFollowUp={isFollowUp}
      $isHighlighted={isHighlighted}
      aria-current={isHighlighted || undefined}
      // Follow-ups show neither.
      aria-label={senderAndTime(sender, time)}
      {...{ [SEQ_ATTRIBUTE]: seq }}
    >
      {isFollowUp ? (
        <Clock dateTime={time} title={fullTime(time)} aria-hidden="true">
          {marginTime(time)}
        </Clock>
      ) : (
        <Avatar user={sender} size={36} />
      )}
      <Box $flex="shrink">
        {!isFollowUp && (
          <Head>
            <strong dir="auto">{displayName(sender)}</strong>
            <time dateTime={time} title={fullTime(time)}>
              {clockTime(time)}
            </time>
          </Head>
        )}
        {children}
      </Box>
    </Root>
  );
}

const Clock = styled.time`
  justify-self: center;
  font: 11px / 22px var(--font);
  white-space: nowrap;
  color: ${theme.color.text3};
  font-variant-numeric: tabular-nums;
  opacity: 0;
`;

const Root = styled.article<{ $isFollowUp: boolean; $isHighlighted: boolean }>`
  position: relative;
  display: grid;
  grid-template-columns: 36px minmax(0, 1fr);
  gap: ${theme.space[3]};
  margin: 0 calc(-1 * ${theme.space[2]});
  padding: ${({ $isFollowUp }) => ($isFollowUp ? '1px' : `${theme.space[3]}`)} ${theme.space[2]} 1px;
  border-radius: ${theme.radius.md};
  background: ${({ $isHighlighted }) => ($isHighlighted ? theme.color.accentSoft : 'transparent')};
  transition: background ${theme.motion.fast};
  outline: none;
  break-inside: avoid;
  &:hover,
  &:focus-within {
    background: ${({ $isHighlighted }) => ($isHighlighted ? theme.color.accentSoft : theme.color.hover)};
  }
  &:hover ${Clock} {
    opacity: 1;
  }
`;

const Head = styled.header`
  display: flex;
  align-items: baseline;
  gap: 6px;
  strong {
    ${ellipsis}
    font-weight: 600;
  }
  time {
    flex: none;
    font: ${theme.text.xs};
    color: ${theme.color.text3};
    font-variant-numeric: tabular-nums;
  }
`;
