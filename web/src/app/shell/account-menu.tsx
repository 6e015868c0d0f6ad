import type { User } from '@atrium/proto-events/people';
import { ChevronsUpDown, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { isUnloadBlocked, leavePage } from '#lib/forms/unsaved-changes.ts';
import { signOut } from '#lib/session/session.ts';
import { bareButton, captionStyles, ellipsis, focusRing, inlineStyles } from '#ui/mixins.ts';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { chooseTheme, useThemeChoice } from '#ui/theme-choice.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

const themes = [
  { value: 'system', label: 'System theme', icon: <Monitor /> },
  { value: 'light', label: 'Light theme', icon: <Sun /> },
  { value: 'dark', label: 'Dark theme', icon: <Moon /> },
] as const;

type Props = { user: User; showsName?: boolean };

export function AccountMenu({ user, showsName = false }: Props) {
  const choice = useThemeChoice();
  const navigate = useNavigate();
  return (
    <Menu
      label="Account"
      placement={showsName ? 'top start' : 'bottom end'}
      header={
        <UserText>
          <strong dir="auto">{displayName(user)}</strong>
          <span>{user.email}</span>
        </UserText>
      }
      trigger={
        <Trigger $named={showsName}>
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
      }
    >
      <MenuItem icon={<Settings />} onAction={() => void navigate('/settings')}>
        Account Settings
      </MenuItem>
      <MenuSeparator />
      <MenuChoices label="Appearance" options={themes} value={choice} onChange={chooseTheme} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onAction={() => leavePage(() => void signOut(), hasDrafts() || isUnloadBlocked())}>
        Log out
      </MenuItem>
    </Menu>
  );
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

const UserText = styled.div`
  padding: ${theme.space[2]} 10px ${theme.space[2]};
  margin-bottom: ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  strong {
    display: block;
    font-weight: 500;
  }
  span {
    ${captionStyles}
    overflow-wrap: anywhere;
  }
`;
