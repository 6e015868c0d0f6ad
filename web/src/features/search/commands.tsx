import type { User } from '@atrium/proto-events/people';
import { CalendarPlus, type LucideIcon, Monitor, Moon, Settings, SquarePlus, Sun } from 'lucide-react';
import { canManageEmoji, canScheduleMeetings } from '#entities/user/roles.ts';
import { settingsPath, settingsTitles } from '#lib/settings-titles.ts';
import { chooseTheme } from '#ui/theme-choice.ts';
import type { Result } from './result.ts';

export type Page = { label: string; to: string; icon: LucideIcon };

export const pageResult = ({ label, to, icon: Icon }: Page): Result => ({
  id: `result-page-${to.slice(1)}`,
  name: label,
  to,
  icon: <Icon aria-hidden="true" />,
});

/** What the user can do from anywhere. */
export function listActions(user: User): Result[] {
  return [
    action('New task', <SquarePlus aria-hidden="true" />, { to: '/my-work?add=1' }),
    ...(canScheduleMeetings(user)
      ? [action('New meeting', <CalendarPlus aria-hidden="true" />, { to: '/meetings?schedule=1' })]
      : []),
    action('Light theme', <Sun aria-hidden="true" />, { run: () => chooseTheme('light') }),
    action('Dark theme', <Moon aria-hidden="true" />, { run: () => chooseTheme('dark') }),
    action('System theme', <Monitor aria-hidden="true" />, { run: () => chooseTheme('system') }),
  ];
}

const action = (name: string, icon: Result['icon'], target: { to: string } | { run: () => void }): Result => ({
  id: `result-action-${name.toLowerCase().replaceAll(' ', '-')}`,
  name,
  icon,
  ...target,
});

export const listSettings = (user: User): Result[] =>
  settingsTitles(canManageEmoji(user)).map((title) => ({
    id: `result-setting-${title.toLowerCase().replaceAll(' ', '-')}`,
    name: title,
    detail: 'Account Settings',
    to: settingsPath(title),
    icon: <Settings aria-hidden="true" />,
  }));
