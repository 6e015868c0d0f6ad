import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Pin, PinOff } from 'lucide-react';
import { usePins } from '#entities/message/use-pins.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { ListedMessage, MessageListing } from './listed-message.tsx';
import { togglePin } from './toggle-pin.ts';

type Props = { conversation: Conversation; onOpen: (message: Message) => void; onClose: () => void };

export function PinsDialog({ conversation, onOpen, onClose }: Props) {
  const pins = usePins(conversation._id);
  const unpin = async (message: Message) => {
    await togglePin(message);
    void pins.mutate();
  };
  return (
    <Dialog title="Pinned messages" onClose={onClose} isDismissable>
      <DialogBody>
        <AsyncContent query={pins} failure="Failed to load pinned messages" skeletons={<SkeletonRows count={3} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState
                icon={<Pin />}
                title="No pinned messages"
                hint="Pin a message from its menu so that everyone here can find it."
              />
            ) : (
              <MessageListing>
                {data.map((message) => (
                  <ListedMessage
                    key={message._id}
                    message={message}
                    onOpen={() => onOpen(message)}
                    action={
                      !conversation.archived && (
                        <IconButton label="Unpin message" onPress={() => void unpin(message)}>
                          <PinOff />
                        </IconButton>
                      )
                    }
                  />
                ))}
              </MessageListing>
            )
          }
        </AsyncContent>
      </DialogBody>
    </Dialog>
  );
}
