import type { Document } from '@atrium/proto-events/http/documents';
import type { UserSummary } from '@atrium/proto-events/people';
import { useConversation } from '#entities/conversation/use-conversations.ts';
import { useMissingAccess, useShareDocument } from '#entities/document/use-document-access.ts';
import { useDocument } from '#entities/document/use-documents.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { Button } from '#ui/button.tsx';
import { FormFailure, Notice, NoticeLine } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';

export function MissingAccessNotice({ id, conversationId }: { id: string; conversationId: string }) {
  // Users who cannot read a document cannot share it either.
  const { data: document } = useDocument(id);
  const participantIds = useConversation(document ? conversationId : null).data?.participants.map(({ _id }) => _id);
  const missingAccess = useMissingAccess(id, conversationId, document && participantIds ? participantIds : null);
  if (!document || !missingAccess || missingAccess.cannotOpen.length === 0) return null;
  return <AccessNotice document={document} checkedCount={missingAccess.asked} cannotOpen={missingAccess.cannotOpen} />;
}

type NoticeProps = { document: Document; checkedCount: number; cannotOpen: readonly UserSummary[] };

function AccessNotice({ document, checkedCount, cannotOpen }: NoticeProps) {
  const share = useShareDocument();
  // Deleted and inactive users cannot be granted access.
  const eligible = cannotOpen.filter(({ deleted, status }) => !deleted && status !== 'inactive');
  const { run, isBusy, failure } = useAction(async () => {
    await share(document._id, { userIds: eligible.map(({ _id }) => _id) });
    showSuccess('Document shared successfully');
  }, 'Failed to share document');
  return (
    <Notice>
      <NoticeLine>
        <span title={cannotOpen.map(displayName).join(', ')}>
          {formatNumber(cannotOpen.length)} of {formatNumber(checkedCount)} people in this conversation cannot open “
          {document.name}”
        </span>
        {document.abilities.share && eligible.length > 0 && (
          <Button size="sm" isBusy={isBusy} onPress={() => void run()}>
            Share with them
          </Button>
        )}
      </NoticeLine>
      <FormFailure failure={failure} />
    </Notice>
  );
}
