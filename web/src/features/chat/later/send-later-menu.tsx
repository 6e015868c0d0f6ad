import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { CalendarDays, Clock } from 'lucide-react';
import { useRef, useState } from 'react';
import { MenuItem, MenuSurface, type MenuSurfaceProps } from '#ui/overlays/menu.tsx';
import type { Destination } from '../log/log-id.ts';
import { useNotifyConfirmation } from '../mentions/use-notify-confirmation.tsx';
import { DueTimeDialog } from './due-time-dialog.tsx';
import { sendTimes } from './due-times.ts';
import { scheduleDraft } from './schedule-draft.ts';

type Props = Pick<MenuSurfaceProps, 'isOpen' | 'onClose' | 'triggerRef'> & {
  conversation: Conversation;
  destination: Destination;
  content: string;
};

const FAILED = 'Failed to schedule the message';

export function SendLaterMenu({ conversation, destination, content, ...surface }: Props) {
  const [isAskingTime, setAskingTime] = useState(false);
  const chosen = useRef<Date>(undefined);
  const { submit, confirmation } = useNotifyConfirmation(conversation, content, () => {
    if (chosen.current) void scheduleDraft({ destination, content, at: chosen.current }, FAILED);
  });
  const choose = (at: Date) => {
    chosen.current = at;
    submit();
  };
  return (
    <>
      <MenuSurface {...surface} label="Send later" placement="top end">
        {sendTimes(new Date()).map(({ label, at }) => (
          <MenuItem key={label} icon={<Clock />} onAction={() => choose(at)}>
            {label}
          </MenuItem>
        ))}
        <MenuItem icon={<CalendarDays />} onAction={() => setAskingTime(true)}>
          Choose date and time…
        </MenuItem>
      </MenuSurface>
      {isAskingTime && (
        <DueTimeDialog
          title="Send later"
          suggestions={sendTimes}
          action="Schedule"
          failure={FAILED}
          onChoose={async (at) => choose(at)}
          onClose={() => setAskingTime(false)}
        />
      )}
      {confirmation}
    </>
  );
}
