import type { Message } from '@atrium/proto-events/http/chat/messages';
import { ArrowLeft, Bell, BellOff, LocateFixed, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { THREAD_FOLLOWING } from '#entities/message/message-path.ts';
import { focusWhenUncovered } from '#lib/focus-when-uncovered.ts';
import { useFragment } from '#lib/hooks/use-fragment.ts';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile, MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { PaneHeader, PaneTitle } from '../pane-header.ts';
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
      <MobileOnly>
        <IconButton label="Close thread" onPress={onClose}>
          <ArrowLeft />
        </IconButton>
      </MobileOnly>
      <PaneTitle>
        <h2>Thread</h2>
        <p dir="auto" title={conversationName}>
          {conversationName}
        </p>
      </PaneTitle>
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
      <HiddenOnMobile>
        <Tooltip text="Close">
          <IconButton label="Close thread" onPress={onClose}>
            <X />
          </IconButton>
        </Tooltip>
      </HiddenOnMobile>
    </Head>
  );
}

function Follow({ root }: { root: Message }) {
  const { isFollowed, toggle, isBusy } = useFollow(root);
  const frame = useRef<HTMLSpanElement>(null);
  const visit = useFragment(THREAD_FOLLOWING);
  useEffect(() => {
    if (visit === undefined) return undefined;
    return focusWhenUncovered(
      () => frame.current?.querySelector('button') ?? null,
      (button) => button.focus(),
    );
  }, [visit]);
  // A deleted message without replies cannot be followed.
  if (!isFollowed && root.deleted && !root.thread) return null;
  return (
    <span ref={frame}>
      <Button size="sm" variant="ghost" icon={isFollowed ? <BellOff /> : <Bell />} onPress={toggle} isBusy={isBusy}>
        {isFollowed ? 'Unfollow' : 'Follow'}
      </Button>
    </span>
  );
}

const Head = styled(PaneHeader)`
  padding: 0 ${theme.space[3]} 0 ${theme.space[4]};
  ${theme.media.small} {
    padding: 0 ${theme.space[2]};
  }
`;
