import type { Readable } from 'node:stream';
import { AppError } from '@atrium/service-kit/http/app-error';
import busboy from 'busboy';
import type { Request } from 'express';
import { uploadInterrupted } from './disconnect-signal.ts';

/** Text fields of a form; a name that came more than once holds the values joined by commas, as `tags` may. */
export type FormFields = Record<string, string>;

/** Takes the file while the form is still coming in; `fields` are those that stood before it. */
export type FileHandler<T> = (
  file: Readable,
  about: { fileName: string | undefined; fields: FormFields },
) => Promise<T>;

const FIELDS = 20;
const LIMITS = { fields: FIELDS, fieldNameSize: 100, headerPairs: 20 };

/** The parts of a form that are files: their name, how many there may be, and what the person is told of others and of more. */
export type FileParts = { name: string; most: number; elsewhere: string; tooMany: string; fieldBytes: number };

type Options<T> = {
  parts: FileParts;
  takeFile: FileHandler<T>;
  /** Begins to watch the request; what it tells ends the reading. Answers how to stop watching. */
  watch: (fail: (error: AppError) => void) => () => void;
};

/** Reads a multipart form with files, which are taken one after the other; fields may stand before or after them. */
export async function receiveForm<T>(
  req: Request,
  { parts, takeFile, watch }: Options<T>,
): Promise<{ fields: FormFields; files: T[] }> {
  const parser = createParser(req, parts);
  const fields: FormFields = Object.create(null);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let taking: Promise<T[]> = Promise.resolve([]);
  let isOver = false;

  parser.on('field', (name, value, info) => {
    if (info.nameTruncated || info.valueTruncated) fail(invalidForm('A field of the form is too long'));
    else fields[name] = name in fields ? `${fields[name]},${value}` : value;
  });
  parser.on('file', (name, file, { filename }) => {
    // A failed stream without a reader must not end the process.
    file.on('error', () => undefined);
    if (name !== parts.name) return fail(invalidForm(parts.elsewhere));
    // Browsers write a quotation mark in a file's name this way (HTML, multipart/form-data encoding).
    const fileName = filename?.replaceAll('%22', '"');
    // One after the other, as each holds a part of an upload in memory.
    taking = taking.then(async (taken) => {
      if (isOver) throw new Error('the form was given up');
      return [...taken, await takeFile(file, { fileName, fields })];
    });
    taking.catch(fail);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => fail(invalidForm(limit === 'filesLimit' ? parts.tooMany : 'The form has too many parts')));
  }
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('close', resolve);
    parser.on('error', (error) => reject(invalidForm('The form could not be read', error)));
  });
  const gone = () => fail(uploadInterrupted());
  // Its sender may have gone while it waited for its turn, and nothing tells of that again.
  if (req.destroyed) gone();
  req.once('close', () => void (req.complete || gone()));
  req.once('error', gone);
  const unwatch = watch(fail);

  try {
    req.pipe(parser);
    await Promise.race([parsed, failed]);
    return { fields, files: await Promise.race([taking, failed]) };
  } catch (error) {
    isOver = true;
    req.unpipe(parser);
    parser.destroy();
    // What a file's reader has begun must have ended before its leftovers are removed.
    await taking.catch(() => undefined);
    throw error;
  } finally {
    unwatch();
  }
}

function createParser(req: Request, { most, fieldBytes }: FileParts): busboy.Busboy {
  if (!req.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'The body must be multipart/form-data');
  }
  try {
    // Some parts more, so that a limit of its own is told first.
    const limits = { ...LIMITS, fieldSize: fieldBytes, files: most, parts: FIELDS + most + 4 };
    return busboy({ headers: req.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw invalidForm('The form could not be read', error);
  }
}

export function invalidForm(message: string, cause?: unknown): AppError {
  return new AppError('validation_failed', message, { messages: [message], cause });
}
