import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useSearchParams } from 'react-router-dom';
import { CONVERSATION, THREAD } from '#entities/message/message-path.ts';
import type { LaterView } from '../conversations/list/use-selection.ts';
import { DraftsView } from './drafts-view.tsx';
import { ScheduledView } from './scheduled-view.tsx';

type Props = {
  view: LaterView;
  conversations: readonly Conversation[] | undefined;
  onShow: (message: Message) => void;
  onBack: () => void;
};

export function LaterViews({ view, onShow, ...props }: Props) {
  const [, setParams] = useSearchParams();
  if (view === 'scheduled') return <ScheduledView {...props} onShow={onShow} />;
  return (
    <DraftsView
      {...props}
      onOpen={({ conversation, thread }) =>
        setParams({ [CONVERSATION]: conversation, ...(thread && { [THREAD]: thread }) })
      }
    />
  );
}
