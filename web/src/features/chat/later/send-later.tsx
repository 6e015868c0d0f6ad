import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { CalendarClock } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import type { Destination } from '../log/log-id.ts';

const SendLaterMenu = lazyNamed(() => import('./send-later-menu.tsx'), 'SendLaterMenu');

type Props = {
  conversation: Conversation;
  destination: Destination;
  content: string;
  hasFiles: boolean;
  isDisabled: boolean;
};

/** The button next to Send. */
export function SendLater({ hasFiles, isDisabled, ...message }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useHasBeenTrue(isOpen);
  return (
    <>
      <Tooltip text={hasFiles ? 'Messages with files cannot be scheduled' : 'Send later'}>
        <IconButton
          ref={button}
          label="Send later"
          aria-haspopup="menu"
          aria-expanded={isOpen}
          isDisabled={isDisabled || hasFiles}
          onPress={() => setOpen(true)}
        >
          <CalendarClock />
        </IconButton>
      </Tooltip>
      {wasOpened && (
        <Suspense fallback={null}>
          <SendLaterMenu {...message} isOpen={isOpen} onClose={() => setOpen(false)} triggerRef={button} />
        </Suspense>
      )}
    </>
  );
}
