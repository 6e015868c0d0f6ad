import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useListedConversation } from '#entities/conversation/use-known-conversations.ts';
import { useCloseOnNavigation } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { ChatDialogs, type DialogName } from './chat-dialogs.tsx';
import { ConversationList } from './conversations/list/conversation-list.tsx';
import { useSelection } from './conversations/list/use-selection.ts';
import { useAddressedUser } from './conversations/use-addressed-user.ts';
import { conversationOfThread } from './log/thread-roots.ts';
import { MainPane, useViews } from './main-pane.tsx';
import { useFocusAfterThread } from './replies/focus-thread-opener.ts';
import { useSearchNavigation } from './search/use-search-navigation.ts';
import { useThreadNavigation } from './threads/use-thread-navigation.ts';
import { useChatEvents } from './use-chat-events.ts';

const SearchPanel = lazyNamed(() => import('./search/search-panel.tsx'), 'SearchPanel');
const ThreadPanel = lazyNamed(() => import('./threads/thread-panel.tsx'), 'ThreadPanel');
const DraftSync = lazyNamed(() => import('./sending/draft-sync.tsx'), 'DraftSync');

export function ChatScreen() {
  const list = useConversations();
  const { selected, select, leave, clear } = useSelection(
    list.conversations?.find(({ preferences }) => !preferences.hidden)?._id,
  );
  const { isOpening } = useAddressedUser();
  const thread = useThreadNavigation();
  const { openRoot } = thread;
  useFocusAfterThread(openRoot);
  const search = useSearchNavigation();
  const isSideOpen = openRoot !== null || search.query !== null;
  const views = useViews(selected);
  const { conversation: open, error } = useListedConversation(selected, list.conversations);
  const [openDialog, setOpenDialog] = useState<DialogName>('none');
  const close = () => setOpenDialog('none');
  useCloseOnNavigation(close);
  const onGone = (id: string) => {
    if (id === selected) close();
    if (openRoot !== null && (id === selected || id === conversationOfThread(openRoot))) thread.drop();
  };
  const onEnded = (id: string) => {
    close();
    if (id === selected) clear();
  };
  useChatEvents({
    open: open?._id ?? null,
    openThread: openRoot,
    nameOf: useNames(list.conversations),
    onGone,
  });
  const enter = ({ _id }: Pick<Conversation, '_id'>) => {
    close();
    select(_id);
  };
  const show = (message: Message) => {
    close();
    thread.show(message);
  };
  return (
    <Frame>
      <Panes
        $isRoomOpen={
          selected !== null || isOpening || views.threadFilter !== null || views.laterView !== null || isSideOpen
        }
        $isThreadOpen={isSideOpen}
      >
        <ConversationList
          list={list}
          selected={selected}
          isThreadsOpen={views.threadFilter !== null}
          laterView={views.laterView}
          onNewChannel={() => setOpenDialog('channel')}
          onNewDirect={() => setOpenDialog('direct')}
          onBrowse={() => setOpenDialog('browse')}
          onSaved={() => setOpenDialog('saved')}
          onSearch={() => search.open()}
        />
        <Pane>
          <MainPane
            list={list}
            open={open}
            selected={selected}
            error={error}
            isOpening={isOpening}
            views={views}
            thread={thread}
            onSearch={search.open}
            onDialog={setOpenDialog}
            onShow={show}
            onBack={leave}
          />
        </Pane>
        <SidePane thread={thread} search={search} conversations={list.conversations} open={open?._id ?? null} />
      </Panes>
      <Suspense fallback={null}>
        <DraftSync />
      </Suspense>
      <ChatDialogs
        openDialog={openDialog}
        conversation={open}
        conversations={list.conversations}
        onClose={close}
        onEnter={enter}
        onShow={show}
        onEnded={onEnded}
      />
    </Frame>
  );
}

function useNames(conversations: readonly Conversation[] | undefined): (id: string) => string {
  const currentUserId = useCurrentUser()._id;
  return (id) => {
    const conversation = conversations?.find(({ _id }) => _id === id);
    return conversation ? conversationName(conversation, currentUserId) : '';
  };
}

type SidePaneProps = {
  thread: ReturnType<typeof useThreadNavigation>;
  search: ReturnType<typeof useSearchNavigation>;
  conversations: readonly Conversation[] | undefined;
  /** The conversation next to it. */
  open: string | null;
};

/** Shows a thread or, if none is open, the search. */
function SidePane({ thread, search, conversations, open }: SidePaneProps) {
  const { openRoot } = thread;
  if (openRoot === null && search.query === null) return null;
  return (
    <Side>
      <Suspense fallback={<SkeletonRows count={3} />}>
        {openRoot !== null && (
          <ThreadPanel
            key={openRoot}
            rootId={openRoot}
            conversations={conversations}
            openConversation={open}
            onJump={thread.jumpTo}
            onClose={thread.close}
          />
        )}
        {openRoot === null && search.query !== null && (
          <SearchPanel
            query={search.query.trim()}
            conversations={conversations}
            onSearch={search.search}
            onOpen={search.jumpTo}
            onClose={search.close}
          />
        )}
      </Suspense>
    </Side>
  );
}

const Frame = styled.div`
  position: relative;
  flex: 1;
  min-height: 320px;
  @media print {
    position: static;
  }
`;

/** Leaves space to the conversation on small screens; `minmax` would take it first. */
const SIDE_WIDTH = 'clamp(360px, 26vw, 420px)';

/** Below this width, a thread covers the conversation. */
const NARROW = '@media (max-width: 1279px)';

const Panes = styled.div<{ $isRoomOpen: boolean; $isThreadOpen: boolean }>`
  position: absolute;
  inset: 0;
  display: grid;
  grid-template-columns: minmax(260px, 320px) minmax(0, 1fr) ${({ $isThreadOpen }) => ($isThreadOpen ? SIDE_WIDTH : '')};
  @media print {
    position: static;
    display: block;
    > :not(:last-child) {
      display: none;
    }
  }
  ${NARROW} {
    grid-template-columns: minmax(260px, 320px) minmax(0, 1fr);
    > :nth-child(2) {
      visibility: ${({ $isThreadOpen }) => ($isThreadOpen ? 'hidden' : 'visible')};
    }
    > :nth-child(n + 2) {
      grid-area: 1 / 2;
    }
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    > :first-child {
      display: ${({ $isRoomOpen }) => ($isRoomOpen ? 'none' : 'flex')};
    }
    > :nth-child(n + 2) {
      display: ${({ $isRoomOpen }) => ($isRoomOpen ? 'flex' : 'none')};
      grid-area: 1 / 1;
    }
  }
`;

const Pane = styled.div`
  display: flex;
  flex-direction: column;
  min-width: 0;
  min-height: 0;
  @media print {
    display: block;
  }
`;

const Side = styled(Pane)`
  background: ${theme.color.ground};
`;
