import type { NoticeLevel } from '@atrium/proto-events/notices/kinds';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { HiddenOnMobile } from '#ui/collapsible.tsx';

const ICONS = { all: <BellRing />, mentions: <Bell />, none: <BellOff /> };

type Props = { level?: NoticeLevel | undefined; hidesLabelOnPhones?: boolean };

/** Opens the menu of levels. Without a level, it takes the place of the menu until that has loaded. */
export function NoticeLevelButton({ level, hidesLabelOnPhones = false }: Props) {
  return (
    <Button
      variant="ghost"
      icon={ICONS[level ?? 'all']}
      aria-label="Notifications"
      isDisabled={level === undefined}
      excludeFromTabOrder={level === undefined}
    >
      {hidesLabelOnPhones ? <HiddenOnMobile>Notifications</HiddenOnMobile> : 'Notifications'}
    </Button>
  );
}
