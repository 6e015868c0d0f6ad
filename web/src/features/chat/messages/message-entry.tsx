import type { UserSummary } from '@atrium/proto-events/people';
import type { KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, type NamedUser } from '#entities/user/user-labels.ts';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { clockTime, fullTime } from '#ui/times/time-format.ts';
import { SEQ_ATTRIBUTE } from '../read-receipts/use-read-position.ts';
import { marginTime } from './message-times.ts';

const AVATAR_PX = 36;

type Props = {
  sender: UserSummary | { _id: string; firstName: string; lastName: string };
  time: string;
  isFollowUp: boolean;
  isHighlighted?: boolean;
  seq?: number | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined;
  onAltClick?: () => void;
  /** Whether the pointer or focus has come to it: what they show is not mounted before. */
  isReached: boolean;
  onReach?: () => void;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
};

/** Names a message for screen readers. */
export const senderAndTime = (sender: NamedUser, time: string): string => `${displayName(sender)}, ${clockTime(time)}`;

export function MessageEntry(props: Props) {
  const { sender, time, isFollowUp, isHighlighted = false, seq, onKeyDown, onAltClick, isReached, onReach } = props;
  const { children, ref } = props;
  const title = isReached ? fullTime(time) : undefined;
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
      {!isFollowUp && <Avatar user={sender} size={AVATAR_PX} />}
      {isFollowUp && isReached && (
        <Clock dateTime={time} title={title} aria-hidden="true">
          {marginTime(time)}
        </Clock>
      )}
      <div>
        {!isFollowUp && (
          <Head>
            <strong dir="auto">{displayName(sender)}</strong>
            <time dateTime={time} title={title}>
              {clockTime(time)}
            </time>
          </Head>
        )}
        {children}
      </div>
    </Root>
  );
}

const Clock = styled.time`
  width: ${AVATAR_PX}px;
  font: 11px / 22px var(--font);
  text-align: center;
  white-space: nowrap;
  color: ${theme.color.text3};
  font-variant-numeric: tabular-nums;
  opacity: 0;
`;

const Root = styled.article<{ $isFollowUp: boolean; $isHighlighted: boolean }>`
  position: relative;
  margin: 0 calc(-1 * ${theme.space[2]});
  padding: ${({ $isFollowUp }) => ($isFollowUp ? '1px' : `${theme.space[3]}`)} ${theme.space[2]} 1px;
  padding-inline-start: calc(${theme.space[2]} + ${AVATAR_PX}px + ${theme.space[3]});
  border-radius: ${theme.radius.md};
  background: ${({ $isHighlighted }) => ($isHighlighted ? theme.color.accentSoft : 'transparent')};
  transition: background ${theme.motion.fast};
  outline: none;
  break-inside: avoid;
  /* The avatar or the time. A block is laid out faster than a grid. */
  > :not(div) {
    position: absolute;
    inset-inline-start: ${theme.space[2]};
  }
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
