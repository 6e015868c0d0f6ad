import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { PencilLine, SquarePen, Trash2 } from 'lucide-react';
import { useListedConversation } from '#entities/conversation/use-known-conversations.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { showUndoable } from '#ui/overlays/toast.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { ListItems, ListView } from '../list-view.tsx';
import { type ListedDraft, restoreDraft, useDraftList } from '../sending/draft-list.ts';
import { getMessageDraft, saveMessageDraft } from '../sending/drafts.ts';
import { LaterRow } from './later-row.tsx';
import { placeLabel } from './place-label.ts';

type Props = {
  conversations: readonly Conversation[] | undefined;
  onOpen: (draft: ListedDraft) => void;
  onBack: () => void;
};

/** Lists the drafts of this user from all devices, as this device has them. */
export function DraftsView({ conversations, onOpen, onBack }: Props) {
  const drafts = useDraftList();
  return (
    <ListView title="Drafts" onBack={onBack}>
      {drafts.length === 0 ? (
        <EmptyState
          icon={<PencilLine />}
          title="No drafts"
          hint="What you write and do not send is saved here, and on your other devices."
        />
      ) : (
        <ListItems>
          {drafts.map((draft) => (
            <DraftRow key={draft.logId} draft={draft} conversations={conversations} onOpen={onOpen} />
          ))}
        </ListItems>
      )}
    </ListView>
  );
}

type RowProps = { draft: ListedDraft } & Pick<Props, 'conversations' | 'onOpen'>;

function DraftRow({ draft, conversations, onOpen }: RowProps) {
  const currentUserId = useCurrentUser()._id;
  const { conversation } = useListedConversation(draft.conversation, conversations);
  const remove = () => {
    const removed = getMessageDraft(currentUserId, draft.logId);
    saveMessageDraft(currentUserId, draft.logId, { text: '' });
    showUndoable('Draft deleted', () => restoreDraft(currentUserId, draft.logId, removed));
  };
  return (
    <LaterRow
      place={placeLabel({ conversation, isReply: draft.thread !== null, currentUserId })}
      note={<RelativeTime time={new Date(draft.editedAt).toISOString()} />}
      text={draft.text}
      actions={
        <>
          <Button variant="ghost" size="sm" icon={<SquarePen />} onPress={() => onOpen(draft)}>
            Continue writing
          </Button>
          <Button variant="ghost" size="sm" icon={<Trash2 />} onPress={remove}>
            Delete
          </Button>
        </>
      }
    />
  );
}
