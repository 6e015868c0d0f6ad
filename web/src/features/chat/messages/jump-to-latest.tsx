import { ArrowDown } from 'lucide-react';
import { styled } from 'styled-components';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';

export function JumpToLatest({ unreadCount, onPress }: { unreadCount: number; onPress: () => void }) {
  return (
    <Jump>
      <Button size="sm" icon={<ArrowDown />} onPress={onPress}>
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
