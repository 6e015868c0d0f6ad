import { ChevronLeft, ChevronRight, Download, FolderPlus, Maximize, Minimize } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { areSingleKeysOn, keyLetter } from '#lib/single-key-shortcuts.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { describeSize } from '../document/document-labels.ts';
import { FileView } from './file-view.tsx';
import type { ViewedFile } from './viewed-file.ts';

function listen(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

// Full screen is not supported on iPhones.
const isFullScreen = () => Boolean(document.fullscreenElement);

function useFullScreen() {
  const isOn = useSyncExternalStore(listen, isFullScreen);
  useEffect(() => {
    return () => {
      if (isFullScreen()) void document.exitFullscreen();
    };
  }, []);
  const toggle = () => {
    // The browser rejects this without a user gesture, or under a permissions policy.
    const change = isFullScreen() ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { isOn, toggle: document.fullscreenEnabled ? toggle : undefined };
}

type Props = {
  files: readonly ViewedFile[];
  at: number;
  onNavigate: (at: number) => void;
  onClose: () => void;
};

export function FileViewer({ files, at, onNavigate, onClose }: Props) {
  const { isOn, toggle } = useFullScreen();
  const turn = (step: -1 | 1) => {
    if (files[at + step]) onNavigate(at + step);
  };
  useViewerKeys({ onNavigate: turn, onFullScreen: toggle });
  const file = files[at];
  if (!file) return null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={file.name}
      description={describeSize(file.size)}
      width={isOn ? 'whole' : 'screen'}
      actions={
        <>
          {file.onSave && (
            <Tooltip text="Save to Document Hub">
              <IconButton label="Save to Document Hub" onPress={file.onSave}>
                <FolderPlus />
              </IconButton>
            </Tooltip>
          )}
          {file.onDownload && (
            <Tooltip text="Download">
              <IconButton label={`Download ${file.name}`} onPress={file.onDownload}>
                <Download />
              </IconButton>
            </Tooltip>
          )}
          {toggle && (
            <Tooltip text={isOn ? 'Leave full screen (F)' : 'Full screen (F)'}>
              <IconButton label={isOn ? 'Leave full screen' : 'Full screen'} onPress={toggle}>
                {isOn ? <Minimize /> : <Maximize />}
              </IconButton>
            </Tooltip>
          )}
        </>
      }
    >
      <FileView file={file} />
      {files.length > 1 && (
        <Foot aria-label="Files">
          <IconButton label="Previous" isDisabled={at === 0} onPress={() => turn(-1)}>
            <ChevronLeft />
          </IconButton>
          <span role="status">
            {at + 1} of {files.length}
          </span>
          <IconButton label="Next" isDisabled={at === files.length - 1} onPress={() => turn(1)}>
            <ChevronRight />
          </IconButton>
        </Foot>
      )}
    </Dialog>
  );
}

const Foot = styled.nav`
  display: flex;
  align-items: center;
  justify-content: center;
  gap: ${theme.space[3]};
  padding: ${theme.space[1]} ${theme.space[4]};
  padding-bottom: max(${theme.space[1]}, env(safe-area-inset-bottom));
  border-top: 1px solid ${theme.color.line};
  color: ${theme.color.text2};
  font-variant-numeric: tabular-nums;
`;

type Keys = { onNavigate: (step: -1 | 1) => void; onFullScreen: (() => void) | undefined };

function useViewerKeys({ onNavigate, onFullScreen }: Keys): void {
  const press = useStableCallback((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target)) return;
    if (event.key === 'ArrowLeft') onNavigate(-1);
    else if (event.key === 'ArrowRight') onNavigate(1);
    else if (keyLetter(event) === 'f' && onFullScreen && areSingleKeysOn()) onFullScreen();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [press]);
}

/** Audio and video seek with the arrow keys, and wide content scrolls. */
function hasOwnKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, audio, video, [contenteditable]')) return true;
  return target.getAttribute('role') === 'region' && target.scrollWidth > target.clientWidth;
}
