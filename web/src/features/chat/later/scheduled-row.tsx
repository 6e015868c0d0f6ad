import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ScheduledMessage, sendScheduled } from '@atrium/proto-events/http/chat/scheduled';
import { CalendarClock, Pencil, SendHorizontal, Trash2 } from 'lucide-react';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { useListedConversation } from '#entities/conversation/use-known-conversations.ts';
import { call } from '#lib/api/api.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { fullTime } from '#ui/times/time-format.ts';
import { fromContent } from '../text/composed-text.ts';
import { dueTimeText } from './due-times.ts';
import { LaterRow } from './later-row.tsx';
import { placeLabel } from './place-label.ts';

export type ScheduledAction = 'edit' | 'reschedule' | 'delete';

export type RequestedAction = { action: ScheduledAction; scheduled: ScheduledMessage };

type Props = {
  scheduled: ScheduledMessage;
  conversations: readonly Conversation[] | undefined;
  onAct: (action: ScheduledAction) => void;
  onSent: (message: Message) => void;
};

export function ScheduledRow({ scheduled, conversations, onAct, onSent }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { conversation } = useListedConversation(scheduled.conversation, conversations);
  const { run, isBusy } = useAction(async () => {
    onSent(await call<typeof sendScheduled>('POST /chat/scheduled/:id/send', { params: { id: scheduled._id } }));
  }, 'Failed to send the message');
  const { sendAt, failure } = scheduled;
  const now = new Date(useNow());
  return (
    <LaterRow
      place={placeLabel({ conversation, isReply: scheduled.thread !== null, currentUserId })}
      note={
        <time dateTime={sendAt} title={fullTime(sendAt)}>
          {failure === null ? `Sends ${dueTimeText(sendAt, now)}` : `Was due ${dueTimeText(sendAt, now)}`}
        </time>
      }
      text={fromContent(scheduled.content, labelsOf(scheduled.mentions)).text}
      failure={failure}
      actions={
        <>
          <Button variant="ghost" size="sm" icon={<Pencil />} onPress={() => onAct('edit')}>
            Edit
          </Button>
          <Button variant="ghost" size="sm" icon={<CalendarClock />} onPress={() => onAct('reschedule')}>
            Reschedule
          </Button>
          <Button variant="ghost" size="sm" icon={<SendHorizontal />} isBusy={isBusy} onPress={() => void run()}>
            Send now
          </Button>
          <Button variant="ghost" size="sm" icon={<Trash2 />} onPress={() => onAct('delete')}>
            Delete
          </Button>
        </>
      }
    />
  );
}
