import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { buildFile, drag } from '#test/drag-files.ts';
import type { FilesHandler } from './collect-files.ts';
import { DropZone } from './drop-zone.tsx';

afterEach(cleanup);

const PROMPT = 'Drop files here or click to choose';
const acceptedNames: string[][] = [];
const emptyFolders: string[][] = [];
const unreadNames: string[][] = [];

function show(): void {
  acceptedNames.length = 0;
  emptyFolders.length = 0;
  unreadNames.length = 0;
  const onFiles: FilesHandler = (files, skipped) => {
    acceptedNames.push(files.map(({ name }) => name));
    emptyFolders.push(skipped?.emptyFolders ?? []);
    unreadNames.push(skipped?.unread ?? []);
  };
  render(<DropZone onFiles={onFiles}>{PROMPT}</DropZone>);
}

const area = () => screen.getAllByText(PROMPT)[0] as HTMLElement;

describe('a drop zone', () => {
  it('opens the file dialog by keyboard and by click, and accepts several files', async () => {
    show();
    const input = document.querySelector('input[type=file]') as HTMLInputElement;
    let dialogCount = 0;
    input.addEventListener('click', () => dialogCount++);
    await userEvent.click(area());
    (area().closest('button') as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    expect(dialogCount).toBe(2);
    await userEvent.upload(input, [buildFile('one.txt'), buildFile('two.txt')]);
    expect(acceptedNames).toEqual([['one.txt', 'two.txt']]);
  });

  it('explains dropping during a drag, and accepts files and folders', async () => {
    show();
    drag('dragEnter', area(), [buildFile('one.txt'), buildFile('two.txt')]);
    await screen.findByText('Drop to upload');
    drag('drop', screen.getByText('Drop to upload'), [buildFile('one.txt'), buildFile('.DS_Store')]);
    await waitFor(() => expect(acceptedNames).toEqual([['one.txt', 'one.txt']]));
    expect(screen.queryByText('Drop to upload')).toBeNull();
  });

  it('accepts the files of nested folders except desktop metadata, and reports empty and unreadable folders', async () => {
    show();
    const folder = {
      name: 'Plans',
      holds: [
        buildFile('.DS_Store'),
        buildFile('a.txt'),
        {
          name: 'Old',
          holds: [buildFile('b.txt'), buildFile('desktop.ini'), buildFile('._b.txt'), buildFile('c.txt')],
        },
        { name: 'Nothing', holds: [buildFile('Thumbs.db')] },
        { name: 'Locked', holds: [buildFile('d.txt'), { unreadable: 'secret.txt' }] },
      ],
    };
    drag('dragEnter', area(), [], folder);
    drag('drop', screen.getByText('Drop to upload'), [], folder);
    await waitFor(() => expect(acceptedNames).toEqual([['a.txt', 'b.txt', 'c.txt', 'd.txt']]));
    expect(emptyFolders).toEqual([['Nothing']]);
    // React Aria reports the folder, not the file.
    expect(unreadNames).toEqual([['Locked']]);
  });
});
