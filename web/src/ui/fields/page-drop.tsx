import { type ReactNode, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { useStableCallback } from '../../lib/use-stable-callback.ts';
import { theme } from '../theme.ts';
import { isOfTheDesktop } from './drop-zone.tsx';

type Props = { onFiles: (files: File[]) => void; children: ReactNode };

/**
 * Takes files and folders that are dropped anywhere in the window, and files that are pasted outside of a field. While a dialog is open over
 * the page nothing is taken, and the browser does not leave the page for the file either.
 */
export function PageDrop({ onFiles, children }: Props) {
  const [isOver, setOver] = useState(false);
  const take = useStableCallback((files: File[]) => {
    if (files.length > 0) onFiles(files);
  });
  useEffect(() => {
    const ends: (() => void)[] = [];
    const listen = <K extends keyof WindowEventMap>(
      kind: K,
      hear: (event: WindowEventMap[K]) => void,
      capture = false,
    ) => {
      window.addEventListener(kind, hear, capture);
      ends.push(() => window.removeEventListener(kind, hear, capture));
    };
    // Before the place for files on the page, which keeps what is its own to itself.
    listen('dragenter', (event) => setOver(hasFiles(event) && !isCovered()), true);
    listen('dragleave', (event) => event.relatedTarget === null && setOver(false), true);
    listen('drop', () => setOver(false), true);
    listen('dragover', (event) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isCovered() ? 'none' : 'copy';
    });
    listen('drop', (event) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (!isCovered()) void filesOf(event.dataTransfer).then(take);
    });
    listen('paste', (event) => {
      if (event.defaultPrevented || isCovered() || isField(event.target)) return;
      take([...(event.clipboardData?.files ?? [])]);
    });
    return () => {
      for (const end of ends) end();
    };
  }, [take]);
  return isOver && <Hint aria-hidden="true">{children}</Hint>;
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
const isCovered = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;

/** Entries have to be asked for while the drop is told of; what is in them comes later. */
async function filesOf(dropped: DataTransfer | null): Promise<File[]> {
  const given = [...(dropped?.items ?? [])].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files = await Promise.all(
    given.map(async ({ entry, file }) => (entry?.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : file)),
  );
  return files.flat().filter((file) => file !== null && !isOfTheDesktop(file.name)) as File[];
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    // A hundred at most come at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const entry of entries) {
      if (entry.isDirectory) files.push(...(await filesIn(entry as FileSystemDirectoryEntry)));
      else
        files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    }
  }
}

const Hint = styled.div`
  position: fixed;
  inset: ${theme.space[2]};
  z-index: ${theme.layer.overlay};
  display: grid;
  place-items: center;
  border: 2px dashed ${theme.color.accent};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.accentSoft};
  color: ${theme.color.accent};
  font: 500 ${theme.text.md};
  opacity: 0.92;
  pointer-events: none;
`;
