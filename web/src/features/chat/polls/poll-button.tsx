import { ChartBarBig } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';

const PollDialog = lazyNamed(() => import('./poll-dialog.tsx'), 'PollDialog');

export function PollButton({ conversationId }: { conversationId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Tooltip text="Create a poll">
        <IconButton label="Create a poll" aria-haspopup="dialog" onPress={() => setOpen(true)}>
          <ChartBarBig />
        </IconButton>
      </Tooltip>
      {isOpen && (
        <Suspense fallback={null}>
          <PollDialog conversationId={conversationId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
