import * as contract from '@atrium/proto-events/http/chat-attachments';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { getAttachment, getAttachmentLimits, listAttachments } from './read-attachments.ts';

export const attachmentRoutes = (deps: Deps) => [
  handle(contract.getAttachmentLimits, (_request, caller) => getAttachmentLimits(deps, caller)),
  handle(contract.getAttachment, ({ params }, caller) => getAttachment(deps, caller, params.id)),
  handle(contract.listAttachments, ({ params, query }, caller) =>
    listAttachments(deps, caller, { ...params, ...query }),
  ),
];
