import { describe, expect, it } from '@jest/globals';
import { viewerKind } from './viewer-kind.ts';

const TEXT = 'text/plain; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';

describe('viewerKind', () => {
  it.each([
    ['photo.png', 'image/png', 'image'],
    ['photo', 'image/jpeg', 'image'],
    ['plan.pdf', 'application/pdf', 'pdf'],
    ['notes.txt', TEXT, 'text'],
    ['notes.MD', TEXT, 'markdown'],
    ['notes', 'text/markdown', 'markdown'],
    ['figures.csv', CSV, 'table'],
    ['figures.tsv', TEXT, 'table'],
    ['figures', CSV, 'table'],
    ['settings.yaml', CSV, 'text'],
    ['data.json', 'application/json', 'text'],
    ['talk.mp3', 'audio/mpeg', 'audio'],
    ['talk.ogg', 'audio/ogg; codecs=opus', 'audio'],
    ['film.mp4', 'video/mp4', 'video'],
  ] as const)('shows %s of type %s as %s', (name, mimetype, kind) => {
    expect(viewerKind({ name, mimetype })).toBe(kind);
  });

  it.each([
    ['page.html', 'text/html'],
    ['page.html', TEXT],
    ['drawing.svg', 'image/svg+xml'],
    ['drawing.svg', 'application/xml'],
    ['drawing.svg', TEXT],
    ['page.xhtml', 'application/xhtml+xml'],
  ])('shows %s of type %s as plain text, never rendered', (name, mimetype) => {
    expect(viewerKind({ name, mimetype })).toBe('text');
  });

  it.each([
    ['plan.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['all.zip', 'application/zip'],
    ['notes.md', 'application/octet-stream'],
    ['page.pdf', 'application/x-msdownload'],
  ])('shows no preview of %s of type %s', (name, mimetype) => {
    expect(viewerKind({ name, mimetype })).toBe('none');
  });
});
