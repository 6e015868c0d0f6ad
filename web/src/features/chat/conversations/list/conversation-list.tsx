import { Bookmark, Compass, Hash, MessageCirclePlus, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import type { useConversations } from '#entities/conversation/use-conversations.ts';
import { COMMAND_KEY } from '#lib/command-key.ts';
import { useConnectionStatus } from '#realtime/connection/status.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { SCREEN_TITLE } from '#ui/pages/document-title.ts';
import { theme } from '#ui/theme.ts';
import { ConversationFilter } from './conversation-filter.tsx';
import { ConversationRows } from './conversation-rows.tsx';
import { isFiltered, NO_FILTER } from './conversation-sections.ts';
import { LaterLinks } from './later-links.tsx';
import { ThreadsLink } from './threads-link.tsx';
import { useNeighborKeys } from './use-neighbor-keys.ts';
import type { LaterView } from './use-selection.ts';

type Props = {
  list: ReturnType<typeof useConversations>;
  selected: string | null;
  isThreadsOpen: boolean;
  laterView: LaterView | null;
  onNewChannel: () => void;
  onNewDirect: () => void;
  onBrowse: () => void;
  onSaved: () => void;
  onSearch: () => void;
};

export function ConversationList(props: Props) {
  const { list, selected, isThreadsOpen, laterView, onNewChannel, onNewDirect, onBrowse, onSaved, onSearch } = props;
  const [filter, setFilter] = useState(NO_FILTER);
  const rows = useRef<HTMLDivElement>(null);
  useNeighborKeys(rows);
  const isFromList = selected === null && !isThreadsOpen && laterView === null;
  return (
    <Side aria-label="Conversations">
      <Head>
        <div>
          <h1 id={SCREEN_TITLE}>Team Chat</h1>
          <Connection />
        </div>
        <Inline>
          <Tooltip text={`Search messages (${COMMAND_KEY}+Shift+F)`}>
            <IconButton label="Search messages" onPress={onSearch}>
              <Search />
            </IconButton>
          </Tooltip>
          <Tooltip text="Saved messages">
            <IconButton label="Saved messages" onPress={onSaved}>
              <Bookmark />
            </IconButton>
          </Tooltip>
          <Tooltip text="Browse channels">
            <IconButton label="Browse channels" onPress={onBrowse}>
              <Compass />
            </IconButton>
          </Tooltip>
          <WideActions>
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
          </WideActions>
        </Inline>
      </Head>
      <ConversationFilter filter={filter} onChange={setFilter} rows={rows} />
      <Scroll>
        {!isFiltered(filter) && (
          <>
            <ThreadsLink isOpen={isThreadsOpen} isFromList={isFromList} />
            <LaterLinks open={laterView} isFromList={isFromList} />
          </>
        )}
        <ConversationRows
          ref={rows}
          list={list}
          filter={filter}
          selected={selected}
          isFromList={isFromList}
          onBrowse={onBrowse}
        />
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

const STATUS_LABELS = { connecting: 'Connecting', connected: 'Connected', disconnected: 'Disconnected' };
const STATUS_COLORS = {
  connecting: theme.color.text3,
  connected: theme.color.success,
  disconnected: theme.color.danger,
};

function Connection() {
  const status = useConnectionStatus();
  return (
    <Inline as="p" $gap="6px" $size="sm" $tone="text2" role="status">
      <Dot aria-hidden="true" $status={status} />
      {STATUS_LABELS[status]}
    </Inline>
  );
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

const WideActions = styled.div`
  display: flex;
  ${theme.media.small} {
    display: none;
  }
`;

const Dot = styled.span<{ $status: keyof typeof STATUS_COLORS }>`
  width: 8px;
  height: 8px;
  border-radius: ${theme.radius.full};
  background: ${({ $status }) => STATUS_COLORS[$status]};
`;

const Scroll = styled.div`
  flex: 1;
  min-height: 0;
  overflow-y: auto;
  overscroll-behavior: contain;
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
