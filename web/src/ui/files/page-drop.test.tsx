import '../../../test/browser-gaps.ts';
import '../../../test/retry-timeouts.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { buildFile, drag } from '../../../test/drag-files.ts';
import type { TakeFiles } from './collect-files.ts';
import { DropZone } from './drop-zone.tsx';
import { PageDrop } from './page-drop.tsx';

afterEach(cleanup);

const taken: [by: string, ...names: string[]][] = [];
const take =
  (by: string): TakeFiles =>
  (files, without) => {
    taken.push([by, ...files.map(({ name }) => name), ...(without?.unread ?? []).map((name) => `not ${name}`)]);
  };

function show(isCovered = false): void {
  taken.length = 0;
  render(
    <>
      <PageDrop onFiles={take('page')}>Let go anywhere</PageDrop>
      <h1>Documents</h1>
      <input aria-label="Search" />
      <DropZone onFiles={take('zone')}>Drop here</DropZone>
      {isCovered && <div role="dialog" aria-label="Bin" />}
    </>,
  );
}

function paste(into: Element, ...files: File[]): void {
  const event = createEvent.paste(into);
  Object.defineProperty(event, 'clipboardData', { value: { files, items: [], types: ['Files'] } });
  fireEvent(into, event);
}

describe('a page that takes files', () => {
  it('says so while they are over it, and takes what is dropped beside the place for them, folders too', async () => {
    show();
    drag('dragEnter', screen.getByRole('heading'), [buildFile('one.txt')]);
    await screen.findByText('Let go anywhere');
    drag('drop', screen.getByRole('heading'), [buildFile('one.txt'), buildFile('.DS_Store')]);
    await waitFor(() => expect(taken).toEqual([['page', 'one.txt', 'one.txt']]));
    expect(screen.queryByText('Let go anywhere')).toBeNull();
  });

  it('leaves to the place for files what is dropped there', async () => {
    show();
    const zone = () => screen.getAllByText(/Drop here|Let go to upload/)[0] as HTMLElement;
    drag('dragEnter', zone(), [buildFile('one.txt')]);
    drag('drop', zone(), [buildFile('one.txt')]);
    await waitFor(() => expect(taken).toEqual([['zone', 'one.txt', 'one.txt']]));
  });

  it('takes what is pasted, but not into a field', () => {
    show();
    paste(screen.getByLabelText('Search'), buildFile('one.txt'));
    paste(screen.getByRole('heading'), buildFile('two.txt'));
    paste(screen.getByRole('heading'));
    expect(taken).toEqual([['page', 'two.txt']]);
  });

  it('takes from a folder what can be read, and says what cannot', async () => {
    show();
    const folder = { name: 'Plans', holds: [buildFile('a.txt'), { unreadable: 'secret.txt' }, buildFile('b.txt')] };
    drag('drop', screen.getByRole('heading'), [], folder);
    await waitFor(() => expect(taken).toEqual([['page', 'a.txt', 'b.txt', 'not secret.txt']]));
  });

  it('takes nothing under a dialog', () => {
    show(true);
    paste(screen.getByRole('heading'), buildFile('one.txt'));
    drag('drop', screen.getByRole('heading'), [buildFile('two.txt')]);
    expect(taken).toEqual([]);
  });
});
