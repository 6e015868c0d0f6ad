import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { CalendarClock } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useScheduled } from '#entities/message/use-scheduled.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { ListItems, ListView } from '../list-view.tsx';
import { type RequestedAction, ScheduledRow } from './scheduled-row.tsx';

const ScheduledDialogs = lazyNamed(() => import('./scheduled-dialogs.tsx'), 'ScheduledDialogs');

type Props = {
  conversations: readonly Conversation[] | undefined;
  onShow: (message: Message) => void;
  onBack: () => void;
};

/** Lists the messages that this user sends later. */
export function ScheduledView({ conversations, onShow, onBack }: Props) {
  const query = useScheduled();
  const [requested, setRequested] = useState<RequestedAction>();
  const list = useRef<HTMLDivElement>(null);
  const done = () => void query.mutate();
  return (
    <ListView title="Scheduled" listRef={list} onBack={onBack}>
      <AsyncContent query={query} failure="Failed to load scheduled messages" skeletons={<SkeletonRows count={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState
              icon={<CalendarClock />}
              title="No scheduled messages"
              hint="Write a message, and choose “Send later” next to the Send button."
            />
          ) : (
            <ListItems>
              {data.map((scheduled) => (
                <ScheduledRow
                  key={scheduled._id}
                  scheduled={scheduled}
                  conversations={conversations}
                  onAct={(action) => setRequested({ action, scheduled })}
                  onSent={(message) => {
                    done();
                    onShow(message);
                  }}
                />
              ))}
            </ListItems>
          )
        }
      </AsyncContent>
      {requested && (
        <Suspense fallback={null}>
          <ScheduledDialogs requested={requested} onDone={done} onClose={() => setRequested(undefined)} list={list} />
        </Suspense>
      )}
    </ListView>
  );
}
