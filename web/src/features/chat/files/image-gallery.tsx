import { ChevronLeft, ChevronRight, Download, FolderPlus, ImageOff, Maximize, Minimize } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { styled } from 'styled-components';
import { describeSize } from '../../../entities/document/document-words.ts';
import { useFullScreen } from '../../../entities/file/use-full-screen.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../../ui/pages/empty-state.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { theme } from '../../../ui/theme.ts';
import type { Picture } from './pictures.ts';
import { useAttachmentDownload } from './use-attachment-download.ts';
import { useLink } from './use-link.ts';
import { useSaveAttachment } from './use-save-attachment.ts';

type Props = {
  images: readonly Picture[];
  /** The id of the one that is shown. */
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
};

/** Images large, one at a time. One that is deleted meanwhile takes the gallery with it. */
export function ImageGallery({ images, shown, onShow, onClose }: Props) {
  const index = images.findIndex(({ _id }) => _id === shown);
  const image = images[index];
  const isGone = image === undefined;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isGone) close();
  }, [isGone]);
  if (!image) return null;
  return <Opened image={image} images={images} index={index} onShow={onShow} onClose={onClose} />;
}

type OpenedProps = Omit<Props, 'shown'> & { image: Picture; index: number };

function Opened({ image, images, index, onShow, onClose }: OpenedProps) {
  const fullScreen = useFullScreen();
  const download = useAttachmentDownload();
  const save = useSaveAttachment();
  const before = images[index - 1];
  const after = images[index + 1];
  useArrows({ onLeft: () => before && onShow(before._id), onRight: () => after && onShow(after._id) });
  const place = images.length > 1 ? `${index + 1} of ${images.length} · ` : '';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={image.name}
      description={`${place}${describeSize(image.size)}`}
      width="screen"
      isDismissable
    >
      <Stage>
        <LargeImage key={image._id} image={image} />
        <Side $side="left">
          {before && (
            <IconButton label="Previous image" onPress={() => onShow(before._id)}>
              <ChevronLeft />
            </IconButton>
          )}
        </Side>
        <Side $side="right">
          {after && (
            <IconButton label="Next image" onPress={() => onShow(after._id)}>
              <ChevronRight />
            </IconButton>
          )}
        </Side>
        {fullScreen.toggle && (
          <Corner>
            <IconButton label={fullScreen.isOn ? 'Leave full screen' : 'Full screen'} onPress={fullScreen.toggle}>
              {fullScreen.isOn ? <Minimize /> : <Maximize />}
            </IconButton>
          </Corner>
        )}
      </Stage>
      <Foot>
        <Button
          icon={<FolderPlus />}
          isBusy={save.underWay.includes(image._id)}
          onPress={() => void save.run(image._id)}
        >
          Save to Document Hub
        </Button>
        <Button icon={<Download />} isBusy={download.isBusy} onPress={() => void download.run(image._id)}>
          Download
        </Button>
      </Foot>
    </Dialog>
  );
}

function LargeImage({ image: { _id, name, width, height } }: { image: Picture }) {
  const { url, hasFailed, onError, retry } = useLink(_id, true);
  if (hasFailed)
    return (
      <EmptyState
        icon={<ImageOff />}
        title="The image could not be loaded"
        action={<Button onPress={retry}>Try again</Button>}
      />
    );
  if (url === undefined) return <Spinner label="Loading image" />;
  return <img src={url} alt={name} width={width} height={height} onError={onError} />;
}

/** Wherever in the dialog the focus is. */
function useArrows({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }): void {
  const follow = useEffectEvent(({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
    if (altKey || ctrlKey || metaKey) return;
    if (key === 'ArrowLeft') onLeft();
    if (key === 'ArrowRight') onRight();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => follow(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

const Stage = styled.div`
  position: relative;
  display: grid;
  place-items: center;
  flex: 1;
  min-height: 0;
  background: ${theme.color.sunken};
  overflow: hidden;
  img {
    display: block;
    max-width: 100%;
    max-height: 100%;
    width: auto;
    height: auto;
    min-width: 0;
    min-height: 0;
    object-fit: contain;
  }
`;

const Side = styled.div<{ $side: 'left' | 'right' }>`
  position: absolute;
  top: calc(50% - 22px);
  ${({ $side }) => $side}: ${theme.space[3]};
  > button {
    border: 1px solid ${theme.color.line};
    background: ${theme.color.surface};
    box-shadow: ${theme.shadow.float};
  }
`;

const Corner = styled.div`
  position: absolute;
  top: ${theme.space[3]};
  right: ${theme.space[3]};
  > button {
    border: 1px solid ${theme.color.line};
    background: ${theme.color.surface};
    box-shadow: ${theme.shadow.float};
  }
`;

const Foot = styled.footer`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: ${theme.space[2]};
  padding: ${theme.space[3]} ${theme.space[6]};
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]} calc(${theme.space[3]} + env(safe-area-inset-bottom));
  }
`;
