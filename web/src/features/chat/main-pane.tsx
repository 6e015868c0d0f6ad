import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Suspense } from 'react';
import type { useConversations } from '#entities/conversation/use-conversations.ts';
import type { ApiError } from '#lib/api/api-error.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { SpinnerPage } from '#ui/spinner.tsx';
import type { DialogName } from './chat-dialogs.tsx';
import { ConversationPane } from './conversation-pane.tsx';
import { useLaterView } from './conversations/list/use-selection.ts';
import { useThreadFilter, type useThreadNavigation } from './threads/use-thread-navigation.ts';
import { Welcome } from './welcome.tsx';

const ConversationUnavailable = lazyNamed(() => import('./conversation-unavailable.tsx'), 'ConversationUnavailable');
const LaterViews = lazyNamed(() => import('./later/later-views.tsx'), 'LaterViews');
const ThreadsView = lazyNamed(() => import('./threads/threads-view.tsx'), 'ThreadsView');

/** The view in the URL, unless a conversation is open: at most one of the two. */
export function useViews(selected: string | null) {
  const filter = useThreadFilter();
  const later = useLaterView();
  const threadFilter = selected === null ? filter : null;
  return { threadFilter, laterView: selected === null && threadFilter === null ? later : null };
}

type Props = {
  list: ReturnType<typeof useConversations>;
  open: Conversation | undefined;
  selected: string | null;
  error: ApiError | undefined;
  isOpening: boolean;
  views: ReturnType<typeof useViews>;
  thread: ReturnType<typeof useThreadNavigation>;
  onSearch: (query?: string) => void;
  onDialog: (name: DialogName) => void;
  onShow: (message: Message) => void;
  onBack: () => void;
};

/** Shows what is open: a conversation, the threads, or what was written for later. */
export function MainPane(props: Props) {
  const { open, selected, error, onSearch, onDialog, onBack, thread } = props;
  if (open)
    return (
      <ConversationPane
        key={open._id}
        conversation={open}
        onBack={onBack}
        onPins={() => onDialog('pins')}
        onSearch={() => onSearch(`in:${open._id} `)}
        onInfo={() => onDialog('info')}
        onDelete={() => onDialog('delete')}
        onOpenThread={thread.open}
      />
    );
  if (selected === null) return <OpenView {...props} />;
  return (
    <Suspense fallback={<SpinnerPage />}>
      {error ? <ConversationUnavailable conversationId={selected} error={error} onBack={onBack} /> : <SpinnerPage />}
    </Suspense>
  );
}

function OpenView({ list: { conversations, error }, isOpening, views, thread, onDialog, onShow, onBack }: Props) {
  const { threadFilter, laterView } = views;
  if (threadFilter !== null)
    return (
      <Suspense fallback={null}>
        <ThreadsView
          filter={threadFilter}
          openRoot={thread.openRoot}
          conversations={conversations}
          onOpen={thread.open}
          onBack={onBack}
        />
      </Suspense>
    );
  if (laterView)
    return (
      <Suspense fallback={null}>
        <LaterViews view={laterView} conversations={conversations} onShow={onShow} onBack={onBack} />
      </Suspense>
    );
  return (
    <Welcome
      isLoading={isOpening || (!conversations && !error)}
      onNewChannel={() => onDialog('channel')}
      onNewDirect={() => onDialog('direct')}
    />
  );
}
