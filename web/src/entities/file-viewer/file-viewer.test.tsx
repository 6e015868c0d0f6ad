import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FileViewer } from './file-viewer.tsx';
import type { ViewedFile } from './viewed-file.ts';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const buildFile = (name: string, mimetype: string, overrides: Partial<ViewedFile> = {}): ViewedFile => ({
  key: name,
  name,
  mimetype,
  size: 2_048,
  getLink: async () => ({ state: 'ready', url: `/${name}`, mimetype }),
  ...overrides,
});

const FILES = [buildFile('a.png', 'image/png'), buildFile('b.mp4', 'video/mp4'), buildFile('c.zip', 'application/zip')];

function show(files: readonly ViewedFile[], at: number) {
  const onNavigate = jest.fn<(at: number) => void>();
  const onClose = jest.fn<() => void>();
  render(<FileViewer files={files} at={at} onNavigate={onNavigate} onClose={onClose} />);
  return { onNavigate, onClose };
}

describe('the file viewer', () => {
  it('moves with the arrow keys within the list, and closes with Escape', async () => {
    const { onNavigate, onClose } = show(FILES, 0);
    expect((await screen.findByRole('img', { name: 'a.png' })).getAttribute('src')).toBe('/a.png');
    await userEvent.keyboard('{ArrowLeft}');
    expect(onNavigate).not.toHaveBeenCalled();
    await userEvent.keyboard('{ArrowRight}');
    expect(onNavigate).toHaveBeenCalledWith(1);
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalled();
  });

  it('leaves the arrow keys to a focused video', async () => {
    const { onNavigate } = show(FILES, 1);
    const film = await waitFor(() => filmIn(document));
    fireEvent.keyDown(film, { key: 'ArrowRight' });
    expect(onNavigate).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(onNavigate).toHaveBeenCalledWith(2);
  });

  it('requests no link for a file it cannot preview, and offers a download while the file exists', async () => {
    const getLink = jest.fn<ViewedFile['getLink']>();
    const onDownload = jest.fn<() => void>();
    show([buildFile('c.zip', 'application/zip', { getLink, onDownload })], 0);
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(onDownload).toHaveBeenCalledTimes(1);
    expect(getLink).not.toHaveBeenCalled();
    cleanup();
    show([buildFile('c.zip', 'application/zip', { getLink })], 0);
    screen.getByText('The file is no longer in storage');
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });

  it('polls for an image that is being processed', async () => {
    const getLink = jest
      .fn<ViewedFile['getLink']>()
      .mockResolvedValueOnce({ state: 'pending' })
      .mockResolvedValue({ state: 'ready', url: '/thumbnail', mimetype: 'image/webp' });
    show([buildFile('a.png', 'image/png', { getLink })], 0);
    await screen.findByText('Loading the preview');
    expect((await screen.findByRole('img', { name: 'a.png' })).getAttribute('src')).toBe('/thumbnail');
  });

  it('continues a video with a new link when its link expires, and reports one that cannot be played', async () => {
    const film = await showFilm();
    expect(film.getAttribute('src')).toBe('/link-1');
    film.currentTime = 42;
    fireEvent.timeUpdate(film);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 5 * 60_000);
    failBy(film, NO_SOURCE);
    await waitFor(() => expect(film.getAttribute('src')).toBe('/link-2'));
    film.currentTime = 0;
    fireEvent.loadedMetadata(film);
    expect(film.currentTime).toBe(42);
    failBy(film, NO_SOURCE);
    await screen.findByText('This browser cannot play this file');
  });

  it('continues a video with a new link after a network failure, without reporting it as unplayable', async () => {
    const film = await showFilm();
    failBy(film, NETWORK);
    await waitFor(() => expect(film.getAttribute('src')).toBe('/link-2'));
    failBy(film, NETWORK);
    await screen.findByText('Failed to load the preview');
    expect(screen.queryByText('This browser cannot play this file')).toBeNull();
  });
});

const NETWORK = 2;
const NO_SOURCE = 4;

/** Shows a video that gets a different link with each request. */
async function showFilm(): Promise<HTMLVideoElement> {
  let requests = 0;
  const getLink = async () => {
    requests += 1;
    return { state: 'ready', url: `/link-${requests}`, mimetype: 'video/mp4' } as const;
  };
  show([buildFile('b.mp4', 'video/mp4', { getLink, onDownload: () => undefined })], 0);
  return waitFor(() => filmIn(document));
}

function failBy(film: HTMLVideoElement, code: number): void {
  Object.defineProperty(film, 'error', { value: { code }, configurable: true });
  fireEvent.error(film);
}

/** Queries by tag, because a video has no role. */
function filmIn(container: Document): HTMLVideoElement {
  const film = container.querySelector('video');
  if (!film) throw new Error('Video element not found');
  return film;
}
