import type { NoticeLevel } from '@atrium/proto-events/notices/kinds';
import type { LevelResource } from '@atrium/proto-events/notices/levels';
import { Menu, MenuChoices } from '#ui/overlays/menu.tsx';
import { NoticeLevelButton } from './notice-level-button.tsx';
import { type Leveled, useNoticeLevel } from './use-notice-level.ts';

type Option = { value: NoticeLevel; label: string };

const OPTIONS: Readonly<Record<LevelResource, readonly Option[]>> = {
  project: [
    { value: 'all', label: 'Everything' },
    { value: 'mentions', label: 'Mentions and assignments' },
    { value: 'none', label: 'Nothing' },
  ],
  meeting: [
    { value: 'all', label: 'Everything' },
    { value: 'mentions', label: 'Invitations, cancellations, and reminders' },
    { value: 'none', label: 'Nothing' },
  ],
};

/** Chooses what a project, a meeting, or a series notifies the user of. Load it on demand. */
export function NoticeLevelMenu({
  resource,
  id,
  hidesLabelOnPhones = false,
}: Leveled & { hidesLabelOnPhones?: boolean }) {
  const { level, choose } = useNoticeLevel({ resource, id });
  if (level === undefined) return <NoticeLevelButton hidesLabelOnPhones={hidesLabelOnPhones} />;
  return (
    <Menu label="Notifications" trigger={<NoticeLevelButton level={level} hidesLabelOnPhones={hidesLabelOnPhones} />}>
      <MenuChoices label="Notify me about" options={OPTIONS[resource]} value={level} onChange={choose} />
    </Menu>
  );
}
