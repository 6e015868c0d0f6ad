import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getAttachmentLimits } from '@atrium/proto-events/http/chat-attachments';
import { useSyncExternalStore } from 'react';
import { describeSize } from '#entities/document/document-labels.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** An image has its size in pixels once the browser has displayed it. */
export type SelectedFile = { id: string; file: File; width?: number; height?: number };

export type SentFiles = { clientMessageId: string; content: string; files: readonly SelectedFile[] };

type FileDraft = {
  files: readonly SelectedFile[];
  /** The failed message whose files were returned; its id is reused if nothing changed. */
  retryOf?: SentFiles | undefined;
};

const NONE: FileDraft = { files: [] };

/** Selected files by conversation. In memory only, because browsers cannot store files for another page. */
const drafts = createUserScopedStore<ReadonlyMap<string, FileDraft>>(() => new Map());

const fileDraftOf = (conversation: string): FileDraft => drafts.get().get(conversation) ?? NONE;

function change(conversation: string, edit: (draft: FileDraft) => FileDraft): void {
  drafts.change(drafts.owner(), (all) => {
    const next = edit(all.get(conversation) ?? NONE);
    const otherEntries = [...all].filter(([id]) => id !== conversation);
    return new Map(next.files.length === 0 ? otherEntries : [...otherEntries, [conversation, next]]);
  });
}

export function useChosenFiles(conversation: string): readonly SelectedFile[] {
  return useSyncExternalStore(drafts.subscribe, () => fileDraftOf(conversation).files);
}

export function chooseFiles(conversation: string, files: readonly File[]): void {
  const chosenFiles = files.map((file) => ({ id: newUuid(), file }));
  change(conversation, (draft) => ({ ...draft, files: [...draft.files, ...chosenFiles] }));
}

export function dropFile(conversation: string, id: string): void {
  change(conversation, (draft) => ({ ...draft, files: draft.files.filter((file) => file.id !== id) }));
}

export function recordImageSize(conversation: string, id: string, size: { width: number; height: number }): void {
  change(conversation, (draft) => ({
    ...draft,
    files: draft.files.map((file) => (file.id === id ? { ...file, ...size } : file)),
  }));
}

/** Takes the files out of the draft; reuses the failed message's id if files and text are unchanged. */
export function takeFiles(conversation: string, content: string): SentFiles {
  const { files, retryOf } = fileDraftOf(conversation);
  const ids = (all: readonly SelectedFile[]) => all.map(({ id }) => id).join();
  const isSame = retryOf?.content === content && ids(retryOf.files) === ids(files);
  change(conversation, () => NONE);
  return { clientMessageId: isSame ? retryOf.clientMessageId : newUuid(), content, files };
}

export const hasFiles = (conversation: string): boolean => fileDraftOf(conversation).files.length > 0;

/** Removes the files of messages that arrived after all, and keeps those selected since. */
export function withdrawFiles(conversation: string, hasArrived: (clientMessageId: string) => boolean): void {
  const { retryOf } = fileDraftOf(conversation);
  if (!retryOf || !hasArrived(retryOf.clientMessageId)) return;
  const sent = new Set(retryOf.files.map(({ id }) => id));
  change(conversation, ({ files }) => ({ files: files.filter(({ id }) => !sent.has(id)) }));
}

export function returnFiles(conversation: string, sent: SentFiles): void {
  change(conversation, ({ files }) => ({
    files: [...sent.files, ...files],
    retryOf: files.length === 0 ? sent : undefined,
  }));
}

type Limits = ResponseOf<typeof getAttachmentLimits>;

/** The limit in the contract of `sendMessage`. */
const MAX_FILES = 10;

export type AttachmentErrors = {
  /** By file id. */
  files: ReadonlyMap<string, string>;
  overall?: string | undefined;
};

/** Returns the same messages as the server. Without loaded limits, only the server validates sizes. */
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
  const maxFiles = limits?.maxFiles ?? MAX_FILES;
  if (files.length > maxFiles) return `A message can have at most ${maxFiles} files`;
  const available = limits?.availableBytes ?? null;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (available === null || bytes <= available) return undefined;
  return `You have ${describeSize(available)} left, and these files are larger. Delete messages with files you no longer need, or ask an administrator for more space.`;
}

export const hasErrors = ({ files, overall }: AttachmentErrors): boolean => files.size > 0 || overall !== undefined;
