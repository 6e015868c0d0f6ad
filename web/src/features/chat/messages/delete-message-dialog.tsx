import type { Message } from '@atrium/proto-events/http/chat/messages';
import { type RefObject, useEffect, useRef } from 'react';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { removeMessage } from '../log/write-messages.ts';
import { findActions } from './message-menu.tsx';

export type Deletion = { message: Message; element: HTMLElement | null; isOpen: boolean };

type Props = Deletion & { list: RefObject<HTMLElement | null>; onClose: () => void };

/**
 * Stays mounted after confirmation: the focused button is removed, so focus moves to the next message, the previous one,
 * or the list.
 */
export function DeleteMessageDialog({ message, element, isOpen, list, onClose }: Props) {
  const isDone = useRef(false);
  useEffect(() => {
    // Waits until the confirmation dialog closes, because it traps focus.
    if (isOpen || !isDone.current) return;
    isDone.current = false;
    (findNearestActions(list.current, element) ?? list.current)?.focus();
  }, [isOpen, list, element]);
  if (!isOpen) return null;
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={async () => {
        await removeMessage(message);
        isDone.current = true;
      }}
      title="Delete message"
      action="Delete"
      failure="Failed to delete message"
    >
      Delete this message? This cannot be undone.
    </ConfirmDialog>
  );
}

function findNearestActions(list: HTMLElement | null, element: HTMLElement | null): HTMLElement | undefined {
  const articles = [...(list?.querySelectorAll<HTMLElement>('article') ?? [])];
  const index = element ? articles.indexOf(element) : -1;
  const candidates = [...articles.slice(index + 1), ...articles.slice(0, Math.max(0, index)).reverse()];
  return candidates.flatMap((article) => findActions(article) ?? [])[0];
}
