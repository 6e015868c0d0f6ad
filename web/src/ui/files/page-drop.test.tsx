import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { buildFile, drag } from '#test/drag-files.ts';
import type { FilesHandler } from './collect-files.ts';
import { DropZone } from './drop-zone.tsx';
import { PageDrop } from './page-drop.tsx';

afterEach(cleanup);

const acceptedNames: [by: string, ...names: string[]][] = [];
const recordFiles =
  (by: string): FilesHandler =>
  (files, skipped) => {
    acceptedNames.push([by, ...files.map(({ name }) => name), ...(skipped?.unread ?? []).map((name) => `not ${name}`)]);
  };

function show(isCovered = false): void {
  acceptedNames.length = 0;
  render(
    <>
      <PageDrop onFiles={recordFiles('page')}>Drop anywhere</PageDrop>
      <h1>Documents</h1>
      <input aria-label="Search" />
      <DropZone onFiles={recordFiles('zone')}>Drop here</DropZone>
      {isCovered && <div role="dialog" aria-label="Bin" />}
    </>,
  );
}

function paste(target: Element, ...files: File[]): void {
  const event = createEvent.paste(target);
  Object.defineProperty(event, 'clipboardData', { value: { files, items: [], types: ['Files'] } });
  fireEvent(target, event);
}

describe('a page that accepts files', () => {
  it('shows a hint during a drag, and accepts files and folders dropped outside its drop zone', async () => {
    show();
    drag('dragEnter', screen.getByRole('heading'), [buildFile('one.txt')]);
    await screen.findByText('Drop anywhere');
    drag('drop', screen.getByRole('heading'), [buildFile('one.txt'), buildFile('.DS_Store')]);
    await waitFor(() => expect(acceptedNames).toEqual([['page', 'one.txt', 'one.txt']]));
    expect(screen.queryByText('Drop anywhere')).toBeNull();
  });

  it('leaves drops on its drop zone to the drop zone', async () => {
    show();
    const zone = () => screen.getAllByText(/Drop here|Drop to upload/)[0] as HTMLElement;
    drag('dragEnter', zone(), [buildFile('one.txt')]);
    drag('drop', zone(), [buildFile('one.txt')]);
    await waitFor(() => expect(acceptedNames).toEqual([['zone', 'one.txt', 'one.txt']]));
  });

  it('accepts pasted files, except in a field', () => {
    show();
    paste(screen.getByLabelText('Search'), buildFile('one.txt'));
    paste(screen.getByRole('heading'), buildFile('two.txt'));
    paste(screen.getByRole('heading'));
    expect(acceptedNames).toEqual([['page', 'two.txt']]);
  });

  it('accepts the readable files of a folder, and reports the others', async () => {
    show();
    const folder = { name: 'Plans', holds: [buildFile('a.txt'), { unreadable: 'secret.txt' }, buildFile('b.txt')] };
    drag('drop', screen.getByRole('heading'), [], folder);
    await waitFor(() => expect(acceptedNames).toEqual([['page', 'a.txt', 'b.txt', 'not secret.txt']]));
  });

  it('accepts nothing below a dialog', () => {
    show(true);
    paste(screen.getByRole('heading'), buildFile('one.txt'));
    drag('drop', screen.getByRole('heading'), [buildFile('two.txt')]);
    expect(acceptedNames).toEqual([]);
  });
});
