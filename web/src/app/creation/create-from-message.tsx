import type { Message } from '@atrium/proto-events/http/chat/messages';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import type { CreatedKind } from '#features/chat/creation/create-from-message.ts';
import { toDraft } from '#features/chat/creation/message-draft.ts';
import { ScheduleMeetingDialog } from '#features/meetings/form/schedule-meeting-dialog.tsx';
import { MessageTaskDialog } from '#features/tasks/message-task-dialog.tsx';
import { useCurrentUser } from '#lib/session/session.ts';

/** Of a larger conversation, nobody is invited at first. */
const MAX_INVITED = 20;

type Props = { kind: CreatedKind; message: Message; onClose: () => void };

/** Opens the dialog of a new task or meeting with what the message says. */
export function CreateFromMessage({ kind, message, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  // List items include only some participants; the conversation itself has all of them.
  const { data: conversation, error } = useConversation(message.conversation);
  if (!conversation && !error) return null;
  const draft = { ...toDraft(message), project: conversation?.project?._id ?? null };
  if (kind === 'task') return <MessageTaskDialog message={draft} onClose={onClose} />;
  const { participants = [], participantCount = 0 } = conversation ?? {};
  const invitedIds = participantCount > MAX_INVITED ? [] : participants.map(({ _id }) => _id);
  const meeting = {
    ...draft,
    project: draft.project ?? '',
    participants: invitedIds.filter((id) => id !== currentUserId),
  };
  return <ScheduleMeetingDialog day="" message={meeting} onClose={onClose} />;
}
