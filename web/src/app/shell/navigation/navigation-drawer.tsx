import { Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { theme } from '#ui/theme.ts';
import { Navigation } from './navigation.tsx';

const Drawer = lazyNamed(() => import('#ui/overlays/drawer.tsx'), 'Drawer');

/** Any navigation closes the drawer, including Back and links to the current screen. */
export function useNavigationDrawer() {
  const location = useLocation();
  const [openedAt, setOpenedAt] = useState<unknown>(null);
  const close = () => setOpenedAt(null);
  useCloseWhenWide(close);
  return { isOpen: openedAt === location, open: () => setOpenedAt(location), close };
}

export function NavigationDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const wasOpened = useHasBeenTrue(isOpen);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <Drawer isOpen={isOpen} onClose={onClose} label="Navigation">
        <DrawerBody>
          <Navigation />
        </DrawerBody>
      </Drawer>
    </Suspense>
  );
}

/** Closes the drawer when the sidebar replaces it, for example when a tablet is rotated. */
function useCloseWhenWide(close: () => void): void {
  useEffect(() => {
    const wideScreen = window.matchMedia('(min-width: 1024px)');
    wideScreen.addEventListener('change', close);
    return () => wideScreen.removeEventListener('change', close);
  });
}

const DrawerBody = styled.div`
  display: flex;
  flex-direction: column;
  min-height: 100%;
  padding: ${theme.space[5]} ${theme.space[3]} ${theme.space[4]};
`;
