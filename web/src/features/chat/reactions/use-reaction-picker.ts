import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useMemo, useState } from 'react';

type OpenPicker = { message: Message; anchor: HTMLElement };

/** One picker for all messages of a log, so that it survives the unmounting of their rows. */
export function useReactionPicker() {
  const [open, setOpen] = useState<OpenPicker | null>(null);
  return useMemo(
    () => ({
      open,
      openFor(message: Message, anchor: HTMLElement | null): void {
        if (anchor) setOpen({ message, anchor });
      },
      close: () => setOpen(null),
    }),
    [open],
  );
}

export type ReactionPicker = ReturnType<typeof useReactionPicker>;
