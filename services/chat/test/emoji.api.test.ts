import { emojiChanged } from '@atrium/proto-events/events/chat';
import { type CustomEmoji, MAX_CUSTOM_EMOJI } from '@atrium/proto-events/http/chat/emoji';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { recordResponse } from '@atrium/test-kit/coverage-records';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createGroup, type People, request, send, startChat } from './factories.ts';
import { call, people, service } from './running-chat.ts';

type As = keyof People;
type Image = Uint8Array<ArrayBuffer>;

const draw = async (side = 64, format: 'png' | 'gif' | 'webp' = 'png'): Promise<Image> =>
  new Uint8Array(
    await sharp({ create: { width: side, height: side, channels: 4, background: '#f80' } })
      .toFormat(format)
      .toBuffer(),
  );

type Form = { as?: As | undefined; name?: string | undefined; images?: readonly Image[]; field?: string };

async function post({ as, name, images = [], field = 'image' }: Form, chat = { service, people }) {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  for (const image of images) form.append(field, new Blob([image]), 'image.png');
  const headers = new Headers();
  if (as) headers.set('authorization', `Bearer ${await chat.service.tokens.sign(chat.people[as])}`);
  const response = await fetch(`${chat.service.url}/api/chat/emoji`, { method: 'POST', headers, body: form });
  const body = (await response.json()) as unknown;
  recordResponse('chat', { method: 'POST', path: '/chat/emoji' }, { status: response.status, body });
  return { status: response.status, body: body as CustomEmoji & { message: unknown } };
}

let count = 0;
const uniqueName = () => {
  count += 1;
  return `emoji-${count}`;
};

async function create(name = uniqueName()): Promise<CustomEmoji> {
  const { status, body } = await post({ as: 'admin', name, images: [await draw()] });
  if (status !== 201) throw new Error(`Failed to create an emoji (${status}): ${JSON.stringify(body)}`);
  return body;
}

const list = async (as: As = 'member') =>
  (await request<{ data: CustomEmoji[] }>(service, people[as], ['GET', '/chat/emoji'])).data;
const react = (as: As, method: 'PUT' | 'DELETE', { _id }: Message, emoji: string) =>
  call(as, method, `/chat/messages/${_id}/reactions/${encodeURIComponent(emoji)}`);

describe('custom emoji', () => {
  it('are rejected while the object store is unavailable', async () => {
    const proxy = await createFaultyProxy(service.env.S3_ENDPOINT ?? '');
    const chat = await startChat({ S3_ENDPOINT: proxy.url });
    try {
      proxy.cut();
      const response = await post({ as: 'admin', name: 'party', images: [await draw()] }, chat);
      expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(await request(chat.service, chat.people.member, ['GET', '/chat/emoji'])).toEqual({ data: [] });
    } finally {
      await chat.service.close();
      await proxy.close();
    }
  });

  it('are added by administrators, listed by name for everyone, and announced', async () => {
    const [b, a] = [await create('parrot_b'), await create('parrot_a')];
    const emoji = (await list('stranger')).filter(({ name }) => name.startsWith('parrot_'));
    expect(emoji.map(({ _id }) => _id)).toEqual([a._id, b._id]);
    expect(emoji[0]).toMatchObject({ name: 'parrot_a', createdBy: { _id: people.admin._id } });
    expect(await (await fetch(emoji[0]?.url ?? '')).bytes()).toEqual(await draw());
    expect((await call('member', 'GET', `/chat/emoji/${a._id}`)).body).toMatchObject({ name: 'parrot_a' });
    const event = await service.waitForEvent(emojiChanged, (data) => data.emojiId === a._id);
    expect(event.data).toEqual({ emojiId: a._id, action: 'created' });
  });

  it.each(['gif', 'webp'] as const)('can be %s images', async (format) => {
    expect((await post({ as: 'admin', name: uniqueName(), images: [await draw(128, format)] })).status).toBe(201);
  });

  it.each(['a', 'Parrot', 'party parrot', 'é'.repeat(3), 'x'.repeat(33), ':parrot:', undefined])(
    'need a valid name: %s',
    async (name) => {
      expect(await post({ as: 'admin', name, images: [await draw()] })).toMatchObject({
        status: 400,
        body: { message: ['A name has 2 to 32 lowercase letters, digits, hyphens, and underscores'] },
      });
    },
  );

  it('need one image of a type that browsers display, whatever it is called', async () => {
    const text = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const image = await draw();
    const rejected = [
      [[text], 'An emoji must be a PNG, GIF, or WebP image'],
      [[image.slice(0, 20)], 'An emoji must be a PNG, GIF, or WebP image'],
      [[await draw(1_025)], 'An emoji can be at most 1024 pixels wide and high'],
      [[], 'Send one image in the field `image`'],
      [[image, image], 'Send one image in the field `image`'],
      [[new Uint8Array()], 'The file is empty'],
    ] as const;
    for (const [images, message] of rejected)
      expect(await post({ as: 'admin', name: uniqueName(), images })).toMatchObject({
        status: 400,
        body: { message: [message] },
      });
    expect((await post({ as: 'admin', name: uniqueName(), images: [image], field: 'file' })).status).toBe(400);
    const large = new Uint8Array(256 * 1024 + 1);
    expect((await post({ as: 'admin', name: uniqueName(), images: [large] })).status).toBe(413);
  });

  it('have different names', async () => {
    const { name } = await create();
    expect(await post({ as: 'admin', name, images: [await draw(32)] })).toMatchObject({
      status: 409,
      body: { message: 'An emoji with this name already exists' },
    });
    expect((await list()).filter((emoji) => emoji.name === name)).toHaveLength(1);
  });

  it('can share an image, which is kept until the last of them is deleted', async () => {
    const [first, second] = [await create(), await create()];
    expect((await call('admin', 'DELETE', `/chat/emoji/${first._id}`)).status).toBe(204);
    const rest = await request<CustomEmoji>(service, people.member, ['GET', `/chat/emoji/${second._id}`]);
    expect((await fetch(rest.url ?? '')).status).toBe(200);
  });

  it(`are at most ${MAX_CUSTOM_EMOJI}`, async () => {
    const { _id } = await create();
    await service.query(
      `insert into custom_emoji (emoji_id, name, object_key, sha256, size, mimetype, uploader_id)
       select lpad(n::text, 24, '0'), 'many-' || n, e.object_key, e.sha256, e.size, e.mimetype, e.uploader_id
       from custom_emoji e, generate_series(1, ${MAX_CUSTOM_EMOJI} - (select count(*)::int from custom_emoji)) n
       where e.emoji_id = $1`,
      [_id],
    );
    expect(await list()).toHaveLength(MAX_CUSTOM_EMOJI);
    expect(await post({ as: 'admin', name: uniqueName(), images: [await draw()] })).toMatchObject({
      status: 400,
      body: { message: ['A workspace can have at most 500 emoji'] },
    });
    await service.query("delete from custom_emoji where name like 'many-%'");
  });

  it('are managed by administrators only', async () => {
    const { _id } = await create();
    const images = [await draw()];
    for (const as of ['manager', 'member'] as const) {
      expect((await post({ as, name: uniqueName(), images })).status).toBe(403);
      expect((await call(as, 'DELETE', `/chat/emoji/${_id}`)).status).toBe(403);
    }
    expect((await post({ name: uniqueName(), images })).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/chat/emoji'],
      ['GET', `/chat/emoji/${_id}`],
      ['DELETE', `/chat/emoji/${_id}`],
    ] as const)
      expect((await service.call(method, path)).status).toBe(401);
    for (const method of ['GET', 'DELETE'])
      expect((await call('admin', method, `/chat/emoji/${'f'.repeat(24)}`)).status).toBe(404);
  });
});

describe('reactions with a custom emoji', () => {
  it('remain as its name once it is deleted, and can be removed, but not added', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const message = await send(service, people.member, conversation);
    const { _id, name } = await create();
    const emoji = `:${name}:`;
    expect((await react('member', 'PUT', message, emoji)).body).toMatchObject({
      reactions: [{ emoji, count: 1, mine: true }],
    });
    expect((await call('admin', 'DELETE', `/chat/emoji/${_id}`)).status).toBe(204);
    expect((await react('ben', 'PUT', message, emoji)).status).toBe(404);
    expect((await call('ben', 'GET', `/chat/messages/${message._id}`)).body).toMatchObject({
      reactions: [{ emoji, count: 1, mine: false }],
    });
    expect((await react('member', 'DELETE', message, emoji)).body).toMatchObject({ reactions: [] });
  });

  it('need a name', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const message = await send(service, people.member, conversation);
    for (const emoji of [':none-of-them:', ':x:', 'parrot', '::'])
      expect((await react('ben', 'PUT', message, emoji)).status).toBe(404);
  });
});
