import { Hash, MessageCirclePlus, MessagesSquare } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import type { useConversations } from '#entities/conversation/use-conversations.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useConnectionStatus } from '#realtime/connection/status.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SCREEN_TITLE } from '#ui/pages/document-title.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { ThreadsLink } from '../threads/threads-link.tsx';
import { ConversationRow } from './conversation-row.tsx';

type Props = {
  list: ReturnType<typeof useConversations>;
  selected: string | null;
  isThreadsOpen: boolean;
  onNewChannel: () => void;
  onNewDirect: () => void;
};

export function ConversationList({ list, selected, isThreadsOpen, onNewChannel, onNewDirect }: Props) {
  return (
    <Side aria-label="Conversations">
      <Head>
        <div>
          <h1 id={SCREEN_TITLE}>Team Chat</h1>
          <Connection />
        </div>
        <Icons>
          <Tooltip text="New Channel">
            <IconButton label="New Channel" onPress={onNewChannel}>
              <Hash />
            </IconButton>
          </Tooltip>
          <Tooltip text="New Direct Message">
            <IconButton label="New Direct Message" onPress={onNewDirect}>
              <MessageCirclePlus />
            </IconButton>
          </Tooltip>
        </Icons>
      </Head>
      <Scroll>
        <ThreadsLink isOpen={isThreadsOpen} isFromList={selected === null && !isThreadsOpen} />
        <Rows list={list} selected={selected} isFromList={selected === null && !isThreadsOpen} />
      </Scroll>
      <SmallActions>
        <Button icon={<Hash />} onPress={onNewChannel}>
          New Channel
        </Button>
        <Button icon={<MessageCirclePlus />} onPress={onNewDirect}>
          New Direct Message
        </Button>
      </SmallActions>
    </Side>
  );
}

type RowsProps = Pick<Props, 'list' | 'selected'> & { isFromList: boolean };

function Rows({ list, selected, isFromList }: RowsProps) {
  const currentUserId = useCurrentUser()._id;
  const { rows, earlier } = useFocusOnMore(list);
  return (
    <AsyncContent
      query={{ ...list, data: list.conversations }}
      failure="Failed to load conversations"
      skeletons={<SkeletonRows count={7} />}
    >
      {(conversations) =>
        conversations.length === 0 ? (
          <EmptyState
            icon={<MessagesSquare />}
            title="No conversations yet"
            hint="Channels, project conversations, and direct messages will appear here."
          />
        ) : (
          <>
            <List ref={rows} onKeyDown={moveFocus}>
              {conversations.map((conversation) => (
                <ConversationRow
                  key={conversation._id}
                  conversation={conversation}
                  currentUserId={currentUserId}
                  isOpen={conversation._id === selected}
                  isFromList={isFromList}
                />
              ))}
            </List>
            {earlier.hasMore && (
              <More>
                <ShowMore more={earlier} />
              </More>
            )}
          </>
        )
      }
    </AsyncContent>
  );
}

/** The "More" button disappears with the last page, so focus moves to the first newly loaded conversation. */
function useFocusOnMore({ conversations, earlier }: Props['list']) {
  const rows = useRef<HTMLUListElement>(null);
  const count = conversations?.length ?? 0;
  const countBeforeLoad = useRef<number>(undefined);
  useEffect(() => {
    if (countBeforeLoad.current === undefined || count <= countBeforeLoad.current) return;
    rows.current?.querySelectorAll('a')[countBeforeLoad.current]?.focus({ preventScroll: true });
    countBeforeLoad.current = undefined;
  }, [count]);
  const load = () => {
    countBeforeLoad.current = count;
    earlier.load();
  };
  return { rows, earlier: { ...earlier, load } };
}

function Connection() {
  const status = useConnectionStatus();
  const isConnected = status === 'connected';
  return (
    <Inline as="p" $gap="6px" $size="sm" $tone="text2" role="status">
      <Dot aria-hidden="true" $isConnected={isConnected} />
      {isConnected ? 'Connected' : 'Disconnected'}
    </Inline>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.findIndex((link) => link.matches(':focus')) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const Side = styled.section`
  display: flex;
  flex-direction: column;
  min-width: 0;
  min-height: 0;
  border-inline-end: 1px solid ${theme.color.line};
  background: ${theme.color.surface};
  ${theme.media.small} {
    border-inline-end: 0;
  }
`;

const Head = styled.header`
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  padding: ${theme.space[5]} ${theme.space[3]} ${theme.space[3]} ${theme.space[5]};
  h1 {
    font: 600 ${theme.text.xl};
  }
  ${theme.media.small} {
    padding: ${theme.space[4]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  }
`;

const Icons = styled.div`
  display: flex;
  ${theme.media.small} {
    display: none;
  }
`;

const Dot = styled.span<{ $isConnected: boolean }>`
  width: 8px;
  height: 8px;
  border-radius: ${theme.radius.full};
  background: ${({ $isConnected }) => ($isConnected ? theme.color.success : theme.color.danger)};
`;

const Scroll = styled.div`
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
`;

const List = styled.ul`
  display: grid;
  gap: 2px;
  padding: 2px ${theme.space[2]} ${theme.space[4]};
`;

const More = styled.div`
  padding: 0 ${theme.space[4]} ${theme.space[4]};
`;

const SmallActions = styled.div`
  display: none;
  ${theme.media.small} {
    display: flex;
    flex-wrap: wrap;
    gap: ${theme.space[2]};
    padding: ${theme.space[2]} ${theme.space[4]} ${theme.space[3]};
    border-top: 1px solid ${theme.color.line};
    > * {
      flex: 1 1 auto;
      padding-inline: ${theme.space[2]};
    }
  }
`;
