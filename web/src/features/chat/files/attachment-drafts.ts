import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getAttachmentLimits, MAX_ATTACHMENTS } from '@atrium/proto-events/http/chat/attachments';
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

const fileDraftOf = (conversationId: string): FileDraft => drafts.get().get(conversationId) ?? NONE;

function change(conversationId: string, edit: (draft: FileDraft) => FileDraft): void {
  drafts.change(drafts.owner(), (all) => {
    const next = edit(all.get(conversationId) ?? NONE);
    const otherEntries = [...all].filter(([id]) => id !== conversationId);
    return new Map(next.files.length === 0 ? otherEntries : [...otherEntries, [conversationId, next]]);
  });
}

export function useChosenFiles(conversationId: string): readonly SelectedFile[] {
  return useSyncExternalStore(drafts.subscribe, () => fileDraftOf(conversationId).files);
}

export function chooseFiles(conversationId: string, files: readonly File[]): void {
  const chosenFiles = files.map((file) => ({ id: newUuid(), file }));
  change(conversationId, (draft) => ({ ...draft, files: [...draft.files, ...chosenFiles] }));
}

export function dropFile(conversationId: string, id: string): void {
  change(conversationId, (draft) => ({ ...draft, files: draft.files.filter((file) => file.id !== id) }));
}

export function recordImageSize(conversationId: string, id: string, size: { width: number; height: number }): void {
  change(conversationId, (draft) => ({
    ...draft,
    files: draft.files.map((file) => (file.id === id ? { ...file, ...size } : file)),
  }));
}

/** Takes the files out of the draft; reuses the failed message's id if files and text are unchanged. */
export function takeFiles(conversationId: string, content: string): SentFiles {
  const { files, retryOf } = fileDraftOf(conversationId);
  const ids = (all: readonly SelectedFile[]) => all.map(({ id }) => id).join();
  const isSame = retryOf?.content === content && ids(retryOf.files) === ids(files);
  change(conversationId, () => NONE);
  return { clientMessageId: isSame ? retryOf.clientMessageId : newUuid(), content, files };
}

export const hasFiles = (conversationId: string): boolean => fileDraftOf(conversationId).files.length > 0;

/** Removes the files of messages that arrived after all, and keeps those selected since. */
export function withdrawFiles(conversationId: string, hasArrived: (clientMessageId: string) => boolean): boolean {
  const { retryOf } = fileDraftOf(conversationId);
  if (!retryOf || !hasArrived(retryOf.clientMessageId)) return false;
  const sent = new Set(retryOf.files.map(({ id }) => id));
  change(conversationId, ({ files }) => ({ files: files.filter(({ id }) => !sent.has(id)) }));
  return true;
}

export function returnFiles(conversationId: string, sent: SentFiles): void {
  change(conversationId, ({ files }) => ({
    files: [...sent.files, ...files],
    retryOf: files.length === 0 ? sent : undefined,
  }));
}

type Limits = ResponseOf<typeof getAttachmentLimits>;

const MAX_FILES: typeof MAX_ATTACHMENTS = 10;

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
