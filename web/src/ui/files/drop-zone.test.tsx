import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { buildFile, drag } from '#test/drag-files.ts';
import type { FilesHandler } from './collect-files.ts';
import { DropZone } from './drop-zone.tsx';

afterEach(cleanup);

const WORDS = 'Drop files here or click to choose';
const taken: string[][] = [];
const empty: string[][] = [];
const unread: string[][] = [];

function show(): void {
  taken.length = 0;
  empty.length = 0;
  unread.length = 0;
  const take: FilesHandler = (files, without) => {
    taken.push(files.map(({ name }) => name));
    empty.push(without?.emptyFolders ?? []);
    unread.push(without?.unread ?? []);
  };
  render(<DropZone onFiles={take}>{WORDS}</DropZone>);
}

const area = () => screen.getAllByText(WORDS)[0] as HTMLElement;

describe('a drop zone', () => {
  it('opens the file dialog by keyboard and by click, and accepts several files', async () => {
    show();
    const input = document.querySelector('input[type=file]') as HTMLInputElement;
    let opened = 0;
    input.addEventListener('click', () => opened++);
    await userEvent.click(area());
    (area().closest('button') as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    expect(opened).toBe(2);
    await userEvent.upload(input, [buildFile('one.txt'), buildFile('two.txt')]);
    expect(taken).toEqual([['one.txt', 'two.txt']]);
  });

  it('shows what dropping does during a drag, and accepts files and folders', async () => {
    show();
    drag('dragEnter', area(), [buildFile('one.txt'), buildFile('two.txt')]);
    await screen.findByText('Drop to upload');
    drag('drop', screen.getByText('Drop to upload'), [buildFile('one.txt'), buildFile('.DS_Store')]);
    await waitFor(() => expect(taken).toEqual([['one.txt', 'one.txt']]));
    expect(screen.queryByText('Drop to upload')).toBeNull();
  });

  it('accepts all files of nested folders except desktop metadata, and reports what yielded none', async () => {
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
    await waitFor(() => expect(taken).toEqual([['a.txt', 'b.txt', 'c.txt', 'd.txt']]));
    expect(empty).toEqual([['Nothing']]);
    // React Aria reports the folder, not the file.
    expect(unread).toEqual([['Locked']]);
  });
});
