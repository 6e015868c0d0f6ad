import '../../../test/browser-gaps.ts';
import '../../../test/retry-timeouts.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { buildFile, drag } from '../../../test/drag-files.ts';
import type { TakeFiles } from './collect-files.ts';
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
  const take: TakeFiles = (files, without) => {
    taken.push(files.map(({ name }) => name));
    empty.push(without?.emptyFolders ?? []);
    unread.push(without?.unread ?? []);
  };
  render(<DropZone onFiles={take}>{WORDS}</DropZone>);
}

const area = () => screen.getAllByText(WORDS)[0] as HTMLElement;

describe('a place for files', () => {
  it('opens the choice of files by keyboard as by a click, and takes several at once', async () => {
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

  it('says what letting go does while files are over it, and takes what is dropped, folders too', async () => {
    show();
    drag('dragEnter', area(), [buildFile('one.txt'), buildFile('two.txt')]);
    await screen.findByText('Let go to upload');
    drag('drop', screen.getByText('Let go to upload'), [buildFile('one.txt'), buildFile('.DS_Store')]);
    await waitFor(() => expect(taken).toEqual([['one.txt', 'one.txt']]));
    expect(screen.queryByText('Let go to upload')).toBeNull();
  });

  it('takes all that is in a folder and those in it, but for what the desktop put there, and tells of what made none', async () => {
    show();
    const folder = {
      name: 'Plans',
      holds: [
        buildFile('.DS_Store'),
        buildFile('a.txt'),
        { name: 'Old', holds: [buildFile('b.txt'), buildFile('desktop.ini'), buildFile('._b.txt'), buildFile('c.txt')] },
        { name: 'Nothing', holds: [buildFile('Thumbs.db')] },
        { name: 'Locked', holds: [buildFile('d.txt'), { unreadable: 'secret.txt' }] },
      ],
    };
    drag('dragEnter', area(), [], folder);
    drag('drop', screen.getByText('Let go to upload'), [], folder);
    await waitFor(() => expect(taken).toEqual([['a.txt', 'b.txt', 'c.txt', 'd.txt']]));
    expect(empty).toEqual([['Nothing']]);
    // React Aria says of a folder, not of which file.
    expect(unread).toEqual([['Locked']]);
  });
});
