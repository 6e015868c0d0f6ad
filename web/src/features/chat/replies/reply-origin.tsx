import { CornerDownRight } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { useThreadRoot } from '#entities/message/use-threads.ts';
import { bareButton, ellipsis, focusRing, iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { useRoot } from '../log/thread-roots.ts';
import { quote } from './thread-labels.ts';

type Props = { rootId: string; conversationId: string; onOpen: (root: string) => void };

/** What a reply shows in the conversation about the message it replies to. */
export function ReplyOrigin({ rootId, conversationId, onOpen }: Props) {
  const loadedRoot = useRoot(rootId, conversationId);
  const fetchedRoot = useThreadRoot(loadedRoot ? null : rootId);
  const root = loadedRoot ?? fetchedRoot;
  return (
    <Origin onPress={() => onOpen(rootId)}>
      <CornerDownRight aria-hidden="true" />
      <span>
        Replied to a thread{root && ': '}
        {root && <q dir="auto">{quote(root)}</q>}
      </span>
    </Origin>
  );
}

const Origin = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: inline-flex;
  align-items: center;
  gap: 6px;
  max-width: 100%;
  min-height: 22px;
  padding: 0;
  border-radius: ${theme.radius.sm};
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  ${iconSize(14)}
  > span {
    ${ellipsis}
  }
  q {
    quotes: none;
    color: ${theme.color.accent};
  }
  &[data-hovered] q {
    text-decoration: underline;
  }
  ${theme.media.small} {
    min-height: 32px;
  }
`;
