import { useSyncExternalStore } from 'react';
import { newUuid } from '#lib/new-uuid.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** A selected file; images have their size in pixels once the browser has displayed them. */
export type SelectedFile = { id: string; file: File; width?: number; height?: number };

export type SentFiles = { clientMessageId: string; content: string; files: readonly SelectedFile[] };

type FileDraft = {
  files: readonly SelectedFile[];
  /** The failed message they returned from, whose id is reused if nothing changed. */
  retryOf?: SentFiles | undefined;
};

const NONE: FileDraft = { files: [] };

/** Selected files by conversation. In memory only, because browsers cannot store files for another page. */
const drafts = createUserScopedStore<ReadonlyMap<string, FileDraft>>(() => new Map());

const draftOf = (conversation: string): FileDraft => drafts.get().get(conversation) ?? NONE;

function change(conversation: string, edit: (draft: FileDraft) => FileDraft): void {
  drafts.change(drafts.owner(), (all) => {
    const next = edit(all.get(conversation) ?? NONE);
    const others = [...all].filter(([id]) => id !== conversation);
    return new Map(next.files.length === 0 ? others : [...others, [conversation, next]]);
  });
}

export function useChosenFiles(conversation: string): readonly SelectedFile[] {
  return useSyncExternalStore(drafts.subscribe, () => draftOf(conversation).files);
}

export function chooseFiles(conversation: string, files: readonly File[]): void {
  const chosen = files.map((file) => ({ id: newUuid(), file }));
  change(conversation, (draft) => ({ ...draft, files: [...draft.files, ...chosen] }));
}

export function dropFile(conversation: string, id: string): void {
  change(conversation, (draft) => ({ ...draft, files: draft.files.filter((one) => one.id !== id) }));
}

export function recordImageSize(conversation: string, id: string, size: { width: number; height: number }): void {
  change(conversation, (draft) => ({
    ...draft,
    files: draft.files.map((one) => (one.id === id ? { ...one, ...size } : one)),
  }));
}

/** Removes and returns the selected files, with the failed message's id if files and text are unchanged. */
export function takeFiles(conversation: string, content: string): SentFiles {
  const { files, retryOf } = draftOf(conversation);
  const ids = (all: readonly SelectedFile[]) => all.map(({ id }) => id).join();
  const isSame = retryOf?.content === content && ids(retryOf.files) === ids(files);
  change(conversation, () => NONE);
  return { clientMessageId: isSame ? retryOf.clientMessageId : newUuid(), content, files };
}

export const hasFiles = (conversation: string): boolean => draftOf(conversation).files.length > 0;

/** Removes the files of messages that arrived after all, and keeps those selected since. */
export function withdrawFiles(conversation: string, hasArrived: (clientMessageId: string) => boolean): void {
  const { retryOf } = draftOf(conversation);
  if (!retryOf || !hasArrived(retryOf.clientMessageId)) return;
  const sent = new Set(retryOf.files.map(({ id }) => id));
  change(conversation, ({ files }) => ({ files: files.filter(({ id }) => !sent.has(id)) }));
}

/** Puts the files of a failed message before those selected since. */
export function returnFiles(conversation: string, sent: SentFiles): void {
  change(conversation, ({ files }) => ({
    files: [...sent.files, ...files],
    retryOf: files.length === 0 ? sent : undefined,
  }));
}
