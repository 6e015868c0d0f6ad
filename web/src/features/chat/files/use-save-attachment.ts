import type { Attachment, saveAttachment } from '@atrium/proto-events/http/chat-attachments';
import { assertUploadFits } from '#entities/document/upload-limits.ts';
import { documentExists } from '#entities/document/use-documents.ts';
import { call } from '#lib/api/api.ts';
import { idempotencyOptions, useIdempotencyKeyByName } from '#lib/hooks/use-idempotency-key.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';

/** The document is created asynchronously by the object store's event; polled with increasing delays. */
const INITIAL_POLL_DELAY_MS = 200;
const MAX_POLLS = 9;

const NOT_SAVED_YET = 'The file will appear in Document Hub once file storage responds, unless you run out of space.';

/** Saves an attachment as a private document and confirms once it exists, or reports a full quota. Idempotent after a lost response. */
export function useSaveAttachment() {
  const repeatable = useIdempotencyKeyByName();
  return useAction(async ({ _id: id, size }: Pick<Attachment, '_id' | 'size'>) => {
    await assertUploadFits({ size });
    const answer = await repeatable(id, (key) =>
      call<typeof saveAttachment>('POST /chat/attachments/:id/save', { params: { id } }, idempotencyOptions(key)),
    );
    if (!(await waitForDocument(answer.document))) {
      // Another upload may have used the quota in the meantime.
      await assertUploadFits({ size });
      throw new Error(NOT_SAVED_YET);
    }
    showSuccess('Saved to Document Hub', 'It is private until you share it.');
  }, 'Failed to save to Document Hub');
}

async function waitForDocument(document: string): Promise<boolean> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    await new Promise((resolve) => setTimeout(resolve, INITIAL_POLL_DELAY_MS * 1.6 ** poll));
    if (await documentExists(document)) return true;
  }
  return false;
}
