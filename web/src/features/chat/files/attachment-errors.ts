import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getAttachmentLimits } from '@atrium/proto-events/http/chat-attachments';
import { describeSize } from '#entities/document/document-labels.ts';
import type { SelectedFile } from './attachment-drafts.ts';

type Limits = ResponseOf<typeof getAttachmentLimits>;

/** The contract's limit, also enforced by the server. */
const MAX_FILES = 10;

export type AttachmentErrors = {
  /** Errors of single files, by file id. */
  files: ReadonlyMap<string, string>;
  /** The error of all files overall. */
  overall?: string | undefined;
};

/** The server's messages, before any upload; without loaded limits, the server validates. */
export function validateAttachments(files: readonly SelectedFile[], limits: Limits | undefined): AttachmentErrors {
  const fileErrors = files.flatMap(({ id, file }): [string, string][] => {
    if (file.size === 0) return [[id, 'The file is empty']];
    if (limits && file.size > limits.maxFileBytes)
      return [[id, `The file is larger than ${describeSize(limits.maxFileBytes)}`]];
    return [];
  });
  return { files: new Map(fileErrors), overall: validateTotal(files, limits) };
}

function validateTotal(files: readonly SelectedFile[], limits: Limits | undefined): string | undefined {
  const most = limits?.maxFiles ?? MAX_FILES;
  if (files.length > most) return `A message can have at most ${most} files`;
  const left = limits?.availableBytes ?? null;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (left === null || bytes <= left) return undefined;
  return `You have ${describeSize(left)} left, and these files are larger. Delete messages with files you no longer need, or ask an administrator for more space.`;
}

export const hasErrors = ({ files, overall }: AttachmentErrors): boolean => files.size > 0 || overall !== undefined;
