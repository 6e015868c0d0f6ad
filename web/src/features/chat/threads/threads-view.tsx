import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { MessagesSquare } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useChatListeners } from '#entities/conversation/use-chat-listeners.ts';
import { useConversationsOf } from '#entities/conversation/use-known-conversations.ts';
import type { ThreadFilter } from '#entities/message/use-threads.ts';
import { useThreads } from '#entities/message/use-threads.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { THREADS } from '../conversations/list/use-selection.ts';
import { ListItems, ListView } from '../list-view.tsx';
import { ThreadRow } from './thread-row.tsx';

const FILTERS = [
  { key: 'all', label: 'All' },
  { key: 'unread', label: 'Unread' },
] as const;

type Props = {
  filter: ThreadFilter;
  openRoot: string | null;
  conversations: readonly Conversation[] | undefined;
  onOpen: (root: string) => void;
  onBack: () => void;
};

/** Lists the threads that the user follows. */
export function ThreadsView({ filter, openRoot, conversations, onOpen, onBack }: Props) {
  const currentUserId = useCurrentUser()._id;
  const [, setParams] = useSearchParams();
  const { query, more } = useThreads(filter);
  const known = useConversationsOf(query.data?.map(({ conversation }) => conversation) ?? [], conversations);
  useRefetchOnChange(query);
  const select = (next: ThreadFilter) => setParams({ [THREADS]: next }, { replace: true });
  return (
    <ListView
      title="Threads"
      onBack={onBack}
      actions={<SegmentedControl label="Show" items={FILTERS} selected={filter} onSelect={select} />}
    >
      <AsyncContent query={query} failure="Failed to load threads" skeletons={<SkeletonRows count={5} />}>
        {(threads) =>
          threads.length === 0 ? (
            <NoThreads filter={filter} />
          ) : (
            <ListItems>
              {threads.map((thread) => (
                <ThreadRow
                  key={thread._id}
                  thread={thread}
                  conversation={known?.find(({ _id }) => _id === thread.conversation)}
                  currentUserId={currentUserId}
                  isOpen={thread._id === openRoot}
                  onOpen={onOpen}
                />
              ))}
            </ListItems>
          )
        }
      </AsyncContent>
      {more.hasMore && <ShowMore more={more} />}
    </ListView>
  );
}

function NoThreads({ filter }: { filter: ThreadFilter }) {
  if (filter === 'unread')
    return <EmptyState icon={<MessagesSquare />} title="No unread replies" hint="You have read all your threads." />;
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title="No threads yet"
      hint="Threads that you start, reply to, or follow will appear here."
    />
  );
}

/** Edits and deletions of a root are changes of its conversation. */
function useRefetchOnChange({ data, mutate }: ReturnType<typeof useThreads>['query']): void {
  const refetchIfListed = (id: string) => {
    if (data?.some(({ _id, lastReply }) => _id === id || lastReply?._id === id)) void mutate();
  };
  useChatListeners({
    'message:updated': ({ message }) => refetchIfListed(message._id),
    'message:deleted': ({ message }) => refetchIfListed(message),
  });
}
