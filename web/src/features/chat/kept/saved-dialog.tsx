import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { listSaved, SavedMessage } from '@atrium/proto-events/http/chat-pins';
import { Bookmark, BookmarkX } from 'lucide-react';
import { useState } from 'react';
import { conversationName } from '#entities/conversation/conversation.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useInfinitePages } from '#lib/query/use-infinite-pages.ts';
import { keyOf } from '#lib/query/use-read.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { toggleSaved } from './keep-message.ts';
import { KeptList, KeptRow } from './kept-list.tsx';

const PAGE_SIZE = 50;

type Props = {
  conversations: readonly Conversation[] | undefined;
  onOpen: (message: Message) => void;
  onClose: () => void;
};

export function SavedDialog({ conversations, onOpen, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const [pages, setPages] = useState(1);
  const saved = useInfinitePages<SavedMessage>(
    (page) => keyOf<typeof listSaved>('GET /chat/saved', { query: { limit: PAGE_SIZE, page } }),
    pages,
  );
  const paging = loadMoreProps(saved, pages, setPages);
  const remove = async (message: Message) => {
    await toggleSaved(message);
    void saved.mutate();
  };
  const placeOf = (id: string) => {
    const conversation = conversations?.find(({ _id }) => _id === id);
    return conversation ? conversationName(conversation, currentUserId) : '';
  };
  return (
    <Dialog title="Saved messages" description="Only you see this list." onClose={onClose} isDismissable>
      <DialogBody>
        <AsyncContent query={saved} failure="Failed to load saved messages" skeletons={<SkeletonRows count={3} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<Bookmark />}
                title="No saved messages"
                hint="Save a message from its menu to find it here later."
              />
            ) : (
              <>
                <KeptList>
                  {data.map(({ _id, message }) => (
                    <KeptRow
                      key={_id}
                      message={message}
                      place={placeOf(message.conversation)}
                      onOpen={() => onOpen(message)}
                      action={
                        <IconButton label="Remove from saved messages" onPress={() => void remove(message)}>
                          <BookmarkX />
                        </IconButton>
                      }
                    />
                  ))}
                </KeptList>
                {paging.hasMore && <ShowMore more={paging} />}
              </>
            )
          }
        </AsyncContent>
      </DialogBody>
    </Dialog>
  );
}
