import { Smile } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { recordEmojiUse } from '../reactions/frequent-emoji.ts';

const EmojiPicker = lazyNamed(() => import('../reactions/emoji-picker.tsx'), 'EmojiPicker');

const LABEL = 'Add emoji';

export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const currentUserId = useCurrentUser()._id;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const pick = (emoji: string) => {
    recordEmojiUse(currentUserId, emoji);
    onPick(emoji);
  };
  return (
    <>
      <Tooltip text={LABEL}>
        <IconButton
          ref={button}
          label={LABEL}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          preventFocusOnPress
          onPress={() => setOpen(true)}
        >
          <Smile />
        </IconButton>
      </Tooltip>
      {isOpen && button.current && (
        <Suspense fallback={null}>
          <EmojiPicker label={LABEL} anchor={button.current} onPick={pick} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
