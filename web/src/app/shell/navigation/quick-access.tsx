import { Search } from 'lucide-react';
import { createContext, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { COMMAND_KEY } from '#lib/command-key.ts';
import { useCloseOnNavigation } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { focusRing, iconSize, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { findShortcut, type Shortcut } from '../shortcuts.ts';
import { createTypedAhead } from '../typed-ahead.ts';
import { pagesFor } from './nav-entries.ts';

const SearchDialog = lazyNamed(() => import('#features/search/search-dialog.tsx'), 'SearchDialog');
const ShortcutsDialog = lazyNamed(() => import('../shortcuts-dialog.tsx'), 'ShortcutsDialog');

const OpenContext = createContext<(shortcut: Shortcut) => void>(() => undefined);

export function QuickAccess({ children }: { children: ReactNode }) {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<Shortcut | null>(null);
  const [typedAhead] = useState(() => createTypedAhead(() => setOpenDialog(null)));
  const show = useCallback(
    (shortcut: Shortcut) => {
      // The dialog may still be loading.
      if (shortcut === 'search') typedAhead.begin();
      setOpenDialog(shortcut);
    },
    [typedAhead],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const shortcut = findShortcut(event);
      if (!shortcut) return;
      event.preventDefault();
      show(shortcut);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [show]);
  const close = () => {
    typedAhead.take();
    setOpenDialog(null);
  };
  useCloseOnNavigation(close);
  useEffect(() => {
    return () => void typedAhead.take();
  }, [typedAhead]);
  return (
    <OpenContext value={show}>
      {children}
      <Suspense fallback={null}>
        {openDialog === 'search' && (
          <SearchDialog
            isOpen
            typed={typedAhead.take}
            onClose={close}
            onGo={(to) => void navigate(to)}
            pages={pagesFor(user.role === 'admin')}
          />
        )}
        {openDialog === 'overview' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </OpenContext>
  );
}

export function SearchButton() {
  const open = useContext(OpenContext);
  return (
    <Trigger onPress={() => open('search')} aria-keyshortcuts="Control+K Meta+K">
      <Search aria-hidden="true" />
      <span>Search</span>
      <Hint aria-hidden="true">
        <kbd>{COMMAND_KEY} K</kbd>
      </Hint>
    </Trigger>
  );
}

export function SearchIconButton() {
  const open = useContext(OpenContext);
  return (
    <IconButton label="Search" onPress={() => open('search')}>
      <Search />
    </IconButton>
  );
}

const Trigger = styled(Button)`
  ${inlineStyles(3)}
  min-height: ${theme.control};
  margin-bottom: ${theme.space[4]};
  padding: 0 ${theme.space[2]} 0 ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  color: ${theme.color.text2};
  text-align: start;
  cursor: pointer;
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  ${focusRing}
  ${iconSize(16)}
  > span:nth-of-type(1) {
    flex: 1;
  }
  ${theme.media.compact} {
    display: none;
  }
`;

const Hint = styled.span`
  flex: none;
`;
