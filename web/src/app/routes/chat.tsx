import type { Message } from '@atrium/proto-events/http/chat/messages';
import { Suspense, useMemo, useState } from 'react';
import { canScheduleMeetings } from '#entities/user/roles.ts';
import { ChatScreen } from '#features/chat/chat-screen.tsx';
import { type CreatedKind, CreateFromMessageContext } from '#features/chat/creation/create-from-message.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useTitle } from '../router/use-title.ts';

const CreateFromMessage = lazyNamed(() => import('../creation/create-from-message.tsx'), 'CreateFromMessage');

export default function Chat() {
  useTitle('Team Chat');
  const canSchedule = canScheduleMeetings(useCurrentUser());
  const [source, setSource] = useState<{ kind: CreatedKind; message: Message }>();
  const creation = useMemo(
    () => ({ canSchedule, create: (kind: CreatedKind, message: Message) => setSource({ kind, message }) }),
    [canSchedule],
  );
  return (
    <CreateFromMessageContext value={creation}>
      <ChatScreen />
      <Suspense fallback={null}>
        {source && <CreateFromMessage {...source} onClose={() => setSource(undefined)} />}
      </Suspense>
    </CreateFromMessageContext>
  );
}
