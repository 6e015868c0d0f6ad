import type { Message } from '@atrium/proto-events/http/chat-messages';
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { lazyNamed } from '../../../lib/lazy.ts';
import { actionsOf } from './message-menu.tsx';

const DeleteMessageDialog = lazyNamed(() => import('./delete-message-dialog.tsx'), 'DeleteMessageDialog');

type Deletion = {
  /** Asks whether a message is to be deleted; `place`: where it stands in the list. */
  ask: (message: Message, place: HTMLElement | null) => void;
  question: ReactNode;
};

/** Deleting messages of a list. The button goes with its message: the focus goes to that of the next, of the one before, or to the list. */
export function useDeletion(list: RefObject<HTMLElement | null>): Deletion {
  const [asked, setAsked] = useState<Message | null>(null);
  const isDone = useRef(false);
  const placed = useRef<HTMLElement>(null);
  useEffect(() => {
    // Not before the question has gone, which holds the focus.
    if (asked || !isDone.current) return;
    isDone.current = false;
    (besides(list.current, placed.current) ?? list.current)?.focus();
  }, [asked, list]);
  return {
    ask(message, place) {
      placed.current = place;
      setAsked(message);
    },
    question: asked && (
      <Suspense fallback={null}>
        <DeleteMessageDialog
          message={asked}
          onDone={() => {
            isDone.current = true;
          }}
          onClose={() => setAsked(null)}
        />
      </Suspense>
    ),
  };
}

/** What the nearest message has that anything may be done with. */
function besides(list: HTMLElement | null, place: HTMLElement | null): HTMLElement | undefined {
  const all = [...(list?.querySelectorAll<HTMLElement>('article') ?? [])];
  const at = place ? all.indexOf(place) : -1;
  const near = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at)).reverse()];
  return near.flatMap((one) => actionsOf(one) ?? [])[0];
}
