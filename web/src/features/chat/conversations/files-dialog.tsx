import type { Conversation } from '@atrium/proto-events/http/chat';
import { Dialog, DialogBody } from '../../../ui/overlays/dialog.tsx';
import { ConversationFiles } from '../files/conversation-files.tsx';

type Props = { conversation: Conversation; isOpen: boolean; onClose: () => void };

/** The files of a direct conversation, of which there is nothing else to tell. */
export function FilesDialog({ conversation, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Files" isDismissable>
      <DialogBody>
        <ConversationFiles conversation={conversation._id} />
      </DialogBody>
    </Dialog>
  );
}
