import type { Preview, ThumbnailErrorReason } from '@atrium/proto-events/preview';

/** A file as the viewer is given it; of what it is a file does not matter there. `size` in bytes, `mimetype` as found from them. */
export type ViewedFile = {
  /** Tells it from every other, and from what it was before. */
  key: string;
  name: string;
  mimetype: string;
  size: number;
  /** Asks for a link that shows it, a new one each time: links run out. */
  getLink: () => Promise<Preview>;
  /** Absent where it cannot be had any more. */
  onDownload?: (() => void) | undefined;
  /** Makes a document of it; absent of what is one. */
  onSave?: (() => void) | undefined;
};

/** What every view is given: the file, a link that works now, and how to get another. */
export type ViewProps = {
  file: ViewedFile;
  url: string;
  /** Rejects where there is none any more. */
  renew: () => Promise<string>;
  /** Shows instead that there is nothing to see. */
  onFailure: (words: string) => void;
};

/** Why there is no picture of an image, in words. */
export const NO_PICTURE: Record<ThumbnailErrorReason, string> = {
  'too-large': 'This image is too large to preview',
  damaged: 'This image is damaged',
};

export const NO_PREVIEW = 'Failed to load the preview';
