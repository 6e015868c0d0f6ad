import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { AlarmClock, AlarmClockOff, Bookmark, BookmarkX } from 'lucide-react';
import { useState } from 'react';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversationsOf } from '#entities/conversation/use-known-conversations.ts';
import { useSavedMessages } from '#entities/message/use-pins.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { dueTimeText } from '../later/due-times.ts';
import { endReminder, ReminderDialog } from '../later/reminder-dialog.tsx';
import { ListedMessage, MessageListing } from './listed-message.tsx';
import { toggleSaved } from './toggle-pin.ts';

type Props = {
  conversations: readonly Conversation[] | undefined;
  onOpen: (message: Message) => void;
  onClose: () => void;
};

export function SavedDialog({ conversations, onOpen, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { query: saved, more } = useSavedMessages();
  const known = useConversationsOf(saved.data?.data.map(({ message }) => message.conversation) ?? [], conversations);
  const [reminded, setReminded] = useState<Message>();
  const refetch = () => void saved.mutate();
  const remove = async (message: Message) => {
    await toggleSaved(message);
    refetch();
  };
  const placeOf = (id: string) => {
    const conversation = known?.find(({ _id }) => _id === id);
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
                <MessageListing>
                  {data.map(({ _id, message, remindAt }) => (
                    <ListedMessage
                      key={_id}
                      message={message}
                      place={placeOf(message.conversation)}
                      onOpen={() => onOpen(message)}
                      note={remindAt === null ? undefined : `Reminder ${dueTimeText(remindAt)}`}
                      action={
                        <>
                          {remindAt === null ? (
                            <IconButton label="Remind me" onPress={() => setReminded(message)}>
                              <AlarmClock />
                            </IconButton>
                          ) : (
                            <IconButton label="Remove reminder" onPress={() => void endReminder(message).then(refetch)}>
                              <AlarmClockOff />
                            </IconButton>
                          )}
                          <IconButton label="Remove from saved messages" onPress={() => void remove(message)}>
                            <BookmarkX />
                          </IconButton>
                        </>
                      }
                    />
                  ))}
                </MessageListing>
                {more.hasMore && <ShowMore more={more} />}
              </>
            )
          }
        </AsyncContent>
      </DialogBody>
      {reminded && <ReminderDialog message={reminded} onSet={refetch} onClose={() => setReminded(undefined)} />}
    </Dialog>
  );
}
