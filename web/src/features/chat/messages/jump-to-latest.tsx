import { ArrowDown } from 'lucide-react';
import type { RefObject } from 'react';
import { styled } from 'styled-components';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { useFocusOnRemoval } from '#lib/hooks/use-focus-on-removal.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';

type Props = { unreadCount: number; log: RefObject<HTMLElement | null>; onPress: () => void };

export function JumpToLatest({ unreadCount, log, onPress }: Props) {
  const focusProps = useFocusOnRemoval(() => log.current);
  return (
    <Jump>
      <Button size="sm" icon={<ArrowDown />} onPress={onPress} {...focusProps}>
        <Inline as="span" $gap={2}>
          Jump to latest
          <UnreadBadge count={unreadCount} tone="accent" />
        </Inline>
      </Button>
    </Jump>
  );
}

const Jump = styled.div`
  position: absolute;
  inset-inline-start: 0;
  inset-inline-end: 0;
  bottom: ${theme.space[3]};
  display: grid;
  place-items: center;
  pointer-events: none;
  > button {
    pointer-events: auto;
    border-radius: ${theme.radius.full};
    box-shadow: ${theme.shadow.float};
  }
`;
