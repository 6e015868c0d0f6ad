import type { Conversation } from '@atrium/proto-events/http/chat';
import { useState } from 'react';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { Tabs } from '#ui/pages/tabs.tsx';
import { ConversationFiles } from '../files/conversation-files.tsx';
import { ConversationLinks } from '../files/conversation-links.tsx';

type Props = { conversation: Conversation; onClose: () => void };

/** The files and links of a direct conversation. */
export function FilesDialog({ conversation: { _id }, onClose }: Props) {
  const [shown, setShown] = useState<'files' | 'links'>('files');
  return (
    <Dialog onClose={onClose} title="Files and links" isDismissable>
      <DialogBody>
        <Tabs
          label="About this conversation"
          items={[
            { key: 'files', label: 'Files', content: <ConversationFiles conversation={_id} /> },
            { key: 'links', label: 'Links', content: <ConversationLinks conversation={_id} /> },
          ]}
          selected={shown}
          onSelect={setShown}
        />
      </DialogBody>
    </Dialog>
  );
}
