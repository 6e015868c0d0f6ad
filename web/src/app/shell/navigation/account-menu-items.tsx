import type { User } from '@atrium/proto-events/people';
import { LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { styled } from 'styled-components';
import { displayName } from '#entities/user/user-labels.ts';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { isUnloadBlocked, leavePage } from '#lib/forms/unsaved-changes.ts';
import { signOut } from '#lib/session/session.ts';
import { captionStyles } from '#ui/mixins.ts';
import { MenuChoices, MenuItem, MenuSeparator, MenuSurface, type MenuSurfaceProps } from '#ui/overlays/menu.tsx';
import { theme } from '#ui/theme.ts';
import { chooseTheme, useThemeChoice } from '#ui/theme-choice.ts';

const themes = [
  { value: 'system', label: 'System theme', icon: <Monitor /> },
  { value: 'light', label: 'Light theme', icon: <Sun /> },
  { value: 'dark', label: 'Dark theme', icon: <Moon /> },
] as const;

type Props = Pick<MenuSurfaceProps, 'isOpen' | 'onClose' | 'triggerRef' | 'placement'> & { user: User };

export function AccountMenuItems({ user, ...surface }: Props) {
  const choice = useThemeChoice();
  const navigate = useNavigate();
  return (
    <MenuSurface
      {...surface}
      label="Account"
      header={
        <UserText>
          <strong dir="auto">{displayName(user)}</strong>
          <span>{user.email}</span>
        </UserText>
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
    </MenuSurface>
  );
}

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
