import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Checkbox } from '#ui/fields/toggles.tsx';
import { theme } from '#ui/theme.ts';
import { threadLogId } from '../log/log-id.ts';
import { saveMessageDraft, useDraft } from '../sending/drafts.ts';

/** Whether the next reply is shown in the conversation, too. */
export function AlsoSend({ conversation, rootId }: { conversation: Conversation; rootId: string }) {
  const currentUserId = useCurrentUser()._id;
  const logId = threadLogId(rootId);
  const draft = useDraft(currentUserId, logId);
  const save = (isSelected: boolean) =>
    saveMessageDraft(currentUserId, logId, { ...draft, alsoInConversation: isSelected || undefined });
  return (
    <Row>
      <Checkbox isSelected={draft.alsoInConversation === true} onChange={save}>
        Also send to <bdi>{conversationName(conversation, currentUserId)}</bdi>
      </Checkbox>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  padding: 2px ${theme.space[2]} 0;
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  > * {
    min-width: 0;
    gap: ${theme.space[2]};
  }
`;
