import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { type ComponentProps, Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversations, useListedConversation } from '#entities/conversation/use-conversations.ts';
import { useCloseOnNavigation } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { ChatDialogs, type DialogName } from './chat-dialogs.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { useAddressedUser } from './conversations/use-addressed-user.ts';
import { useLaterView, useSelection } from './conversations/use-selection.ts';
import { conversationOfThread } from './log/thread-roots.ts';
import { ConversationUnavailable, Welcome } from './no-conversation.tsx';
import { useFocusAfterThread } from './replies/focus-thread-opener.ts';
import { useSearchNavigation } from './search/use-search-navigation.ts';
import { useThreadFilter, useThreadNavigation } from './threads/use-thread-navigation.ts';
import { useChatEvents } from './use-chat-events.ts';

const SearchPanel = lazyNamed(() => import('./search/search-panel.tsx'), 'SearchPanel');
const ThreadPanel = lazyNamed(() => import('./threads/thread-panel.tsx'), 'ThreadPanel');
const LaterViews = lazyNamed(() => import('./later/later-views.tsx'), 'LaterViews');
const DraftSync = lazyNamed(() => import('./sending/draft-sync.tsx'), 'DraftSync');
const ThreadsView = lazyNamed(() => import('./threads/threads-view.tsx'), 'ThreadsView');

export function ChatScreen() {
  const currentUserId = useCurrentUser()._id;
  const list = useConversations();
  const { selected, select, leave, clear } = useSelection(
    list.conversations?.find(({ preferences }) => !preferences.hidden)?._id,
  );
  const { isOpening } = useAddressedUser();
  const thread = useThreadNavigation();
  const { openRoot } = thread;
  useFocusAfterThread(openRoot);
  const search = useSearchNavigation();
  const isSearchShown = search.query !== null && openRoot === null;
  const threadFilter = useThreadFilter();
  const areThreadsShown = threadFilter !== null && selected === null;
  const openLater = useLaterView();
  const laterView = selected === null && !areThreadsShown ? openLater : null;
  const { conversation: open, error } = useListedConversation(selected, list.conversations);
  const [openDialog, setOpenDialog] = useState<DialogName>('none');
  const close = () => setOpenDialog('none');
  useCloseOnNavigation(close);
  const nameOf = (id: string) => {
    const conversation = list.conversations?.find(({ _id }) => _id === id);
    return conversation ? conversationName(conversation, currentUserId) : '';
  };
  const onGone = (id: string) => {
    if (id === selected) close();
    if (openRoot !== null && (id === selected || id === conversationOfThread(openRoot))) thread.drop();
  };
  const onEnded = (id: string) => {
    close();
    if (id === selected) clear();
  };
  useChatEvents({ open: open?._id ?? null, openThread: openRoot, nameOf, onGone });
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
          selected !== null || isOpening || areThreadsShown || laterView !== null || openRoot !== null || isSearchShown
        }
        $isThreadOpen={openRoot !== null || isSearchShown}
      >
        <ConversationList
          list={list}
          selected={selected}
          isThreadsOpen={areThreadsShown}
          laterView={laterView}
          onNewChannel={() => setOpenDialog('channel')}
          onNewDirect={() => setOpenDialog('direct')}
          onBrowse={() => setOpenDialog('browse')}
          onSaved={() => setOpenDialog('saved')}
          onSearch={() => search.open()}
        />
        <Pane>
          {open && (
            <ConversationPane
              key={open._id}
              conversation={open}
              onBack={leave}
              onPins={() => setOpenDialog('pins')}
              onSearch={() => search.open(`in:${open._id} `)}
              onInfo={() => setOpenDialog('info')}
              onDelete={() => setOpenDialog('delete')}
              onOpenThread={thread.open}
            />
          )}
          {!open && selected !== null && (
            <ConversationUnavailable conversationId={selected} error={error} onBack={leave} />
          )}
          {areThreadsShown && (
            <Suspense fallback={null}>
              <ThreadsView
                filter={threadFilter}
                openRoot={openRoot}
                conversations={list.conversations}
                onOpen={thread.open}
                onBack={leave}
              />
            </Suspense>
          )}
          {laterView && (
            <Suspense fallback={null}>
              <LaterViews view={laterView} conversations={list.conversations} onShow={show} onBack={leave} />
            </Suspense>
          )}
          {!open && selected === null && !areThreadsShown && laterView === null && (
            <Welcome
              isLoading={isOpening || (!list.conversations && !list.error)}
              onNewChannel={() => setOpenDialog('channel')}
              onNewDirect={() => setOpenDialog('direct')}
            />
          )}
        </Pane>
        {openRoot !== null && (
          <OpenThread
            key={openRoot}
            rootId={openRoot}
            conversations={list.conversations}
            openConversation={open?._id ?? null}
            onJump={thread.jumpTo}
            onClose={thread.close}
          />
        )}
        {isSearchShown && (
          <Side>
            <Suspense fallback={<SkeletonRows count={3} />}>
              <SearchPanel
                query={search.query?.trim() ?? ''}
                conversations={list.conversations}
                onSearch={search.search}
                onOpen={search.jumpTo}
                onClose={search.close}
              />
            </Suspense>
          </Side>
        )}
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

function OpenThread(props: ComponentProps<typeof ThreadPanel>) {
  return (
    <Side>
      <Suspense fallback={<SkeletonRows count={3} />}>
        <ThreadPanel {...props} />
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

/** Below this width, a thread covers the conversation. */
const NARROW = '@media (max-width: 1279px)';

const Panes = styled.div<{ $isRoomOpen: boolean; $isThreadOpen: boolean }>`
  position: absolute;
  inset: 0;
  display: grid;
  grid-template-columns: minmax(260px, 320px) minmax(0, 1fr) ${({ $isThreadOpen }) => ($isThreadOpen ? 'minmax(360px, 420px)' : '')};
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
