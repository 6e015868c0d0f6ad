import type { User } from '@atrium/proto-events/people';
import { ChevronsUpDown } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { Button, type ButtonProps } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { useCloseOnNavigation } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { bareButton, ellipsis, focusRing, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

const AccountMenuItems = lazyNamed(() => import('./account-menu-items.tsx'), 'AccountMenuItems');

type Props = { user: User; showsName?: boolean };

export function AccountMenu({ user, showsName = false }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useHasBeenTrue(isOpen);
  useCloseOnNavigation(() => setOpen(false));
  return (
    <>
      <Trigger
        ref={anchor}
        $named={showsName}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
        onKeyDown={openOnArrow(() => setOpen(true))}
      >
        <Avatar user={user} />
        {showsName ? (
          <>
            <Names>
              <strong dir="auto">{displayName(user)}</strong>
              <span>{roleLabel(user.role)}</span>
            </Names>
            <VisuallyHidden>, account</VisuallyHidden>
            <ChevronsUpDown aria-hidden="true" />
          </>
        ) : (
          <VisuallyHidden>{displayName(user)}, account</VisuallyHidden>
        )}
      </Trigger>
      {wasOpened && (
        <Suspense fallback={null}>
          <AccountMenuItems
            user={user}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            triggerRef={anchor}
            placement={showsName ? 'top start' : 'bottom end'}
          />
        </Suspense>
      )}
    </>
  );
}

/** The arrow keys open the menu, as for every other menu button. */
function openOnArrow(open: () => void): NonNullable<ButtonProps['onKeyDown']> {
  return (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return event.continuePropagation();
    event.preventDefault();
    open();
  };
}

const Trigger = styled(Button)<{ $named: boolean }>`
  ${inlineStyles(3)}
  width: ${({ $named }) => ($named ? '100%' : '44px')};
  height: ${({ $named }) => ($named ? 'auto' : '44px')};
  justify-content: ${({ $named }) => ($named ? 'flex-start' : 'center')};
  padding: ${({ $named }) => ($named ? `${theme.space[2]} ${theme.space[3]}` : '0')};
  ${bareButton}
  border-radius: ${theme.radius.md};
  text-align: start;
  &[data-hovered],
  &[aria-expanded='true'] {
    background: ${theme.color.hover};
  }
  ${focusRing}
  > svg {
    width: 16px;
    height: 16px;
    color: ${theme.color.text3};
  }
`;

const Names = styled.span`
  flex: 1;
  min-width: 0;
  strong,
  span {
    display: block;
    ${ellipsis}
  }
  strong {
    font-weight: 500;
  }
  span {
    font: ${theme.text.sm};
    color: ${theme.color.text3};
  }
`;
