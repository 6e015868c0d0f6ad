import type { Message } from '@atrium/proto-events/http/chat-messages';
import { ArrowLeft, Bell, BellOff, LocateFixed, X } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, ellipsis, inlineStyles } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { useFollow } from './use-follow.ts';

type Props = {
  root: Message | undefined;
  conversationName: string;
  onJump: (root: Message) => void;
  onClose: () => void;
};

export function ThreadHeader({ root, conversationName, onJump, onClose }: Props) {
  return (
    <Head>
      <Back>
        <IconButton label="Close thread" onPress={onClose}>
          <ArrowLeft />
        </IconButton>
      </Back>
      <Title>
        <h2>Thread</h2>
        <p dir="auto" title={conversationName}>
          {conversationName}
        </p>
      </Title>
      {root && (
        <>
          <Follow root={root} />
          <Tooltip text="Jump to message">
            <IconButton label="Jump to message" onPress={() => onJump(root)}>
              <LocateFixed />
            </IconButton>
          </Tooltip>
        </>
      )}
      <Close>
        <Tooltip text="Close">
          <IconButton label="Close thread" onPress={onClose}>
            <X />
          </IconButton>
        </Tooltip>
      </Close>
    </Head>
  );
}

function Follow({ root }: { root: Message }) {
  const { isFollowed, toggle, isBusy } = useFollow(root);
  // A deleted message without replies cannot be followed.
  if (!isFollowed && root.deleted && !root.thread) return null;
  return (
    <Button size="sm" variant="ghost" icon={isFollowed ? <BellOff /> : <Bell />} onPress={toggle} isBusy={isBusy}>
      {isFollowed ? 'Unfollow' : 'Follow'}
    </Button>
  );
}

const Head = styled.header`
  ${inlineStyles(1)}
  flex: none;
  height: 64px;
  padding: 0 ${theme.space[3]} 0 ${theme.space[4]};
  border-bottom: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  ${theme.media.small} {
    height: 60px;
    padding: 0 ${theme.space[2]};
  }
`;

const Title = styled.div`
  flex: 1;
  min-width: 0;
  h2,
  p {
    ${ellipsis}
  }
  p {
    ${captionStyles}
  }
`;

const Back = styled.div`
  display: none;
  ${theme.media.small} {
    display: block;
  }
`;

const Close = styled.div`
  ${theme.media.small} {
    display: none;
  }
`;
