import { readdirSync } from 'node:fs';
import { ITEM_TAGS, LIST_TAGS } from '@atrium/proto-events/change-tags';
import { envelope, subjectOf } from '@atrium/proto-events/event';
import { FANOUT } from '@atrium/proto-events/live-updates/fanout';
import { RESPONSES } from '@atrium/proto-events/responses/responses';
import { describe, expect, it } from '@jest/globals';
import { CHANGED_FIELDS } from './changed-fields.ts';
import { sampleRequests } from './response-requests.ts';
import { read } from './sources.ts';

const FIXTURES = readdirSync(new URL('../../proto-events/fixtures/', import.meta.url));
const FIELDS = [...new Set(Object.values(CHANGED_FIELDS).flat())];

type Data = Record<string, unknown>;

/** The samples of an event, and of those with changed fields a variant per field. */
function listSamples(subject: string): Data[] {
  const files = FIXTURES.filter((file) => file.startsWith(`${subject}.`));
  return files.flatMap((file) => {
    const { data } = envelope.parse(JSON.parse(read(`proto-events/fixtures/${file}`)));
    const sample: Data = { ...Object(data) };
    return 'changed' in sample ? [sample, ...FIELDS.map((field) => ({ ...sample, changed: [field] }))] : [sample];
  });
}

/** Removes the ids of tags. */
const kindsOf = (tags: readonly string[]) => [...new Set(tags.map((tag) => tag.split(':', 1).join()))].sort();

const sentTags = kindsOf(
  FANOUT.flatMap((row) =>
    listSamples(subjectOf(row.event)).flatMap((data) => row.toUpdates(data).flatMap(({ change }) => change.tags)),
  ),
);
const requestedTags = kindsOf(
  Object.entries(RESPONSES).flatMap(([path, definition]) =>
    definition.kind === 'static' ? [] : sampleRequests(path).flatMap((request) => definition.tags(request)),
  ),
);

describe('tags', () => {
  it('of responses are those that events send', () => {
    expect(requestedTags).toEqual(sentTags);
  });

  it('are all listed, and all used', () => {
    expect(requestedTags).toEqual([...LIST_TAGS, ...ITEM_TAGS].sort());
  });
});
