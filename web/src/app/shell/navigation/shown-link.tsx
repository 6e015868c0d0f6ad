import { Suspense, useSyncExternalStore } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { closeShownLink, onShownLinkChange, shownLink } from '#ui/overlays/copy-link.ts';

const ShownLinkDialog = lazyNamed(() => import('#ui/overlays/shown-link-dialog.tsx'), 'ShownLinkDialog');

export function ShownLink() {
  const address = useSyncExternalStore(onShownLinkChange, shownLink);
  return (
    address !== null && (
      <Suspense fallback={null}>
        <ShownLinkDialog address={address} onClose={closeShownLink} />
      </Suspense>
    )
  );
}
