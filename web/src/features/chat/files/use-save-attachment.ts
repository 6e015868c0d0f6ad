import type { saveAttachment } from '@atrium/proto-events/http/chat-attachments';
import { useRef } from 'react';
import { call } from '../../../lib/api/api.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { underKey } from '../../../lib/use-repeatable.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';
import { useAction } from '../../../ui/overlays/use-action.ts';

/** Makes a private document of a file of a message. Pressed again after a lost answer, it makes no second one. */
export function useSaveAttachment() {
  const keys = useRef(new Map<string, string>());
  return useAction(async (id: string) => {
    const key = keys.current.get(id) ?? newUuid();
    keys.current.set(id, key);
    await call<typeof saveAttachment>('POST /chat/attachments/:id/save', { params: { id } }, underKey(key));
    keys.current.delete(id);
    showSuccess('Saved to Document Hub', 'It is private until you share it.');
  }, 'Failed to save to Document Hub');
}
