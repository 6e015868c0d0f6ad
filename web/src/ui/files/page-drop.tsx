import { type ReactNode, useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { isCovered } from '../overlays/is-covered.ts';
import { theme } from '../theme.ts';
import {
  type CollectedFiles,
  type FilesHandler,
  filesOfTransfer,
  individualFiles,
  passFiles,
} from './collect-files.ts';
import { hasFiles } from './has-files.ts';

type Props = { onFiles: FilesHandler; children: ReactNode };

/**
 * Accepts files and folders dropped anywhere in the window, and files pasted outside a field. While a dialog is
 * open, it accepts nothing and still prevents navigation to the file.
 */
export function PageDrop({ onFiles, children }: Props) {
  const [isOver, setOver] = useState(false);
  const acceptFiles = useStableCallback((collected: CollectedFiles) => passFiles(onFiles, collected));
  useEffect(() => {
    const cleanups: (() => void)[] = [];
    const listen = <K extends keyof WindowEventMap>(
      kind: K,
      listener: (event: WindowEventMap[K]) => void,
      capture = false,
    ) => {
      window.addEventListener(kind, listener, capture);
      cleanups.push(() => window.removeEventListener(kind, listener, capture));
    };
    // Runs in the capture phase, before the drop zone of the page stops propagation.
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
      if (!isCovered()) void filesOfTransfer(event.dataTransfer).then(acceptFiles);
    });
    listen('paste', (event) => {
      if (event.defaultPrevented || isCovered() || isField(event.target)) return;
      acceptFiles(individualFiles([...(event.clipboardData?.files ?? [])]));
    });
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  }, [acceptFiles]);
  return isOver && <Hint aria-hidden="true">{children}</Hint>;
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;

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
