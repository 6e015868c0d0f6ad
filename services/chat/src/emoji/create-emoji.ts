import { enforceWorkspaceQuota } from '@atrium/object-store/objects/quota';
import { type FormFields, type FormFileField, invalidForm } from '@atrium/object-store/uploads/parse-form';
import {
  type ReceivedFile,
  receiveFormFiles,
  recordObjectWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import {
  type CustomEmoji,
  createEmojiFields,
  EMOJI_IMAGE_INVALID,
  EMOJI_IMAGE_TOO_WIDE,
  EMOJI_NAME_TAKEN,
  MAX_CUSTOM_EMOJI,
  MAX_CUSTOM_EMOJI_BYTES,
  MAX_CUSTOM_EMOJI_SIDE,
  ONE_IMAGE,
  TOO_MANY_EMOJI,
} from '@atrium/proto-events/http/chat/emoji';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpExchange } from '@atrium/service-kit/http/handle';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import { closeConnectionAfterEarlyResponse } from '@atrium/service-kit/process/http-server';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { KEY_PREFIX } from '../messages/send-files.ts';
import { countEmojiForUpdate, type EmojiRow, insertEmoji } from '../model/emoji-repository.ts';
import { appendEmojiEvent, presentEmoji } from './custom-emoji.ts';

const FILE_FIELD: FormFileField = {
  name: 'image',
  maxFiles: 1,
  unexpectedMessage: ONE_IMAGE,
  tooManyMessage: ONE_IMAGE,
  maxFieldBytes: 200,
};

/** What browsers display, and what cannot contain scripts. */
const IMAGE_TYPES = ['image/png', 'image/apng', 'image/gif', 'image/webp'];

export async function createEmoji(deps: Deps, caller: Caller, { req, res }: HttpExchange): Promise<CustomEmoji> {
  closeConnectionAfterEarlyResponse(req, res);
  const id = newId();
  const parseName = (fields: FormFields) => parseInput('body', createEmojiFields, fields).name;
  const row = await receiveFormFiles<EmojiRow>(
    { ...deps.files, maxUploadBytes: Math.min(MAX_CUSTOM_EMOJI_BYTES, deps.files.maxUploadBytes) },
    {
      req,
      userId: caller.userId,
      fileField: FILE_FIELD,
      newObjectKey: () => `${KEY_PREFIX}${id}/${newId()}`,
      async authorize(fields) {
        // If the name follows the image, `record` validates it.
        if (fields.name !== undefined) parseName(fields);
        return 'store';
      },
      async record({ fields, files: [image] }) {
        const name = parseName(fields);
        if (!image) throw invalidForm(ONE_IMAGE);
        assertImage(image);
        const recorded = await recordEmoji(deps, caller, { id, name, image });
        return { result: recorded, objectKeys: [recorded.object_key] };
      },
    },
  );
  return presentEmoji(deps, row);
}

function assertImage({ mimetype, image }: ReceivedFile): void {
  if (!IMAGE_TYPES.includes(mimetype) || !image) throw invalidForm(EMOJI_IMAGE_INVALID);
  if (Math.max(image.width, image.height) > MAX_CUSTOM_EMOJI_SIDE) throw invalidForm(EMOJI_IMAGE_TOO_WIDE);
}

type NewEmoji = { id: string; name: string; image: ReceivedFile };

function recordEmoji({ db, files: { quotas } }: Deps, caller: Caller, { id, name, image }: NewEmoji) {
  return db.transaction(async (tx) => {
    if ((await countEmojiForUpdate(tx)) >= MAX_CUSTOM_EMOJI) throw invalidForm(TOO_MANY_EMOJI);
    const objectKey = await recordObjectWithinQuota(tx, { quotas, userId: caller.userId, file: image });
    const row = await insertEmoji(tx, {
      emoji_id: id,
      name,
      object_key: objectKey,
      mimetype: image.mimetype,
      uploader_id: caller.userId,
      sha256: image.sha256,
      size: image.size,
    });
    if (!row) throw new AppError('conflict', EMOJI_NAME_TAKEN);
    await appendEmojiEvent(tx, caller, { id, action: 'created' });
    await enforceWorkspaceQuota(tx, quotas, image.size);
    return row;
  });
}
