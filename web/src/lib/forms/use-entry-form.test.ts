import { optionalPhone } from '@atrium/proto-events/fields';
import { updateDocumentBody } from '@atrium/proto-events/http/documents';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { formResolver } from './use-entry-form.ts';

const options = { fields: {}, shouldUseNativeValidation: false } as const;

describe('formResolver', () => {
  it.each([
    ['a tag of 51 characters', 'x'.repeat(51)],
    ['31 tags', Array.from({ length: 31 }, (_, index) => `tag ${index}`).join()],
    ['more characters than all tags can have', 'x'.repeat(6_000)],
    ['a list of 200 tags', Array.from({ length: 200 }, (_, index) => `tag ${index}`)],
  ])('shows the rule for tags when the input is %s', async (_, tags) => {
    const { errors } = await formResolver(updateDocumentBody)({ tags }, undefined, options);
    expect(errors).toMatchObject({ tags: { message: 'At most 30 tags of 50 characters' } });
  });

  it('shows the message of a union and not that of its first member', async () => {
    const { errors } = await formResolver(z.object({ phone: optionalPhone }))({ phone: 'none' }, undefined, options);
    expect(errors).toMatchObject({ phone: { message: 'Please enter a valid phone number' } });
  });

  it('shows the first issue of each field, including fields in lists', async () => {
    const schema = z.object({ items: z.array(z.object({ title: z.string().min(2, 'Too short').regex(/a/, 'No a') })) });
    const { errors } = await formResolver(schema)({ items: [{ title: 'xa' }, { title: 'x' }] }, undefined, options);
    expect(errors.items?.[0]).toBeUndefined();
    expect(errors.items?.[1]?.title).toMatchObject({ message: 'Too short' });
  });

  it('returns the parsed values', async () => {
    const schema = z.object({ name: z.string().trim() });
    expect(await formResolver(schema)({ name: ' Lena ' }, undefined, options)).toEqual({
      values: { name: 'Lena' },
      errors: {},
    });
  });
});
