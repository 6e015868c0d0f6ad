import type { NoticeLevel } from '@atrium/proto-events/notices/kinds';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile } from '#ui/collapsible.tsx';

const ICONS = { all: <BellRing />, mentions: <Bell />, none: <BellOff /> };

/** Opens the menu of levels. Without a level, it takes the place of the menu until that has loaded. */
export function NoticeLevelButton({ level }: { level?: NoticeLevel | undefined }) {
  return (
    <Button variant="ghost" icon={ICONS[level ?? 'all']} aria-label="Notifications" isDisabled={level === undefined}>
      <HiddenOnMobile>Notifications</HiddenOnMobile>
    </Button>
  );
}
