import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { lazyNamed } from '#lib/lazy.ts';

const ConversationMenu = lazyNamed(() => import('../conversation-menu.tsx'), 'ConversationMenu');

type Opened = { id: string; x: number; y: number; isOpen: boolean };

type Props = { conversations: readonly Conversation[]; children: ReactNode };

/** Opens the menu of a row by right click, long press, or Shift+F10. */
export function RowMenu({ conversations, children }: Props) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [opened, setOpened] = useState<Opened>();
  const conversation = conversations.find(({ _id }) => _id === opened?.id);
  const open = (event: MouseEvent) => {
    const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-conversation]');
    if (!row) return;
    event.preventDefault();
    row.focus({ preventScroll: true });
    setOpened({ id: row.dataset.conversation ?? '', x: event.clientX, y: event.clientY, isOpen: true });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are links, which the keyboard reaches
    <div onContextMenu={open}>
      {children}
      <Anchor ref={anchor} style={{ left: opened?.x, top: opened?.y }} />
      {opened && conversation && (
        <Suspense fallback={null}>
          <ConversationMenu
            key={opened.id}
            conversation={conversation}
            isOpen={opened.isOpen}
            onClose={() => setOpened((latest) => latest && { ...latest, isOpen: false })}
            triggerRef={anchor}
            placement="bottom start"
          />
        </Suspense>
      )}
    </div>
  );
}

const Anchor = styled.span`
  position: fixed;
  width: 0;
  height: 0;
`;
