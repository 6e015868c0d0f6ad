import * as contract from '@atrium/proto-events/http/chat-attachments';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { getAttachment, getAttachmentLimits, getAttachmentPreview, listAttachments } from './read-attachments.ts';
import { saveAttachment } from './save-attachment.ts';

export const attachmentRoutes = (deps: Deps) => [
  handle(contract.getAttachmentLimits, (_request, caller) => getAttachmentLimits(deps, caller)),
  handle(contract.getAttachment, ({ params }, caller) => getAttachment(deps, caller, params.id)),
  handle(contract.getAttachmentPreview, ({ params }, caller) => getAttachmentPreview(deps, caller, params.id)),
  handle(contract.listAttachments, ({ params, query }, caller) =>
    listAttachments(deps, caller, { ...params, ...query }),
  ),
  handle(contract.saveAttachment, ({ params }, caller, { req }) =>
    saveAttachment(deps, caller, { ...params, key: idempotencyKey(req) }),
  ),
];
