import { useSyncExternalStore } from 'react';
import { newUuid } from '../../../lib/new-uuid.ts';
import { createUserScopedStore } from '../../../lib/session/user-scoped-store.ts';

/** A file that was chosen for a message; an image has its size in pixels once a browser has shown it. */
export type ChosenFile = { id: string; file: File; width?: number; height?: number };

/** A message with files as it was sent. */
export type SentFiles = { clientMessageId: string; content: string; files: readonly ChosenFile[] };

type FileDraft = {
  files: readonly ChosenFile[];
  /** What they came back from: sending the same again cannot make a second message of it. */
  retryOf?: SentFiles | undefined;
};

const NONE: FileDraft = { files: [] };

/** Chosen and not sent, by conversation. They are in memory alone: a browser keeps no file for a page that is gone. */
const drafts = createUserScopedStore<ReadonlyMap<string, FileDraft>>(() => new Map());

const draftOf = (conversation: string): FileDraft => drafts.get().get(conversation) ?? NONE;

function change(conversation: string, edit: (draft: FileDraft) => FileDraft): void {
  drafts.change(drafts.owner(), (all) => {
    const next = edit(all.get(conversation) ?? NONE);
    const others = [...all].filter(([id]) => id !== conversation);
    return new Map(next.files.length === 0 ? others : [...others, [conversation, next]]);
  });
}

export function useChosenFiles(conversation: string): readonly ChosenFile[] {
  return useSyncExternalStore(drafts.subscribe, () => draftOf(conversation).files);
}

export function chooseFiles(conversation: string, files: readonly File[]): void {
  const chosen = files.map((file) => ({ id: newUuid(), file }));
  change(conversation, (draft) => ({ ...draft, files: [...draft.files, ...chosen] }));
}

export function dropFile(conversation: string, id: string): void {
  change(conversation, (draft) => ({ ...draft, files: draft.files.filter((one) => one.id !== id) }));
}

export function noteImageSize(conversation: string, id: string, size: { width: number; height: number }): void {
  change(conversation, (draft) => ({
    ...draft,
    files: draft.files.map((one) => (one.id === id ? { ...one, ...size } : one)),
  }));
}

/** Takes the chosen files out, to be sent with that text: under the id that the same text and files had before, or another. */
export function takeFiles(conversation: string, content: string): SentFiles {
  const { files, retryOf } = draftOf(conversation);
  const ids = (all: readonly ChosenFile[]) => all.map(({ id }) => id).join();
  const isSame = retryOf?.content === content && ids(retryOf.files) === ids(files);
  change(conversation, () => NONE);
  return { clientMessageId: isSame ? retryOf.clientMessageId : newUuid(), content, files };
}

export const hasFiles = (conversation: string): boolean => draftOf(conversation).files.length > 0;

/** Removes files of a message that arrived after all; those that were chosen since stay. */
export function withdrawFiles(conversation: string, isThere: (clientMessageId: string) => boolean): void {
  const { retryOf } = draftOf(conversation);
  if (!retryOf || !isThere(retryOf.clientMessageId)) return;
  const sent = new Set(retryOf.files.map(({ id }) => id));
  change(conversation, ({ files }) => ({ files: files.filter(({ id }) => !sent.has(id)) }));
}

/** Puts the files of a message into the composer again, before those that were chosen since. */
export function returnFiles(conversation: string, sent: SentFiles): void {
  change(conversation, ({ files }) => ({
    files: [...sent.files, ...files],
    retryOf: files.length === 0 ? sent : undefined,
  }));
}
